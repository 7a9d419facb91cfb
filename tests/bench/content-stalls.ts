import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator } from "../../src/access/principal.ts";
import { loadConfig } from "../../src/config/load.ts";
import { makeLog } from "../../src/kernel/log.ts";
import { type House, openHouse } from "../../src/services.ts";
import { builtExecutable, startHearth } from "../git/hosts/hearth.ts";
import { gitLines, runGit } from "../git/hosts/real-git.ts";

/**
 * How long other requests wait while each page and API route of content is asked for once: `bun tests/bench/content-stalls.ts`.
 * One repository has 15,000 branches and as many tags, the other a directory of 1,900 files with a long history. A probe
 * asks for `/api/healthz` every five milliseconds; the longest answer is what the request cost everyone else. On a busy
 * machine the time that the serving thread computed says more, which the kernel counts (schedstat).
 */

const REFS = 15_000;
const FILES = 1_900;
const COMMITS = 6_000;
const PROBE_MS = 5;

const folder = mkdtempSync(join(tmpdir(), "hearth-stalls-"));
const dataDir = join(folder, "data");
let hearth = await startHearth({ command: builtExecutable(), dataDir });
const cookie = await session();
hearth = await hearth.restart();

const refsTip = await pushed("refs", history(REFS));
const longTip = await pushed("long", history(COMMITS));
await addRefs();
hearth = await hearth.restart();

const rest = (repo: string) => `api/v1/repos/${hearth.login}/${repo}`;
const page = (repo: string) => `${hearth.login}/${repo}`;
const routes = [
  "",
  ...[
    ["refs", refsTip],
    ["long", longTip],
  ].flatMap(([repo = "", tip = ""]) => [
    page(repo),
    `${page(repo)}/branches`,
    `${page(repo)}/branches?q=9`,
    `${page(repo)}/branches/list`,
    `${page(repo)}/branches/choose?q=1`,
    `${page(repo)}/tags`,
    `${page(repo)}/tags/list`,
    `${page(repo)}/commits/branch/main`,
    `${page(repo)}/commit/${tip}`,
    `${page(repo)}/commit/${tip}/load-branches-and-tags`,
    `${page(repo)}/src/branch/main/big`,
    `${page(repo)}/src/branch/main/big/f7.txt`,
    `${page(repo)}/src/branch/main/big/missing.txt`,
    `${page(repo)}/src/branch/no-such-branch/big`,
    `${page(repo)}/raw/branch/main/big/f7.txt`,
    `${page(repo)}/tree-list/branch/main`,
    `${rest(repo)}/branches?limit=50`,
    `${rest(repo)}/branches/main`,
    `${rest(repo)}/tags?limit=50`,
    `${rest(repo)}/commits?limit=50`,
    `${rest(repo)}/commits?path=big/f7.txt`,
    `${rest(repo)}/contents/big`,
    `${rest(repo)}/contents-ext/big?includes=commit_metadata`,
    `${rest(repo)}/contents/big/f7.txt`,
    `${rest(repo)}/raw/big/f7.txt`,
    `${rest(repo)}/git/refs`,
    `${rest(repo)}/git/refs/heads`,
    `${rest(repo)}/git/trees/main?recursive=1`,
    `${rest(repo)}/git/commits/${tip}`,
    `${rest(repo)}/compare/main~500...main`,
    `${rest(repo)}/editorconfig/a.ts`,
  ]),
];

const rows: { route: string; status: number; ms: number; stallMs: number; cpuMs: number }[] = [];
for (const route of routes) rows.push(await measured(route));
rows.push(
  await measured(`${rest("long")}/branches/b1`, {
    method: "PUT",
    body: JSON.stringify({ new_commit_id: "main" }),
  }),
);
rows.push(
  await measured(`${rest("long")}/contents/big/new.txt`, {
    method: "POST",
    body: JSON.stringify({ content: "bmV3Cg==", branch: "main" }),
  }),
);
console.log("computed   stalled     whole");
for (const { route, status, ms, stallMs, cpuMs } of rows.sort((a, b) => b.cpuMs - a.cpuMs))
  console.log(
    `${cpuMs.toFixed(0).padStart(5)} ms  ${stallMs.toFixed(0).padStart(6)} ms  ${ms.toFixed(0).padStart(6)} ms  ${status}  ${route}`,
  );

await hearth.close();
rmSync(folder, { recursive: true, force: true });

