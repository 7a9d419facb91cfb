import { createHash } from "node:crypto";
import { newSeed, random } from "../../random.ts";
import { git, gitText } from "../objects/real-git.ts";
import { hearthGit } from "../terminal/answers.ts";

/**
 * What is read and printed of whole histories, compared with real git by hand:
 * `bun tests/git/archive/histories.ts [--few] REPOSITORY.git…`. Prints one line a question, exit status 1 when anything differed.
 */

const ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };
const isFew = process.argv.includes("--few");
const ARCHIVES = isFew ? 8 : 40;
const QUESTIONS = 60;

let differences = 0;

const digest = (text: string) => createHash("sha1").update(text, "latin1").digest("hex");

async function compare(what: string, repo: string, lines: readonly (readonly string[])[], stdin = ""): Promise<void> {
  let same = 0;
  let ours = 0;
  let theirs = 0;
  for (const words of lines) {
    let began = performance.now();
    const expected = git(["-C", repo, ...words], { mayFail: true, env: ENVIRONMENT, input: stdin });
    theirs += performance.now() - began;
    began = performance.now();
    const found = await hearthGit(repo, words, { stdin });
    ours += performance.now() - began;
    if (found.status === expected.code && digest(found.stdout) === digest(expected.stdout.toString("latin1"))) same++;
    else console.log(`  differs: ${words.join(" ")}`);
  }
  differences += lines.length - same;
  const counts = `${same} of ${lines.length}, ${(ours / 1000).toFixed(1)} s (git ${(theirs / 1000).toFixed(1)} s)`;
  console.log(`${repo.split("/").at(-1)} ${what.padEnd(40)} ${counts}`);
}

async function examine(repo: string): Promise<void> {
  const next = random(newSeed());
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const some = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
  const commits = gitText(["-C", repo, "rev-list", "--all"]).split("\n");
  const tags = gitText(["-C", repo, "tag"]).split("\n").filter(Boolean);
  const name = () => (tags.length > 0 && next() < 0.4 ? pick(tags) : pick(commits));
  await compare(
    "archive",
    repo,
    some(ARCHIVES, () => ["archive", "--prefix=x/", name()]),
  );
  await compare(
    "archive zip -0",
    repo,
    some(ARCHIVES / 4, () => ["archive", "--format=zip", "-0", name()]),
  );
  await compare(
    "ls-tree -r -l",
    repo,
    some(QUESTIONS / 4, () => ["ls-tree", "-r", "-l", name()]),
  );
  await compare("show-ref", repo, [["show-ref", "-d"]]);
  const suffix = () => pick(["", "^", "~3", "^2", "^{tree}", "~10^2~1", ":Makefile", "^{/fix}"]);
  await compare(
    "rev-parse",
    repo,
    some(QUESTIONS, () => ["rev-parse", pick(commits).slice(0, pick([5, 7, 10])) + suffix()]),
  );
  await compare(
    "rev-parse --short",
    repo,
    some(QUESTIONS, () => ["rev-parse", "--short", name()]),
  );
  const oids = some(400, () => pick(commits)).flatMap((oid) => [oid, `${oid}^{tree}`, `${oid}:README`]);
  await compare(
    "cat-file --batch",
    repo,
    [
      ["cat-file", "--batch"],
      ["cat-file", "--batch-check"],
    ],
    `${oids.join("\n")}\n`,
  );
  const formats = [
    "medium",
    "fuller",
    "raw",
    "email",
    "reference",
    "%H %h %p %an <%aE> %cd %ar %s%n%b",
    "%aN|%aI|%cD|%f|%d|%(trailers:only,unfold)|%<(30,trunc)%s|%w(60,2,4)%B",
  ];
  const dates = [[], ["--date=iso"], ["--date=format:%F %T %z"]];
  await compare(
    "log, all of it",
    repo,
    formats.map((format) => ["log", "--no-decorate", `--format=${format}`, ...pick(dates)]),
  );
}

for (const repo of process.argv.slice(2).filter((word) => word !== "--few")) await examine(repo);
process.exit(differences === 0 ? 0 : 1);
