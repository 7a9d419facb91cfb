import { resolve } from "node:path";
import { newSeed, random } from "../../random.ts";
import { gitLines } from "../hosts/real-git.ts";
import { hearthGit, realGit } from "../terminal/answers.ts";

/**
 * Blames random files of random commits of a history and compares with git, byte for byte, by hand:
 * `bun tests/git/blame/histories.ts REPOSITORY N [seed]`. Exit status 1 when anything differed.
 */

/** Ways to ask; one of each is added at random. */
const FORMS = [
  ["--porcelain"],
  ["--line-porcelain"],
  ["--incremental"],
  [],
  ["-l", "-n", "-f"],
  ["-s"],
  ["-e", "-t"],
  ["-b"],
  ["-c"],
];
const COMPARISONS = [[], [], [], ["-w"], ["--first-parent"], ["--root"], ["--minimal"], ["-M"], ["-C"], ["-M", "-w"]];

export async function main(words: readonly string[]): Promise<number> {
  const [folder, count = "100", seed] = words;
  if (folder === undefined) {
    console.error("usage: bun tests/git/blame/histories.ts REPOSITORY N [seed] [option…]");
    return 2;
  }
  const repo = resolve(folder);
  const next = random(seed === undefined ? newSeed() : Number(seed));
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const commits = await gitLines(["-C", repo, "rev-list", "--all"]);
  const own = words.slice(3);
  let same = 0;
  let oursMs = 0;
  let gitMs = 0;
  for (let i = 0; i < Number(count); i++) {
    const commit = pick(commits);
    const files = await gitLines(["-C", repo, "-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", commit]);
    const file = pick(files.filter((name) => !name.startsWith('"')));
    if (file === undefined) continue;
    const lines = next() < 0.2 ? ["-L", `${1 + Math.floor(next() * 20)},+${1 + Math.floor(next() * 30)}`] : [];
    const range = next() < 0.1 ? `${pick(commits)}..${commit}` : commit;
    const options = own.length > 0 ? own : pick(COMPARISONS);
    const ignored = next() < 0.2 ? await recentChange(repo, commit, file, next) : [];
    // In what order copied lines are found depends on what git has freed by then.
    const form = pick(options.includes("-C") ? FORMS.filter(([word]) => word !== "--incremental") : FORMS);
    const command = ["blame", ...form, ...options, ...ignored, ...lines, range, "--", file];
    const began = performance.now();
    const theirs = realGit(repo, command);
    const middle = performance.now();
    const ours = await hearthGit(repo, command);
    gitMs += middle - began;
    oursMs += performance.now() - middle;
    if (ours.stdout === theirs.stdout && ours.stderr === theirs.stderr && ours.status === theirs.status) same++;
    else
      console.log(
        `differs: git ${command.join(" ")}\n  ${firstDifference(ours.stdout, theirs.stdout)} ${ours.stderr.slice(0, 300)}`,
      );
  }
  console.log(`${same} of ${count} the same; git ${(gitMs / 1000).toFixed(1)} s, we ${(oursMs / 1000).toFixed(1)} s`);
  return same === Number(count) ? 0 : 1;
}

/** One of the last commits that changed the file, to be ignored. */
async function recentChange(repo: string, commit: string, file: string, next: () => number): Promise<string[]> {
  const changes = await gitLines(["-C", repo, "rev-list", "-30", commit, "--", file]);
  return ["--ignore-rev", changes[Math.floor(next() * changes.length)] ?? commit];
}

/** Which line differs first; its content stays out of the report. */
function firstDifference(ours: string, theirs: string): string {
  const a = ours.split("\n");
  const b = theirs.split("\n");
  const at = a.findIndex((line, i) => line !== b[i]);
  return `line ${at + 1}: ${a[at]?.slice(0, 60)} instead of ${b[at]?.slice(0, 60)}`;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
