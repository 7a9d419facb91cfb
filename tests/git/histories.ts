import { existsSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { builtExecutable, startHearth } from "./hosts/hearth.ts";
import type { GitHost } from "./hosts/host.ts";
import { startHttpBackend } from "./hosts/http-backend.ts";
import { advertisedRefs, fsckFindings, gitLines, reachable, refsOf, runGit } from "./hosts/real-git.ts";
import { tempDir } from "./objects/real-git.ts";

/**
 * Whole histories through Hearth and back, by hand: `bun tests/git/histories.ts [--host git] REPOSITORY.git…`.
 * Each bare repository is pushed with --mirror, the stored one is examined by real git, and it is cloned in every way;
 * refs and object sets are those of the source. Prints a table; exit status 1 when anything differed.
 */

interface Way {
  readonly name: string;
  readonly before: readonly string[];
  readonly options: readonly string[];
  /** The clone has everything, so it must equal the source. */
  readonly whole: boolean;
}

const way = (name: string, options: readonly string[], version = 2): Way => ({
  name,
  before: ["-c", `protocol.version=${version}`],
  options,
  whole: options.includes("--mirror"),
});

/** How each history is cloned; `since` cuts about a tenth of the history off its end. */
function ways(since: number): Way[] {
  return [
    way("clone v2", ["--mirror"]),
    way("clone v1", ["--mirror"], 1),
    way("clone v0", ["--mirror"], 0),
    way("--depth 50", ["--bare", "--depth", "50", "--no-single-branch"]),
    way("--depth 50 v0", ["--bare", "--depth", "50", "--no-single-branch"], 0),
    way("--shallow-since", ["--bare", `--shallow-since=${since}`]),
    way("blob:none", ["--bare", "--filter=blob:none"]),
    way("tree:0", ["--bare", "--filter=tree:0"]),
    way("blob:limit=1k", ["--bare", "--filter=blob:limit=1k"]),
    way("blob:none --depth 1, checked out", ["--filter=blob:none", "--depth", "1"]),
  ];
}

interface Line {
  readonly what: string;
  readonly seconds: number;
  readonly verdict: string;
}

async function timed(what: string, work: () => Promise<readonly string[]>): Promise<Line> {
  const began = performance.now();
  let seconds = 0;
  const done = () => {
    seconds = (performance.now() - began) / 1000;
  };
  try {
    const problems = await work();
    done();
    return { what, seconds, verdict: problems.length === 0 ? "ok" : problems.slice(0, 3).join("; ") };
  } catch (error) {
    done();
    return { what, seconds, verdict: error instanceof Error ? error.message.slice(0, 400) : String(error) };
  }
}

/** Refs a server keeps for itself are not pushed: a source that was mirrored from a forge may have them. */
const isForeign = (line: string) => / refs\/(pull|for|keep-around|merge-requests)\//.test(line);

async function throughAndBack(source: string, host: GitHost): Promise<Line[]> {
  using folder = tempDir();
  const name = basename(source).replace(/\.git$/, "");
  const hosted = host.repo(name);
  const expectedRefs = (await refsOf(source)).filter((line) => !isForeign(line));
  const skipped = (await refsOf(source)).filter(isForeign).map((line) => `^${line.split(" ")[1]}`);
  const lines: Line[] = [];
  const report = (line: Line) => {
    lines.push(line);
    console.log(`${name.padEnd(12)} ${line.what.padEnd(36)} ${line.seconds.toFixed(2).padStart(8)} s  ${line.verdict}`);
  };
  const pushed = skipped.length === 0 ? ["--mirror", hosted.url] : [hosted.url, "+refs/*:refs/*", ...skipped];
  report(
    await timed("push --mirror", async () => {
      await runGit(["-C", source, "push", "-q", ...pushed]);
      return [];
    }),
  );
  const expected = await reachable(source);
  report(await timed("stored: same refs and objects", () => compare(hosted.storedDir(), expectedRefs, expected)));
  report(await timed("stored: git fsck --strict", () => fsckFindings(hosted.storedDir())));
  report(await timed("ls-remote", async () => same(await advertisedRefs(hosted.url), expectedRefs, "refs")));
  for (const one of ways(await sinceOf(source))) {
    const dir = join(folder.path, "clone");
    report(
      await timed(one.name, async () => {
        await runGit([...one.before, "clone", "-q", ...one.options, hosted.url, dir]);
        return [];
      }),
    );
    if (existsSync(dir)) report(await timed(`   fsck`, () => examine(dir, one, expectedRefs, expected, source)));
    rmSync(dir, { recursive: true, force: true });
  }
  return lines;
}

async function examine(
  dir: string,
  one: Way,
  refs: readonly string[],
  objects: { count: number },
  source: string,
): Promise<readonly string[]> {
  const problems = await fsckFindings(dir);
  if (one.whole) problems.push(...(await compare(dir, refs, objects)));
  else problems.push(...(await strangers(dir, source)));
  return problems;
}

/** Objects that a partial or shallow clone has and the source has not. */
async function strangers(dir: string, source: string): Promise<string[]> {
  const held = await gitLines(["-C", dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"]);
  const answers = await gitLines(["-C", source, "cat-file", "--batch-check"], { input: `${held.join("\n")}\n` });
  return answers.filter((line) => line.endsWith(" missing")).map((line) => `${line.slice(0, 40)} is not of the source`);
}

async function compare(dir: string, refs: readonly string[], objects: { count: number }): Promise<string[]> {
  const problems = same(await refsOf(dir), refs, "refs");
  const held = await reachable(dir);
  if (!Bun.deepEquals(held, objects)) problems.push(`${held.count} objects instead of ${objects.count}, or others`);
  return problems;
}

function same(found: readonly string[], expected: readonly string[], what: string): string[] {
  if (Bun.deepEquals(found, expected)) return [];
  const odd = [
    ...found.filter((line) => !expected.includes(line)),
    ...expected.filter((line) => !found.includes(line)),
  ];
  return [`${what} differ: ${odd.slice(0, 3).join(", ")}`];
}

async function sinceOf(source: string): Promise<number> {
  const times = (await gitLines(["-C", source, "log", "--first-parent", "--format=%ct", "HEAD"])).map(Number);
  return times[Math.floor(times.length / 10)] ?? 0;
}

export async function main(words: readonly string[]): Promise<number> {
  const real = words[0] === "--host" && words[1] === "git";
  const sources = (real ? words.slice(2) : words).map((path) => resolve(path));
  if (sources.length === 0) {
    console.error("usage: bun tests/git/histories.ts [--host git] REPOSITORY.git…");
    return 2;
  }
  await using host: GitHost = real ? await startHttpBackend() : await startHearth({ command: builtExecutable() });
  let wrong = 0;
  for (const source of sources) {
    const lines = await throughAndBack(source, host);
    wrong += lines.filter(({ verdict }) => verdict !== "ok").length;
  }
  console.log(wrong === 0 ? "all the same" : `${wrong} differ`);
  return wrong === 0 ? 0 : 1;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