async function measured(route: string, init: RequestInit = {}) {
  const headers: Record<string, string> = route.startsWith("api/")
    ? { authorization: `token ${hearth.token}` }
    : { cookie };
  let isOver = false;
  let stallMs = 0;
  const probe = (async () => {
    while (!isOver) {
      const asked = performance.now();
      await (await fetch(`${hearth.origin}api/healthz`)).text();
      stallMs = Math.max(stallMs, performance.now() - asked);
      await Bun.sleep(PROBE_MS);
    }
  })();
  await Bun.sleep(30);
  stallMs = 0;
  const computedBefore = computedMs();
  const began = performance.now();
  const answer = await fetch(hearth.origin + route, {
    ...init,
    redirect: "manual",
    headers: { ...headers, ...(init.body === undefined ? {} : { "content-type": "application/json" }) },
  });
  const { status } = answer;
  await answer.arrayBuffer();
  const ms = performance.now() - began;
  const cpuMs = computedMs() - computedBefore;
  await Bun.sleep(30);
  isOver = true;
  await probe;
  return { route, status, ms, stallMs, cpuMs };
}

/** What the serving thread, the first of its process, has computed so far. */
function computedMs(): number {
  return Number(readFileSync(`/proc/${hearth.pid}/task/${hearth.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

async function session(): Promise<string> {
  return offline(async ({ services }) => {
    const user = services.identity.byLogin(hearth.login);
    if (!user) throw new Error("the account is not there");
    const { secret } = await services.sessions.open(user.id, { address: "127.0.0.1", userAgent: "bench" });
    return `hearth_session=${secret}`;
  });
}

/** Branches and tags for every commit; a push of as many takes minutes. */
async function addRefs(): Promise<void> {
  const oids = await gitLines(["-C", join(folder, "refs.git"), "rev-list", "main"]);
  await offline(async ({ services }) => {
    const { repo } = services.repos.see(operator, hearth.login, "refs", () => "");
    const changes = oids.flatMap((oid, i) => [
      { name: `refs/heads/b${i}`, oldOid: null, newOid: oid },
      { name: `refs/tags/v${i}`, oldOid: null, newOid: oid },
    ]);
    services.refs.change(repo.id, { principal: operator, changes, atomic: true });
    const long = services.repos.see(operator, hearth.login, "long", () => "").repo;
    const [first] = await gitLines(["-C", join(folder, "long.git"), "rev-list", "--reverse", "main"]);
    if (first)
      services.refs.change(long.id, {
        principal: operator,
        changes: [{ name: "refs/heads/b1", oldOid: null, newOid: first }],
        atomic: true,
      });
  });
}

/** Works on the data folder while no server holds it. */
async function offline<T>(work: (house: House) => Promise<T>): Promise<T> {
  const { config } = loadConfig({ flags: { data: dataDir }, environment: {}, file: undefined });
  await hearth.close();
  const house = openHouse(config, makeLog({ level: "error", format: "text", write: console.error }));
  try {
    return await work(house);
  } finally {
    house.close();
  }
}

/** @returns the tip of its main branch */
async function pushed(name: string, stream: string): Promise<string> {
  const dir = join(folder, `${name}.git`);
  await runGit(["init", "-q", "--bare", "-b", "main", dir]);
  await runGit(["-C", dir, "fast-import", "--quiet"], { input: stream });
  const url = hearth.repo(name).url;
  await runGit(["-C", dir, "push", "-q", url, "main"]);
  // Maintenance writes the commit-graph; measured is what a visitor costs afterwards.
  await Bun.sleep(3_000);
  return (await runGit(["-C", dir, "rev-parse", "main"])).stdout.toString().trim();
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function commit(ref: string, mark: number, from: number | undefined, files: string): string {
  const who = `Tester <tester@example.org> ${1_600_000_000 + mark * 60} +0000`;
  const parent = from === undefined ? "" : `from :${from}\n`;
  return `commit ${ref}\nmark :${mark}\ncommitter ${who}\n${data(`Commit ${mark}\n`)}${parent}${files}\n`;
}

function file(path: string, text: string): string {
  return `M 100644 inline ${path}\n${data(text)}`;
}

function history(commits: number): string {
  const parts: string[] = [];
  for (let i = 1; i <= commits; i++) {
    const at = ((i * 7) % FILES) + 1;
    const files = i === 1 ? Array.from({ length: FILES }, (_, n) => file(`big/f${n + 1}.txt`, `${n}\n`)).join("") : "";
    parts.push(commit("refs/heads/main", i, i === 1 ? undefined : i - 1, files || file(`big/f${at}.txt`, `${i}\n`)));
  }
  return parts.join("");
}
