import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { git } from "../executable/process.ts";
import { newSeed } from "../random.ts";
import { until } from "../until.ts";
import { call, field, gitAddress, tryGit } from "./calls.ts";
import { apiProblems, folderOf, problemsOf } from "./check.ts";
import { RandomSource } from "./random-source.ts";
import { type Server, serve, settled } from "./server.ts";
import { aWorld, type World } from "./world.ts";

/** Merges that the power goes from: beside other merges, pushes and changes of the rules, or while they wait. */
const FOUR = 4;
const ROUNDS = Number(process.env["HEARTH_MERGE_ROUNDS"] ?? "4");
const seed = newSeed();

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.remove());

interface At {
  readonly url: string;
  readonly token: string;
}
const at = (server: Server): At => ({ url: server.url, token: world.token });
const four = (path: string) => `/repos/root1/four/${path}`;

/** A server that died, started again and at rest. */
async function again(dataDir: string): Promise<Server> {
  const server = await serve(dataDir);
  await settled(dataDir);
  return server;
}

async function ended(server: Server, dataDir: string): Promise<void> {
  await settled(dataDir);
  expect(await apiProblems(dataDir, at(server))).toEqual([]);
  expect(await server.end("SIGTERM")).toBe(0);
  expect(await problemsOf(dataDir)).toEqual([]);
}

test("two merges, a push and a change of the rules at once, and a death among them: all or nothing of each", async () => {
  const random = new RandomSource(seed);
  const push = join(world.folder, "push");
  await git(world.folder, "clone", "-q", "--bare", world.source, push);
  for (let round = 0; round < ROUNDS; round++) {
    const dataDir = world.copy();
    const server = await serve(dataDir);
    const to = at(server);
    const tip = await git(push, "rev-parse", "next");
    const pushed = await git(push, "commit-tree", `${tip}^{tree}`, "-p", tip, "-m", `pushed ${round}`);
    const merge = (style: string) => call(to, "POST", four("pulls/1/merge"), { do: style });
    const rule = { rule_name: "main", enable_push: true, enable_merge_whitelist: true };
    const work = Promise.all([
      merge("merge"),
      merge("squash"),
      tryGit(push, "push", "-q", gitAddress(to, "four"), `${pushed}:refs/heads/main`),
      call(to, "POST", four("branch_protections"), rule),
    ]);
    // Wherever it stands by then.
    await Bun.sleep(random.below(120));
    await server.end("SIGKILL");
    const [first, second, byPush, ruled] = await work;
    const mended = await again(dataDir);
    const pull = (await call(at(mended), "GET", four("pulls/1"))).body;
    const isMerged = field(pull, "merged") === true;
    const acknowledged = [first, second].filter((outcome) => outcome.acknowledged).length;
    expect(acknowledged).toBeLessThanOrEqual(1);
    if (acknowledged === 1) expect(isMerged).toBe(true);
    const dir = folderOf(dataDir, FOUR);
    const log = await git(dir, "log", "--first-parent", "--format=%s", `${tip}..main`);
    const merges = log.split("\n").filter((subject) => /\(#1\)/.test(subject));
    expect([round, merges.length]).toEqual([round, isMerged ? 1 : 0]);
    if (isMerged) await git(dir, "merge-base", "--is-ancestor", String(field(pull, "merge_commit_sha")), "main");
    if (byPush.acknowledged) await git(dir, "merge-base", "--is-ancestor", pushed, "main");
    const rules = await call(at(mended), "GET", four("branch_protections/main"));
    if (ruled.acknowledged) expect(rules.status).toBe(200);
    // Once nobody may merge, nobody does.
    if (rules.status === 200 && !isMerged) {
      const refused = await call(at(mended), "POST", four("pulls/1/merge"), { do: "merge" });
      expect(refused.status).toBe(405);
    }
    await ended(mended, dataDir);
  }
}, 300_000);

test("a scheduled merge waits on after a death, and is made when its check succeeds", async () => {
  const dataDir = world.copy();
  const server = await serve(dataDir);
  const rule = { rule_name: "main", enable_status_check: true, status_check_contexts: ["ci"] };
  await call(at(server), "POST", four("branch_protections"), rule);
  const later = { do: "merge", merge_when_checks_succeed: true };
  expect((await call(at(server), "POST", four("pulls/1/merge"), later)).status).toBe(201);
  const head = String(field((await call(at(server), "GET", four("pulls/1"))).body, "head", "sha"));
  await server.end("SIGKILL");
  const mended = await again(dataDir);
  expect((await call(at(mended), "POST", four("pulls/1/merge"), later)).status).toBe(409);
  expect((await call(at(mended), "GET", four("pulls/1/merge"))).status).toBe(404);
  await call(at(mended), "POST", four(`statuses/${head}`), { state: "success", context: "ci" });
  await mended.end("SIGKILL");
  const last = await again(dataDir);
  expect((await call(at(last), "GET", four("pulls/1/merge"))).status).toBe(204);
  await ended(last, dataDir);
});

test("a merge queue goes on after deaths with the candidates it had", async () => {
  const dataDir = world.copy();
  const server = await serve(dataDir);
  const rule = { enable_status_check: true, status_check_contexts: ["ci"] };
  await call(at(server), "PATCH", four("branch_protections/lane"), rule);
  expect((await call(at(server), "POST", four("pulls/2/queue"), {})).status).toBe(201);
  const candidate = (to: Server) =>
    until(async () => {
      const { body } = await call(at(to), "GET", four("merge_queue?branch=lane"));
      const sha = field(body, 0, "candidate_sha");
      const refs = JSON.stringify((await call(at(to), "GET", four("git/refs"))).body);
      return typeof sha === "string" && sha !== "" && refs.includes("refs/merge-queue/2") ? sha : undefined;
    });
  const before = await candidate(server);
  await server.end("SIGKILL");
  const mended = await again(dataDir);
  expect(await candidate(mended)).toBe(before);
  await call(at(mended), "POST", four(`statuses/${before}`), { state: "success", context: "ci" });
  await mended.end("SIGKILL");
  const last = await again(dataDir);
  expect((await call(at(last), "GET", four("pulls/2/merge"))).status).toBe(204);
  expect(await git(folderOf(dataDir, FOUR), "rev-parse", "lane")).toBe(before);
  await ended(last, dataDir);
});
