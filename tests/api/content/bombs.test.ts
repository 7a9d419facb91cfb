import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { aRepo, aServer, aUser, call, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { git } from "../../git/objects/real-git.ts";
import { longestTurnMs } from "../../growth.ts";
import { random } from "../../random.ts";

/** Small repositories that ask for a lot of work: whoever else uses the server must not notice. */

let server: TestServer;
let ada: TestUser;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server);
});
afterAll(() => server.close());

type Write = (type: string, data: string | Uint8Array) => string;

const WHO = "A <a@example.org> 1600000000 +0000";

/** A repository with these files or this tree, one commit after another. */
async function aRepoOf(trees: readonly ((write: Write) => string)[]) {
  const repo = aRepo(server, ada.user);
  await server.services.refs.projected();
  const dir = server.services.storage.dirOf(repo.id);
  const write: Write = (type, data) =>
    git(["-C", dir, "hash-object", "-w", "-t", type, "--stdin"], { input: data }).stdout.toString().trim();
  let tip = "";
  for (const tree of trees) {
    const parent = tip === "" ? "" : `parent ${tip}\n`;
    tip = write("commit", `tree ${tree(write)}\n${parent}author ${WHO}\ncommitter ${WHO}\n\nm\n`);
  }
  git(["-C", dir, "update-ref", "refs/heads/main", tip]);
  git(["-C", dir, "repack", "-adq"]);
  server.services.refs.change(repo.id, {
    principal: asAccount(ada.user),
    changes: [{ name: "refs/heads/main", oldOid: null, newOid: tip }],
    atomic: true,
  });
  return { tip, path: `/api/v1/repos/${ada.login}/${repo.name}` };
}

const treeOf = (entries: readonly (readonly [mode: string, name: string, oid: string])[]) =>
  Buffer.concat(
    entries.map(([mode, name, oid]) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, "hex")])),
  );

/** What the server answers, and the longest it did nothing else meanwhile. */
async function pausesOf(path: string) {
  const answers: Awaited<ReturnType<typeof call<Json>>>[] = [];
  const longestMs = await longestTurnMs(async () => {
    answers.push(await call<Json>(server, "GET", path, { token: ada.token }));
  });
  const [answer] = answers;
  if (!answer) throw new Error("the server did not answer");
  return { answer, longestMs };
}

test("forty trees that unfold to 10^40 paths are listed and counted at once", async () => {
  const bomb = await aRepoOf([
    (write) => {
      let entry: readonly [string, string] = ["100644", write("blob", "hello\n")];
      for (let level = 0; level < 40; level++) {
        const names = Array.from({ length: 10 }, (_, at) => [entry[0], `n${at}`, entry[1]] as const);
        entry = ["40000", write("tree", treeOf(names))];
      }
      return entry[1];
    },
  ]);
  const { answer, longestMs } = await pausesOf(`${bomb.path}/git/trees/main?recursive=true`);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ total_count: Number.MAX_SAFE_INTEGER, truncated: true });
  expect(longestMs).toBeLessThan(4000);
  const behind = await call<Json>(server, "GET", `${bomb.path}/git/trees/main?recursive=true&page=10000000000000`, {
    token: ada.token,
  });
  expect(behind.body).toMatchObject({ tree: [] });
  expect(server.errors).toEqual([]);
});

test("a few large files without a line in its place are compared elsewhere", async () => {
  const next = random(5);
  const lines = () => Array.from({ length: 60_000 }, () => `${Math.floor(next() * 300)}\n`).join("");
  const files = (write: Write) =>
    write("tree", treeOf(["a", "b", "c"].map((name) => ["100644", name, write("blob", lines())] as const)));
  const change = await aRepoOf([files, files]);
  const { answer, longestMs } = await pausesOf(`${change.path}/git/commits/${change.tip}`);
  expect(answer.body).toMatchObject({ files: [{ filename: "a" }, { filename: "b" }, { filename: "c" }] });
  expect(longestMs).toBeLessThan(1200);
});

test("a folder of a hundred thousand files is no answer of half a gigabyte, and no patch", async () => {
  const wide = await aRepoOf([
    (write) => {
      const oid = write("blob", "x\n");
      const entries = Array.from({ length: 100_001 }, (_, at) => ["100644", String(at).padStart(6, "0"), oid] as const);
      return write("tree", treeOf(entries));
    },
  ]);
  const contents = await call<Json>(server, "GET", `${wide.path}/contents`, { token: ada.token });
  expect(contents.status).toBe(413);
  expect(contents.body).toMatchObject({
    message: "the root directory has 100001 entries; at most 20000 are listed",
  });
  const patch = await call<Json>(server, "GET", `${wide.path}/git/commits/${wide.tip}.patch`, { token: ada.token });
  expect(patch.status).toBe(413);
});
