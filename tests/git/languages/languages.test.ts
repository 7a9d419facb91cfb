import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { languageShares } from "../../../src/git/languages/shares.ts";
import { languageStatistics } from "../../../src/git/languages/statistics.ts";
import { languageNamed, languageOfFile, languageOfScript } from "../../../src/git/languages/table.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { Glob, MatchBudget } from "../../../src/git/patterns/glob.ts";
import { newSeed, random } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

/** Makes commits of whole trees: path to content. A path that begins with `!` is executable. */
function aRepo(dir: string, trees: Record<string, string>[]): { store: ObjectStore; trees: string[] } {
  const repo = join(dir, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const script = trees.map((files, i) => {
    const lines = Object.entries(files).map(([path, text]) => {
      const mode = path.startsWith("!") ? "100755" : "100644";
      return `M ${mode} inline ${path.replace("!", "")}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
    });
    return `commit refs/heads/main\ncommitter C <c@x> ${i} +0000\ndata 0\ndeleteall\n${lines.join("")}\n`;
  });
  git(["-C", repo, "fast-import", "--quiet"], { input: script.join("") });
  const oids = gitText(["-C", repo, "log", "--reverse", "--format=%T", "main"]).split("\n");
  return { store: ObjectStore.open(repo), trees: oids };
}

describe("languages of a tree", () => {
  test("count what people wrote, the largest first", () => {
    using dir = tempDir();
    const { store, trees } = aRepo(dir.path, [
      {
        "src/a.ts": "x".repeat(700),
        "b.rs": "x".repeat(300),
        "!run": "#!/usr/bin/env python3\nprint()\n",
        "README.md": "x".repeat(5000),
        "data.json": "x".repeat(5000),
        "node_modules/x/y.js": "x".repeat(5000),
        "docs/z.js": "x".repeat(5000),
        "out.min.js": "x".repeat(5000),
      },
    ]);
    const statistics = languageStatistics(store, trees[0]!);
    expect(statistics.bytes).toEqual({ TypeScript: 700, Rust: 300, Python: 31 });
    expect(languageShares(statistics.bytes)[0]).toEqual({
      name: "TypeScript",
      colour: "#3178c6",
      bytes: 700,
      percent: 67.9,
    });
    store.close();
  });

  test("follow .gitattributes", () => {
    using dir = tempDir();
    const attributes = [
      "*.inc linguist-language=C++",
      "vendor/ours/** -linguist-vendored",
      "gen/** linguist-generated=true",
      "*.sql linguist-detectable",
      "docs/site/* linguist-documentation=false",
    ].join("\n");
    const { store, trees } = aRepo(dir.path, [
      {
        ".gitattributes": attributes,
        "a.inc": "1",
        "vendor/ours/x/b.go": "12",
        "vendor/theirs/b.go": "123",
        "gen/c.go": "1234",
        "d.sql": "12345",
        "docs/site/e.js": "123456",
        "docs/e.js": "1234567",
      },
    ]);
    expect(languageStatistics(store, trees[0]!).bytes).toEqual({ "C++": 1, Go: 2, SQL: 5, JavaScript: 6 });
    store.close();
  });

  test("of style sheets count as CSS, and dot files and settings as nothing", () => {
    using dir = tempDir();
    const { store, trees } = aRepo(dir.path, [
      {
        ".gitattributes": "*.tmpl gitlab-language=ruby?parent=html\n.own.js linguist-language=JavaScript\n",
        "a.css": "1",
        "a.scss": "12",
        "a.less": "123",
        "b.tmpl": "1234",
        ".eslintrc.js": "12345",
        ".own.js": "123456",
        "config.yaml": "1234567",
        "notes.md": "12345678",
      },
    ]);
    expect(languageStatistics(store, trees[0]!).bytes).toEqual({ CSS: 6, JavaScript: 6, Ruby: 4 });
    store.close();
  });

  test("are those of data and prose where there is no code", () => {
    using dir = tempDir();
    const { store, trees } = aRepo(dir.path, [
      { "README.md": "x", licence: "x", "config.toml": "x", "notes/a.md": "12", "b.csv": "123" },
      { "README.md": "x", "notes/a.md": "12", "c.go": "1" },
      { "README.md": "x", "config.toml": "x" },
    ]);
    const [prose, code, nothing] = trees.map((tree) => languageStatistics(store, tree));
    expect(prose?.bytes).toEqual({ CSV: 3, Markdown: 2 });
    expect(code?.bytes).toEqual({ Go: 1 });
    expect(nothing?.bytes).toEqual({});
    expect(languageStatistics(store, trees[0]!, code)).toEqual(prose!);
    store.close();
  });

  test("are the same counted anew or from another tree", () => {
    using dir = tempDir();
    const next = random(newSeed());
    const pick = (n: number) => Math.floor(next() * n);
    const endings = ["ts", "rs", "md", "py", "c", "unknown"];
    const files: Record<string, string> = {};
    const versions = Array.from({ length: 12 }, () => {
      for (let i = 0; i < 6; i++) {
        const path = `${["", "src/", "vendor/"][pick(3)]}f${pick(6)}.${endings[pick(6)]}`;
        if (next() < 0.3) delete files[path];
        else files[path] = "x".repeat(pick(500));
      }
      if (next() < 0.2) files[".gitattributes"] = `*.${endings[pick(6)]} linguist-language=Zig\n`;
      files["always.c"] = "int x;";
      return { ...files };
    });
    const { store, trees } = aRepo(dir.path, versions);
    for (const tree of trees) {
      const known = languageStatistics(store, trees[pick(trees.length)]!);
      expect(languageStatistics(store, tree, known)).toEqual(languageStatistics(store, tree));
    }
    store.close();
  });
});

test("a file's language is known by name, ending or first line", () => {
  const cases: [string, string | undefined][] = [
    ["main.go", "Go"],
    ["Makefile", "Makefile"],
    ["x.blade.php", "PHP"],
    ["X.CPP", "C++"],
    ["CMakeLists.txt", "CMake"],
    ["notes.txt", "Text"],
    [".bashrc", "Shell"],
    ["nothing", undefined],
    ["x.", undefined],
  ];
  for (const [name, language] of cases) expect([name, languageOfFile(name)?.name]).toEqual([name, language]);
  expect(languageOfScript("#!/bin/sh")?.name).toBe("Shell");
  expect(languageOfScript("#! /usr/bin/env -S python3.11 -u")?.name).toBe("Python");
  expect(languageOfScript("no script")).toBeUndefined();
  expect(languageNamed("objective-c++")?.name).toBe("Objective-C++");
  expect(languageNamed("visual-basic-.net")?.name).toBe("Visual Basic .NET");
});

test("a pattern of .gitattributes matches as git says, and no pattern takes long", () => {
  const cases: [string, string, boolean][] = [
    ["*.js", "a.js", true],
    ["*.js", "a.jsx", false],
    ["src/*.js", "src/a.js", true],
    ["src/*.js", "src/b/a.js", false],
    ["src/**", "src/b/a.js", true],
    ["src/**/a.js", "src/a.js", true],
    ["src/**/a.js", "src/x/y/a.js", true],
    ["**/a.js", "x/a.js", true],
    ["**/x/*.c", "a/x/y/x/b.c", true],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["", "a", false],
  ];
  const matches = (pattern: string, path: string) => new Glob(pattern).matches(path, new MatchBudget());
  for (const [pattern, path, expected] of cases) {
    expect([pattern, path, matches(pattern, path)]).toEqual([pattern, path, expected]);
  }
  expect(matches(`${"*a".repeat(200)}b`, "a".repeat(2000))).toBe(false);
  expect(matches(`${"**/a".repeat(200)}b`, "a/".repeat(1000))).toBe(false);
});
