import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newSeed, random } from "../../random.ts";
import { randomHistory } from "../graph/random-history.ts";
import { allObjects, git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

/** Without what git says on the way to its error: hints, and why a part of a revision leads nowhere. */
const said = (stderr: string) =>
  stderr
    .split("\n")
    .filter((line) => !/^(error|hint|warning): |^hint:$/.test(line))
    .join("\n");

async function expectSame(repo: string, words: readonly string[]): Promise<void> {
  const expected = realGit(repo, words);
  const found = await hearthGit(repo, words);
  expect({ words, ...found, stderr: said(found.stderr) }).toEqual({
    words,
    ...expected,
    stderr: said(expected.stderr),
  });
}

test("revisions name what they name in git", async () => {
  using dir = tempDir();
  const seed = newSeed();
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const repo = join(dir.path, "r.git");
  randomHistory(repo, { commits: 60, seed, branches: 4 });
  git(["-C", repo, "tag", "-a", "-m", "t", "v1", "main"]);
  git(["-C", repo, "tag", "-a", "-m", "t", "v2", "v1"]);
  git(["-C", repo, "tag", "b1", "main~1"]);
  git(["-C", repo, "update-ref", "refs/remotes/o/main", "main~2"]);
  git(["-C", repo, "update-ref", "refs/remotes/o/HEAD", "main~2"]);
  git(["-C", repo, "update-ref", "refs/other/x", "main~3"]);
  mkdirSync(join(repo, "logs/refs/heads"), { recursive: true });
  const log = ["main~3", "main~2", "main~1", "main"].map((name) => gitText(["-C", repo, "rev-parse", name]));
  writeFileSync(
    join(repo, "logs/refs/heads/main"),
    log
      .slice(1)
      .map((oid, i) => `${log[i]} ${oid} A <a@x> ${1600000000 + i * 86400} +0000\tmove ${i}\n`)
      .join(""),
  );
  const oids = allObjects(repo).map(({ oid }) => oid);
  const names = [
    "HEAD",
    "@",
    "main",
    "heads/main",
    "refs/heads/b2",
    "b1",
    "heads/b1",
    "tags/b1",
    "v1",
    "v2",
    "o/main",
    "o",
    "other/x",
    "b3",
    "nope",
    "refs/x",
    "v1-3-gABCDEF",
    ":/c3",
    ":/nothing at all",
    ":/!-c",
    ":/!x",
    ":/",
  ];
  const suffixes = [
    "",
    "",
    "",
    "^",
    "~",
    "~2",
    "^2",
    "^3",
    "^0",
    "~0",
    "^{}",
    "^{commit}",
    "^{tree}",
    "^{tag}",
    "^{blob}",
    "^{object}",
    "^{/c4}",
    "^{/}",
    "^{/!-c4}",
    "^{nope}",
    ":",
    ":a",
    ":src",
    ":src/deep/c",
    ":nothing",
    "~200",
    "^^",
    "~1^2",
  ];
  const one = () => {
    const kind = next();
    const base =
      kind < 0.25
        ? pick(oids).slice(0, pick([4, 5, 7, 12, 40]))
        : kind < 0.3
          ? `x-2-g${pick(oids).slice(0, 9)}`
          : pick(names);
    return base + pick(suffixes) + (next() < 0.2 ? pick(suffixes) : "");
  };
  const logs = ["main@{0}", "main@{1}", "main@{2}", "main@{3}", "main@{4}", "@{1}", "b2@{0}"];
  for (const name of logs)
    for (const suffix of ["", "^", "~1", "^{tree}", "^{commit}", ":a", ":src", "^{/c}"])
      await expectSame(repo, ["rev-parse", name + suffix]);
  const flags = [
    [],
    [],
    [],
    ["--verify"],
    ["--verify", "-q"],
    ["--short"],
    ["--short=12"],
    ["--abbrev-ref"],
    ["--symbolic-full-name"],
    ["--symbolic"],
    ["--not"],
  ];
  for (let i = 0; i < 220; i++) {
    const kind = next();
    const words =
      kind < 0.55
        ? [one()]
        : kind < 0.65
          ? [`${one()}..${one()}`]
          : kind < 0.75
            ? [`${one()}...${one()}`]
            : kind < 0.8
              ? [`^${one()}`]
              : kind < 0.9
                ? [one() + pick(["^@", "^!", "^-", "^-2", "^-0", "^-x"])]
                : [one(), one()];
    await expectSame(repo, ["rev-parse", ...pick(flags), ...words]);
  }
  for (const words of [
    ["--all"],
    ["--branches"],
    ["--tags"],
    ["--remotes"],
    ["--branches=b*"],
    ["--tags=v"],
    ["--glob=heads"],
    ["--exclude=refs/heads/*", "--all"],
    ["--symbolic", "--all"],
    ["--symbolic-full-name", "--branches"],
    ["--abbrev-ref", "--all"],
    ["--git-dir"],
    ["--absolute-git-dir"],
    ["--is-bare-repository"],
    ["--show-object-format"],
    ["--is-shallow-repository"],
    ["--verify"],
    ["--verify", "main", "v1"],
    ["main", "--", "x"],
    ["nope", "--"],
    ["-q"],
    ["--short", "nope"],
  ])
    await expectSame(repo, ["rev-parse", ...words]);
});
