import { expect, test } from "bun:test";
import { join } from "node:path";
import { WorkerPool } from "../../../src/workers/pool.ts";
import { newSeed } from "../../random.ts";
import { randomFiles } from "../blame/random-files.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

/** `<commits>\t<name> <address>` sorted, as `git shortlog -sne` has it. */
function lines(authors: readonly { name: string; email: string; commits: number }[]): string[] {
  return authors.map(({ name, email, commits }) => `${commits}\t${name} <${email}>`).sort();
}

test("contributors are those of shortlog, their lines those of numstat, also when counted in two goes", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  randomFiles(repo, { commits: 80, seed: newSeed() });
  const mailmap = "Countess <countess@example.org> <ada@example.org>\nHopper <grace@example.org>\n";
  const env = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "mailmap.file", GIT_CONFIG_VALUE_0: join(dir.path, "map") };
  await Bun.write(join(dir.path, "map"), mailmap);
  const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000 });
  try {
    const tips = [gitText(["-C", repo, "rev-parse", "main"])];
    const count = (input: object) => pool.run("git.contributors", { repoDir: repo, tips, mailmap, ...input });
    const shortlog = (words: string[]) =>
      gitText(["-C", repo, "shortlog", "-sne", ...words, "main"], { env })
        .split("\n")
        .map((line) => line.trim())
        .sort();
    const found = await count({});
    expect(lines(found.authors)).toEqual(shortlog(["--no-merges"]));
    expect(lines((await count({ merges: true, lines: false })).authors)).toEqual(shortlog([]));

    const log = git(["-C", repo, "log", "--no-merges", "--numstat", "--format=@%aE%x09%at", "--use-mailmap", "main"], {
      env,
    });
    const sums = new Map<string, [number, number]>();
    const weeks = new Map<number, number>();
    let author = "";
    for (const line of log.stdout.toString().split("\n")) {
      if (line.startsWith("@")) {
        const [email = "", time = "0"] = line.slice(1).split("\t");
        author = email;
        const date = new Date(Number(time) * 1000);
        const week = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - date.getUTCDay()) / 1000;
        weeks.set(week, (weeks.get(week) ?? 0) + 1);
      }
      const [added = "", deleted = "", name] = line.split("\t");
      if (name === undefined) continue;
      const sum = sums.get(author) ?? [0, 0];
      sums.set(author, [sum[0] + Number(added), sum[1] + Number(deleted)]);
    }
    for (const { email, additions, deletions } of found.authors)
      expect([additions, deletions]).toEqual(sums.get(email) ?? [0, 0]);
    const ours = new Map<number, number>();
    for (const { weeks } of found.authors)
      for (const [start, commits] of weeks) ours.set(start, (ours.get(start) ?? 0) + commits);
    expect([...ours].sort()).toEqual([...weeks].sort());

    const before = await count({ tips: [gitText(["-C", repo, "rev-parse", "main~3"])] });
    expect(await count({ previous: before })).toEqual(found);
    expect(await count({ tips: before.tips, previous: found })).toEqual(before);
  } finally {
    pool.close();
  }
});
