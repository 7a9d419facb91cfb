import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { git } from "../executable/process.ts";
import { newSeed } from "../random.ts";
import { call, field, gitAddress, tryGit } from "./calls.ts";
import { apiProblems, folderOf, problemsOf } from "./check.ts";
import { RandomSource } from "./random-source.ts";
import { serve, settled, withDatabase } from "./server.ts";
import { aWorld, type World } from "./world.ts";

/**
 * Many clients change the same branches at once, by git and over REST. Every update is accepted or refused in the
 * usual words; what was accepted is in the history for good, in one line without gaps.
 */
const GIT_CLIENTS = 8;
const EDITORS = 3;
const ROUNDS = Number(process.env["HEARTH_HAMMER_ROUNDS"] ?? "6");
const seed = newSeed();

/** A change that was acknowledged: this branch then stood on this commit. */
interface Accepted {
  readonly ref: string;
  readonly oid: string;
}

test("updates of the same branches at the same time are accepted or refused, and none is lost", async () => {
  const world = await aWorld();
  const server = await serve(world.dataDir);
  const at = { url: server.url, token: world.token };
  for (const new_branch_name of ["line0", "line1"])
    await call(at, "POST", "/repos/root1/one/branches", { new_branch_name });
  const accepted: Accepted[] = [];
  const refused: string[] = [];
  await Promise.all([
    ...Array.from({ length: GIT_CLIENTS }, (_, number) => pushOften(world, at, number, accepted, refused)),
    ...Array.from({ length: EDITORS }, (_, number) => editOften(at, number, accepted, refused)),
  ]);
  await settled(world.dataDir);
  const kinds = Map.groupBy(refused, (words) => /\(.*\)|^\d+/.exec(words)?.[0] ?? words);
  console.log(
    `${accepted.length} accepted; refused:`,
    [...kinds].map(([kind, all]) => `${all.length} ${kind}`).join(", "),
  );

  const usual =
    /\(fetch first\)|\(non-fast-forward\)|\(stale info\)|\(failed to update ref\)|\(atomic transaction failed\)|\(atomic push failed?\)|^(404|409|422) /;
  expect(refused.filter((words) => !usual.test(words))).toEqual([]);
  const logged = new Set(
    withDatabase(world.dataDir, (db) =>
      db
        .query<{ line: string }, []>("SELECT name || ' ' || new_oid AS line FROM ref_log WHERE new_oid IS NOT NULL")
        .all(),
    ).map((row) => row.line),
  );
  expect(accepted.filter(({ ref, oid }) => !logged.has(`${ref} ${oid}`))).toEqual([]);
  // No one forced anything on these: what was ever accepted is still reached.
  for (const { ref, oid } of accepted.filter((one) => one.ref.startsWith("refs/heads/line")))
    await git(folderOf(world.dataDir, 1), "merge-base", "--is-ancestor", oid, ref);
  expect(accepted.length).toBeGreaterThan(GIT_CLIENTS + EDITORS);
  expect(await apiProblems(world.dataDir, at)).toEqual([]);
  expect(await server.end("SIGTERM")).toBe(0);
  // `problemsOf` follows each ref's log from its first value to its last: each old value is the one before.
  expect(await problemsOf(world.dataDir)).toEqual([]);
  expect(server.output().match(/^\S+ (warn|error) .*|status=5\d\d.*/gm)).toBeNull();
  world.remove();
}, 300_000);

/** Fetches, commits on top and pushes to shared branches; to one of its own; by lease to one that everyone forces. */
async function pushOften(
  world: World,
  at: { url: string; token: string },
  number: number,
  accepted: Accepted[],
  refused: string[],
): Promise<void> {
  const random = new RandomSource(seed + number);
  const clone = join(world.folder, `hammer${number}`);
  mkdirSync(clone);
  const address = gitAddress(at, "one");
  await git(world.folder, "clone", "-q", "--bare", address, clone);
  for (let round = 0; round < ROUNDS; round++) {
    await git(clone, "fetch", "-q", address, "+refs/heads/*:refs/seen/*");
    const line = `line${random.below(2)}`;
    const seen = (name: string) => git(clone, "rev-parse", "-q", "--verify", `refs/seen/${name}`).catch(() => "");
    const parent = await seen(line);
    const oid = await git(clone, "commit-tree", `${parent}^{tree}`, "-p", parent, "-m", `${number}.${round}`);
    const refs = [`refs/heads/${line}`, `refs/heads/own${number}`];
    const way = random.below(3);
    if (way === 2) {
      const forced = (await seen("forced")) || "";
      const words = [`--force-with-lease=refs/heads/forced:${forced}`, address, `${oid}:refs/heads/forced`];
      note(await tryGit(clone, "push", "--porcelain", ...words), oid);
    } else {
      const atomic = way === 1 ? ["--atomic"] : [];
      note(await tryGit(clone, "push", "--porcelain", ...atomic, address, ...refs.map((ref) => `${oid}:${ref}`)), oid);
    }
  }

  /** Porcelain lines: a flag, the refs, what became of it. */
  function note(push: { out: string; said: string }, oid: string): void {
    const lines = push.out.split("\n").filter((line) => line.includes("\t"));
    if (lines.length === 0) refused.push(push.said);
    for (const text of lines) {
      const [flag = "", refs = "", summary = ""] = text.split("\t");
      if (flag.startsWith("!")) refused.push(summary);
      else accepted.push({ ref: refs.split(":")[1] ?? "", oid });
    }
  }
}

async function editOften(
  at: { url: string; token: string },
  number: number,
  accepted: Accepted[],
  refused: string[],
): Promise<void> {
  for (let round = 0; round < ROUNDS * 3; round++) {
    const branch = `line${round % 2}`;
    const made = await call(at, "POST", `/repos/root1/one/contents/editor${number}/${round}.txt`, {
      content: Buffer.from(`${number} ${round}`).toString("base64"),
      message: `edit ${number} ${round}`,
      branch,
    });
    const oid = field(made.body, "commit", "sha");
    if (made.acknowledged && typeof oid === "string") accepted.push({ ref: `refs/heads/${branch}`, oid });
    else refused.push(`${made.status} ${JSON.stringify(made.body)}`);
  }
}
