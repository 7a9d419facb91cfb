import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { TreeAttributes } from "../../../src/git/attributes/tree.ts";
import { RepositoryFolder } from "../../../src/git/folder.ts";
import { Glob, MatchBudget, PatternsTooCostly } from "../../../src/git/patterns/glob.ts";
import { newSeed, random } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

const PATTERNS = [
  "*",
  "*.c",
  "*.txt",
  "a",
  "/a",
  "a/",
  "a/b",
  "/a/b",
  "a/*",
  "a/**",
  "**/b",
  "**/b/**",
  "a/**/c",
  "**",
  "*/b",
  "?",
  "[ab]",
  "[!a]",
  "[^a-b]*",
  "[[:alpha:]]",
  "a*c",
  "*b*",
  "\\a",
  "\\*",
  "[]a]",
  "[a-",
  "a**",
  "a**/c",
  "**c",
  "/**/b",
  "/*",
  "b.c",
  "*.[ch]",
  '"a b"',
  '"\\141"',
  '"é*"',
  "é*",
  "\\!x",
  "!a",
  "#a",
  "a\\",
  "[[:nope:]]",
  "x/../a",
  "a//b",
  "[a\\]]",
  "***/c",
  "a/***",
  "[--a]",
  "./a",
];
const WORDS = [
  "text",
  "-text",
  "!text",
  "text=auto",
  "eol=lf",
  "binary",
  "-binary",
  "!binary",
  "diff=cpp",
  "mine",
  "-mine",
  "mine=2",
  "export-ignore",
  "-export-ignore",
  "mac",
  "a.b_c-d",
  "other",
  "-other",
  "x=",
];
const BAD = ["--x", "te xt", "a~b", "=", "-"];
const NAMES = ["a", "b", "c", "b.c", "x.txt", "a b", "é.c", "!x", "#a", "ab", "abc"];
const ATTRIBUTES = ["text", "eol", "binary", "diff", "merge", "mine", "export-ignore", "mac", "a.b_c-d", "other", "x"];

/** Attributes and paths at random; the files of a work tree are not there, so that git reads the index. */
test("attributes of random files are git's", () => {
  const seed = newSeed();
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  for (let round = 0; round < 15; round++) {
    using dir = tempDir();
    git(["init", "-q", dir.path]);
    const line = () => {
      const words = Array.from({ length: 1 + Math.floor(next() * 3) }, () => (next() < 0.03 ? pick(BAD) : pick(WORDS)));
      const kind = next();
      if (kind < 0.1) return `[attr]${pick(["mac", "other", "binary", "mine"])} ${words.join(" ")}`;
      if (kind < 0.13) return `[attr] mac`;
      return `${pick(["", "", "", " ", "\t"])}${pick(PATTERNS)}${pick([" ", "\t"])}${words.join(pick([" ", "  "]))}${pick(["", " ", "\r"])}`;
    };
    const text = () =>
      pick(["", "", "\ufeff"]) + Array.from({ length: 1 + Math.floor(next() * 6) }, line).join("\n") + pick(["", "\n"]);
    const files = new Map<string, string>();
    for (const folder of ["", "a/", "a/b/", "b/"]) if (next() < 0.6) files.set(`${folder}.gitattributes`, text());
    files.set("a/b/c/x", "");
    files.set("b/y", "");
    for (const [path, content] of files) {
      const oid = gitText(["-C", dir.path, "hash-object", "-w", "--stdin"], { input: content });
      git(["-C", dir.path, "update-index", "--add", "--cacheinfo", `${next() < 0.1 ? 120000 : 100644},${oid},${path}`]);
    }
    let info: string | undefined;
    if (next() < 0.4) {
      info = text();
      const path = join(dir.path, ".git/info/attributes");
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, info);
    }
    const tree = gitText(["-C", dir.path, "write-tree"]);
    const paths = Array.from(
      { length: 30 },
      () => Array.from({ length: 1 + Math.floor(next() * 3) }, () => pick(NAMES)).join("/") + (next() < 0.2 ? "/" : ""),
    );
    const { stdout } = git(["-C", dir.path, "check-attr", "-z", "--cached", "--stdin", ...ATTRIBUTES], {
      input: paths.map((path) => `${path}\0`).join(""),
    });
    const expected = stdout.toString().split("\0");
    const repository = RepositoryFolder.open(dir.path);
    const attributes = new TreeAttributes(
      repository.store,
      tree,
      info === undefined ? {} : { info: Buffer.from(info) },
    );
    const some = new TreeAttributes(repository.store, tree, {
      only: ["mine", "text"],
      ...(info === undefined ? {} : { info: Buffer.from(info) }),
    });
    let at = 0;
    for (const path of paths) {
      const isTreeMode = path.endsWith("/");
      const found = attributes.of(isTreeMode ? path.slice(0, -1) : path, isTreeMode);
      for (const name of ATTRIBUTES) {
        const value = found.get(name);
        const shown = value === undefined ? "unspecified" : value === true ? "set" : value === false ? "unset" : value;
        expect({ files, info, path, name, shown }).toEqual({ files, info, path, name, shown: expected[at + 2]! });
        at += 3;
      }
      const few = some.of(isTreeMode ? path.slice(0, -1) : path, isTreeMode);
      expect([few.get("mine"), few.get("text")]).toEqual([found.get("mine"), found.get("text")]);
    }
    repository.close();
  }
});

test("patterns that would take for ever are given up", () => {
  const glob = new Glob(`${"**/a*a".repeat(300)}b`);
  const path = "aaaa/".repeat(800);
  expect(() => {
    const budget = new MatchBudget(2_000_000);
    for (;;) expect(glob.matches(path, budget)).toBe(false);
  }).toThrow(PatternsTooCostly);
});

test("macros may be nested as deep as a file is long, and may name themselves", () => {
  using dir = tempDir();
  git(["init", "-q", "--bare", dir.path]);
  const chain = Array.from({ length: 20_000 }, (_, i) => `[attr]m${i} m${i + 1}\n`).join("");
  const text = `${chain}[attr]m20000 m0 export-ignore\n* m0\n`;
  const blob = gitText(["-C", dir.path, "hash-object", "-w", "--stdin"], { input: text });
  const tree = gitText(["-C", dir.path, "mktree"], { input: `100644 blob ${blob}\t.gitattributes\n` });
  const repository = RepositoryFolder.open(dir.path);
  expect(new TreeAttributes(repository.store, tree, { only: ["export-ignore"] }).of("x").exportIgnore).toBe(true);
  expect(new TreeAttributes(repository.store, tree).of("x").get("m777")).toBe(true);
  repository.close();
});
