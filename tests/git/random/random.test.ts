import { afterAll, beforeAll, expect, test } from "bun:test";
import { newSeed, random } from "../../random.ts";
import { startHearth } from "../hosts/hearth.ts";
import type { GitHost } from "../hosts/host.ts";
import { startHttpBackend } from "../hosts/http-backend.ts";
import { advertisedRefs, fsckFindings, gitLines, reachable, refsOf, runGit } from "../hosts/real-git.ts";
import { tempDir } from "../objects/real-git.ts";
import { ClonePair, type Outcome } from "./pair.ts";
import { type Step, steps, type Turn } from "./steps.ts";

/**
 * Two clones of one repository on Hearth do random things; the same things are done to a plain bare repository that
 * real git serves. After every step both servers have the same refs and objects, and both clones are alike.
 * HEARTH_STEPS (60) and HEARTH_SEED choose how long and what; HEARTH_RANDOM_HOST=git tests the test.
 */

const stepCount = Number(process.env["HEARTH_STEPS"] ?? 60);
const FSCK_EVERY = 20;

let host: GitHost;
let oracle: GitHost;
beforeAll(async () => {
  // Git against git proves the test itself.
  host = process.env["HEARTH_RANDOM_HOST"] === "git" ? await startHttpBackend() : await startHearth();
  // By the same protocol, because git's client words some refusals differently for a repository in a folder.
  oracle = await startHttpBackend();
});
afterAll(async () => {
  await host.close();
  await oracle.close();
});

test(
  `${stepCount} random steps leave Hearth and plain git alike`,
  async () => {
    const seed = newSeed();
    const next = random(seed);
    const pick = (n: number) => Math.floor(next() * n);
    using folder = tempDir();
    const plain = oracle.repo("plain");
    const hosted = host.repo("random");
    const pairs = ["ann", "ben"].map((name) => new ClonePair(name, folder.path, [hosted.url, plain.url]));
    await seedBoth(folder.path, [hosted.url, plain.url]);
    for (const pair of pairs) await pair.clone();
    const story: string[] = [];
    for (let at = 1; at <= stepCount; at++) {
      const pair = pairs[pick(pairs.length)] ?? fail("no clone");
      const step = chooseStep(pick);
      story.push(`${at} ${pair.name}: ${step.name}`);
      try {
        await step.run(turnOf(pair, pick, 1_600_000_000 + at * 60, story));
        await compareServers(hosted.url, hosted.storedDir(), plain.storedDir());
        const [mine, other] = await pair.states();
        if (step.name === "fetch the rest of the history" && mine?.shallow.length)
          throw new KnownDifference("ends of history that no ref leads to stay ends");
        expect(mine).toEqual(other as NonNullable<typeof other>);
        if (at % FSCK_EVERY === 0 || at === stepCount) expect(await fsckFindings(hosted.storedDir())).toEqual([]);
      } catch (error) {
        if (error instanceof KnownDifference) {
          story.push(`   known difference: ${error.message}`);
          await pair.clone();
          await compareServers(hosted.url, hosted.storedDir(), plain.storedDir());
          continue;
        }
        console.error(`HEARTH_SEED=${seed} HEARTH_STEPS=${at}\n${story.slice(-25).join("\n")}`);
        throw error;
      }
    }
  },
  Math.max(180_000, stepCount * 20_000),
);

/** Hearth differs on purpose; the clones begin again. */
class KnownDifference extends Error {}

function fail(message: string): never {
  throw new Error(message);
}

function chooseStep(pick: (n: number) => number): Step {
  let left = pick(steps.reduce((sum, step) => sum + step.weight, 0));
  for (const step of steps) {
    left -= step.weight;
    if (left < 0) return step;
  }
  return fail("no step");
}

function turnOf(pair: ClonePair, pick: (n: number) => number, time: number, story: string[]): Turn {
  const git = async (...args: string[]): Promise<Outcome[]> => {
    const outcomes = await pair.run(args, time);
    story.push(`   ${outcomes[0]?.command} -> ${outcomes.map(({ code }) => code).join(" ")}`);
    if (new Set(outcomes.map(({ code }) => code)).size > 1)
      story.push(...outcomes.map(({ said }) => `   said: ${said.trim()}`));
    if (outcomes[0]?.said.includes("not our ref")) throw new KnownDifference("what no ref leads to is not served");
    return outcomes;
  };
  const agree = (outcomes: Outcome[]) => {
    const [mine, other] = outcomes.map(({ code, refs }) => ({ code, refs }));
    expect(mine).toEqual(other as NonNullable<typeof other>);
    return outcomes;
  };
  return {
    pair,
    pick,
    git,
    same: async (...args) => {
      const outcomes = await git(...args);
      if (!outcomes[1]?.said.includes("shallow update not allowed")) return agree(outcomes);
      // Git refuses when a cut commit lies in the store and no ref leads to it; Hearth walks on and sees that it is whole.
      await git("fetch", "-q", "--unshallow", "origin");
      await git(...args);
      throw new KnownDifference("a cut commit that no ref leads to may be pushed again when it is whole");
    },
    sameClone: async (...options) => {
      const outcomes = await pair.clone(...options);
      story.push(`   git clone ${options.join(" ")} -> ${outcomes.map(({ code }) => code).join(" ")}`);
      agree(outcomes);
      // Git refuses some clones of its own (partial ones, with a tag of a tree); the story goes on with a whole one.
      if (outcomes.some(({ code }) => code !== 0)) await pair.clone();
    },
    lines: (...args) => gitLines(["-C", pair.dirs[0], ...args]),
  };
}

async function seedBoth(folder: string, urls: readonly string[]): Promise<void> {
  const dir = `${folder}/seed`;
  await runGit(["init", "-q", "-b", "main", dir]);
  const env = { GIT_AUTHOR_DATE: "1599999000 +0000", GIT_COMMITTER_DATE: "1599999000 +0000" };
  await runGit(["-C", dir, "commit", "-q", "--allow-empty", "-m", "the first"], { env });
  await Bun.write(`${dir}/README`, "a start\n");
  await runGit(["-C", dir, "add", "-A"]);
  await runGit(["-C", dir, "commit", "-q", "-m", "the second"], { env });
  for (const url of urls) await runGit(["-C", dir, "push", "-q", url, "main"]);
}

async function compareServers(url: string, stored: string, plain: string): Promise<void> {
  const expected = await refsOf(plain);
  const [advertised, projected, mine, other] = await Promise.all([
    advertisedRefs(url),
    refsOf(stored),
    reachable(stored),
    reachable(plain),
  ]);
  expect(advertised).toEqual(expected);
  expect(projected).toEqual(expected);
  expect(mine).toEqual(other);
}
