import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfigFiles } from "../../../src/git/config/files.ts";
import { newSeed, random } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

setDefaultTimeout(600_000);

test("files that are included, under conditions or not, give git's settings", () => {
  using dir = tempDir();
  const seed = newSeed();
  const next = random(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const home = join(dir.path, "Home");
  const repo = join(home, "work", "Some.Repo");
  mkdirSync(join(home, "more"), { recursive: true });
  git(["init", "-q", "--bare", "-b", "topic/one", repo]);
  symlinkSync(repo, join(dir.path, "link"));
  const own = gitText(["-C", repo, "config", "--list"]);
  expect(own).toContain("core.bare=true");
  const conditions = [
    `gitdir:${repo}`,
    `gitdir:${dir.path}/`,
    `gitdir:${repo}/`,
    "gitdir:~/work/",
    "gitdir:Some.Repo",
    "gitdir:some.repo",
    "gitdir/i:some.repo",
    "gitdir/i:WORK/",
    "gitdir:./work/",
    "gitdir:work/*",
    "gitdir:S*o",
    "gitdir:/*",
    "gitdir:/**",
    "onbranch:topic/one",
    "onbranch:topic/",
    "onbranch:top*",
    "onbranch:**/one",
    "onbranch:main",
    "hasconfig:remote.*.url:https://x.org/**",
    "hasconfig:remote.*.url:https://y.org/*",
    "hasconfig:remote.*.url:git@*",
    "odd:x",
    "gitdir",
  ];
  const paths = ["more/a", "~/more/b", "a", "../a", "nowhere", `${home}/b`, "b"];
  for (let round = 0; round < 40; round++) {
    let count = 0;
    const text = () => {
      const lines = Array.from({ length: 1 + Math.floor(next() * 4) }, () => {
        const kind = next();
        if (kind < 0.3) return `[s]\n\tk = ${round}.${count++}\n`;
        if (kind < 0.4)
          return `[remote "${count++}"]\n\turl = https://${pick(["x", "y", "z"])}.org/a${pick(["", "/b"])}\n`;
        if (kind < 0.6) return `[include]\n\tpath = ${pick(paths)}\n`;
        return `[includeIf "${pick(conditions)}"]\n\tpath = ${pick(paths)}\n`;
      });
      return lines.join("");
    };
    for (const name of ["a", "b", "more/a", "more/b"]) writeFileSync(join(home, name), text());
    writeFileSync(join(home, ".gitconfig"), text());
    const told = git(["-C", repo, "config", "--global", "--includes", "--list", "-z"], {
      env: { HOME: home },
      mayFail: true,
    });
    const ours = () =>
      readConfigFiles([join(home, ".gitconfig")], { gitDir: repo, home, head: "refs/heads/topic/one" });
    // Circles, and addresses in a file that is included for an address.
    if (told.code !== 0) continue;
    const listed = ours().entries.map(({ name, value }) => `${name}${value === undefined ? "" : `\n${value}`}\0`);
    expect({ seed, round, entries: listed.join("") }).toEqual({ seed, round, entries: told.stdout.toString() });
  }
  writeFileSync(join(home, ".gitconfig"), "[include]\n\tpath = .gitconfig\n");
  const circle = () => readConfigFiles([join(home, ".gitconfig")], { gitDir: repo, home, head: undefined });
  expect(circle).toThrow("exceeded maximum include depth (10) while including");
});
