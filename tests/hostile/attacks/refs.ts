import type { Attack, Target } from "../attack.ts";

const REPO = "many-refs";
const ZERO = "0".repeat(40);
const RECEIVE = { "content-type": "application/x-git-receive-pack-request" };
/** As many as one push may change by default. */
const REFS_OF_A_PUSH = 20_000;
/** The same where it is all or nothing. */
const REFS_OF_AN_ATOMIC_PUSH = 5_000;
/** A pack of no objects. */
const EMPTY_PACK = Buffer.concat([
  Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1"),
  Buffer.from("029d08823bd8a8eab510ad6ac75c823cfd3ed31e", "hex"),
]);

let tip = "";

/** A push that makes so many refs of the one commit there is. */
function pushOf(count: number, prefix: string, features: string): Uint8Array {
  const lines = Array.from({ length: count }, (_, at) => {
    const command = `${ZERO} ${tip} refs/${prefix}${String(at).padStart(6, "0")}${at === 0 ? `\0${features}` : ""}\n`;
    return (command.length + 4).toString(16).padStart(4, "0") + command;
  });
  return Buffer.concat([Buffer.from(`${lines.join("")}0000`), EMPTY_PACK]);
}

const path = ({ stranger }: Target) => `/${stranger.login}/${REPO}`;

async function push(target: Target, count: number, prefix: string, features = "report-status"): Promise<string> {
  const { token } = target.stranger;
  const answer = await target.ask(`${path(target)}.git/git-receive-pack`, {
    body: pushOf(count, prefix, features),
    headers: RECEIVE,
    token,
  });
  return answer.text;
}

async function prepare(target: Target): Promise<void> {
  if (tip !== "") return;
  const { token } = target.stranger;
  const json = { "content-type": "application/json" };
  const made = await target.ask("/api/v1/user/repos", {
    token,
    headers: json,
    body: JSON.stringify({ name: REPO, auto_init: true }),
  });
  if (made.status !== 201) throw new Error(`repository: ${made.status} ${made.text}`);
  const { text } = await target.ask(`/api/v1/repos${path(target)}/branches/main`);
  tip = (JSON.parse(text) as { commit: { id: string } }).commit.id;
}

const ATOMIC = "report-status atomic";

/** Refs cost their sender sixty bytes each, and are listed for anybody. */
export const refAttacks: readonly Attack[] = [
  {
    name: "more refs than a push may change, which are refused, and as many as it may: branches, then tags",
    prepare,
    run: async (target) => {
      const refused = await push(target, REFS_OF_A_PUSH + 1, "heads/too-many/");
      if (!refused.includes(`at most ${REFS_OF_A_PUSH} refs`)) throw new Error(`refused with ${refused.slice(0, 200)}`);
      for (const prefix of ["heads/b/", "tags/v"]) {
        const answer = await push(target, REFS_OF_A_PUSH, prefix);
        if (!answer.includes("unpack ok")) throw new Error(`pushed: ${answer.slice(0, 200)}`);
      }
    },
  },
  {
    name: "as many refs as an atomic push may change, made and made again in vain, and the refusal of more",
    prepare,
    run: async (target) => {
      const refused = await push(target, REFS_OF_AN_ATOMIC_PUSH + 1, "notes/", ATOMIC);
      if (!refused.includes(`at most ${REFS_OF_AN_ATOMIC_PUSH} refs`))
        throw new Error(`refused with ${refused.slice(0, 200)}`);
      const [made, again] = [
        await push(target, REFS_OF_AN_ATOMIC_PUSH, "notes/", ATOMIC),
        await push(target, REFS_OF_AN_ATOMIC_PUSH, "notes/", ATOMIC),
      ];
      if (!made.includes("ok refs/notes/") || made.includes("ng ")) throw new Error(`pushed: ${made.slice(0, 200)}`);
      if (!again.includes("ng refs/notes/")) throw new Error(`pushed again: ${again.slice(0, 200)}`);
    },
  },
  {
    name: "everything that lists, counts or searches 40,000 refs, from 8 addresses",
    prepare,
    run: async (target) => {
      const [page, api] = [path(target), `/api/v1/repos${path(target)}`];
      const lists = [
        page,
        `${page}/branches`,
        `${page}/branches?q=9&page=3`,
        `${page}/branches/list`,
        `${page}/branches/choose?q=00`,
        `${page}/tags?q=1`,
        `${page}/tags/list`,
        `${page}/commit/${tip}`,
        `${page}/commit/${tip}/load-branches-and-tags`,
        `${page}/src/branch/b/nowhere/x`,
        `${api}/branches?limit=50&page=99`,
        `${api}/tags?limit=50`,
        `${api}/git/refs`,
        `${api}/git/refs/tags`,
        `${page}.git/info/refs?service=git-upload-pack`,
      ];
      const from = Array.from({ length: 8 }, (_, at) => `198.51.100.${at + 1}`);
      for (const list of lists) {
        const answers = await Promise.all(from.map((address) => target.ask(list, { from: address })));
        const failed = answers.find(({ status }) => status >= 500 && status !== 503);
        if (failed) throw new Error(`${list}: ${failed.status}`);
      }
    },
  },
];
