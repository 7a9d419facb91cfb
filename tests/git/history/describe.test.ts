import { expect, test } from "bun:test";
import { join } from "node:path";
import { RepositoryFolder } from "../../../src/git/folder.ts";
import { Describer } from "../../../src/git/history/describe.ts";
import { Abbreviator } from "../../../src/git/pretty/abbreviate.ts";
import { newSeed, random } from "../../random.ts";
import { randomHistory } from "../graph/random-history.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

test("commits are described as git describes them", () => {
  const seed = newSeed();
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  for (let round = 0; round < 3; round++) {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    randomHistory(repo, { commits: 80, seed: seed + round, branches: 4 });
    const commits = gitText(["-C", repo, "rev-list", "--all"]).split("\n");
    for (let i = 0; i < pick([0, 3, 25]); i++) {
      const date = `${1500000000 + Math.floor(next() * 1e8)} +0000`;
      const words = next() < 0.5 ? ["-a", "-m", "x"] : [];
      git(["-C", repo, "tag", ...words, `v${i}`, pick(commits)], { env: { GIT_COMMITTER_DATE: date } });
    }
    const repository = RepositoryFolder.open(repo);
    const short = new Abbreviator(repository.store);
    for (let i = 0; i < 60; i++) {
      const commit = pick(commits);
      const options = {
        tags: next() < 0.5,
        match: next() < 0.2 ? ["v1*"] : [],
        exclude: next() < 0.2 ? ["v*2"] : [],
        ...(next() < 0.2 ? { abbrev: 0 } : {}),
      };
      const words = [...(options.tags ? ["--tags"] : []), ...(options.abbrev === 0 ? ["--abbrev=0"] : [])];
      for (const pattern of options.match) words.push(`--match=${pattern}`);
      for (const pattern of options.exclude) words.push(`--exclude=${pattern}`);
      const expected = git(["-C", repo, "describe", ...words, commit], { mayFail: true });
      const describer = new Describer(repository.commits, repository.refs.list("refs/tags/"), options, (oid) =>
        short.abbreviate(oid),
      );
      expect([words, commit, describer.describe(commit)]).toEqual([
        words,
        commit,
        expected.code === 0 ? expected.stdout.toString().trim() : undefined,
      ]);
    }
    repository.close();
  }
});
