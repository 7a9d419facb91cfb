import { join } from "node:path";
import { gitLines, runGit } from "../../git/hosts/real-git.ts";
import { drainClone } from "../drain.ts";
import { cpuMsOfTree } from "../process.ts";
import type { History, World } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const PULLS = 20;
/** On one page of a list over REST. */
const LISTED = 30;
const COMMITS = 3;
/** Commits between the places at which two pull requests begin. */
const APART = 7;
const CLONES = 4;
/** As many as the compilers of the runtime need. */
const WARM_REQUESTS = 4000;
const REQUESTS = 500;

/** Clones as `git clone` asks for them, of a repository that has open pull requests besides; and lists of these. */
export const pullRows: RowGroup = {
  name: "pulls",
  doc: `clones of heads and tags beside refs of ${PULLS} open pull requests, by protocol v2; the page that lists these, and the list over REST`,
  run: async (world, report) => {
    for (const history of world.histories) {
      await world.pushed(history);
      const [hearth, git] = [world.hearth.repo(history.name).url, world.git.repo(history.name).url];
      const dir = await makePulls(world, history);
      await openPulls(world, history, 1, PULLS);
      const refs = Array.from({ length: PULLS }, (_, at) => `refs/bench/${at + 1}:refs/pull/${at + 1}/head`);
      await runGit(["-C", dir, "push", "-q", git, ...refs]);
      const [last] = await gitLines(["ls-remote", hearth, `refs/pull/${PULLS}/head`]);
      if (last === undefined) throw new Error("the pull requests have no refs");
      await world.settle();
      const clones = async (url: string) => {
        for (let at = 0; at < CLONES; at++) await drainClone(url);
      };
      await drainClone(hearth);
      const costs = {
        hearth: await world.costOfHearth(() => clones(hearth)),
        git: await world.costOfGit(() => clones(git)),
      };
      const row = `clone ${history.name} beside ${PULLS} pull requests: server CPU`;
      report(metric(row, "s", costs.hearth.cpuMs / 1000 / CLONES, costs.git.cpuMs / 1000 / CLONES));
    }
    const list = `${world.hearth.login}/${world.largest.name}/pulls`;
    report(metric("pull request list page, a visitor: CPU", "ms", await pageCpu(world, list, {})));
    const cookie = await ownerCookie(world);
    report(metric("pull request list page, its owner: CPU", "ms", await pageCpu(world, list, { cookie })));
    await openPulls(world, world.largest, PULLS + 1, LISTED);
    await world.settle();
    const path = `api/v1/repos/${list}?limit=${LISTED}`;
    const cpu = await cpuOf(world, path, { authorization: `token ${world.hearth.token}` }, (answer) => {
      return (JSON.parse(answer) as unknown[]).length === LISTED;
    });
    report(metric(`GET pull request list (${LISTED}): CPU`, "ms", cpu));
  },
};

/** The server's CPU for a page, in milliseconds. */
function pageCpu(world: World, path: string, headers: Record<string, string>): Promise<number> {
  return cpuOf(world, path, headers, (html) => html.includes("bulk") === "cookie" in headers);
}

/** The same for any answer. @param isRight whether it is the one that is to be measured */
async function cpuOf(
  { hearth }: World,
  path: string,
  headers: Record<string, string>,
  isRight: (answer: string) => boolean,
): Promise<number> {
  const ask = async () => {
    const answer = await fetch(`${hearth.origin}${path}`, { headers });
    const text = await answer.text();
    if (answer.status !== 200 || !isRight(text))
      throw new Error(`GET /${path} answers ${answer.status} and another list`);
  };
  for (let at = 0; at < WARM_REQUESTS; at++) await ask();
  const before = cpuMsOfTree(hearth.pid);
  for (let at = 0; at < REQUESTS; at++) await ask();
  return (cpuMsOfTree(hearth.pid) - before) / REQUESTS;
}

/** A session of the account that owns everything here. */
async function ownerCookie({ hearth: { login, origin, token } }: World): Promise<string> {
  const password = "a long password 1";
  const changed = await fetch(`${origin}api/v1/admin/users/${login}`, {
    method: "PATCH",
    headers: { authorization: `token ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ login_name: login, source_id: 0, password, must_change_password: false }),
  });
  if (changed.status !== 200) throw new Error(`the password could not be set: ${changed.status}`);
  const signedIn = await fetch(`${origin}user/login`, {
    method: "POST",
    redirect: "manual",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ user_name: login, password }),
  });
  const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  if (signedIn.status !== 303 || cookies.length === 0) throw new Error(`signing in answers ${signedIn.status}`);
  return cookies.join("; ");
}

/** Pushes those pull requests, by their numbers among the chains. */
async function openPulls(world: World, history: History, from: number, to: number): Promise<void> {
  const url = world.hearth.repo(history.name).url;
  for (let at = from; at <= to; at++) {
    const pull = `refs/bench/${at}:refs/for/${history.branch}`;
    await runGit(["-C", chainsOf(world, history), "push", "-q", "-o", `topic=bench-${at}`, url, pull]);
  }
}

const chainsOf = (world: World, history: History) => join(world.folder, `pulls-${history.name}.git`);

/** Chains of commits on older commits of the branch, each with a file of its own. */
async function makePulls(world: World, history: History): Promise<string> {
  const dir = chainsOf(world, history);
  await runGit(["clone", "-q", "--bare", "--shared", history.dir, dir]);
  for (let pull = 1; pull <= LISTED; pull++) {
    let [tip = ""] = await gitLines(["-C", dir, "rev-parse", `${history.branch}~${pull * APART}`]);
    for (let at = 1; at <= COMMITS; at++) {
      const input = `pull request ${pull}, commit ${at}\n`;
      const [blob = ""] = await gitLines(["-C", dir, "hash-object", "-w", "--stdin"], { input });
      const entries = await gitLines(["-C", dir, "ls-tree", tip]);
      const added = [...entries, `100644 blob ${blob}\tbench-${pull}-${at}`].join("\n");
      const [tree = ""] = await gitLines(["-C", dir, "mktree"], { input: `${added}\n` });
      [tip = ""] = await gitLines(["-C", dir, "commit-tree", "-p", tip, tree], { input });
    }
    await runGit(["-C", dir, "update-ref", `refs/bench/${pull}`, tip]);
  }
  return dir;
}
