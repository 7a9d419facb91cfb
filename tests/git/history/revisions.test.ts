import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import type { Ref } from "../../../src/git/refs/types.ts";
import { type RefLookup, resolveCommit, resolveRevision } from "../../../src/git/revisions.ts";
import { entryAt, listTree } from "../../../src/git/trees.ts";
import { newSeed } from "../../random.ts";
import { randomHistory } from "../graph/random-history.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

function aRepo() {
  const dir = tempDir();
  const repo = join(dir.path, "r.git");
  randomHistory(repo, { commits: 250, seed: newSeed(), branches: 3 });
  git(["-C", repo, "tag", "-a", "-m", "t", "v1", "main~3"]);
  git(["-C", repo, "tag", "-a", "-m", "t", "v1-again", "v1"]);
  git(["-C", repo, "tag", "-a", "-m", "t", "of-tree", "main^{tree}"]);
  git(["-C", repo, "update-ref", "refs/heads/deep/er/x", "main~1"]);
  git(["-C", repo, "update-ref", "refs/heads/both", "main~1"]);
  git(["-C", repo, "update-ref", "refs/tags/both", "main~2"]);
  git(["-C", repo, "update-ref", "refs/heads/abcd", "main~2"]);
  const all = gitText(["-C", repo, "for-each-ref", "--format=%(refname) %(objectname)"]).split("\n");
  const byName = new Map(
    all.map((line): [string, Ref] => {
      const [name, oid] = line.split(" ") as [string, string];
      return [name, { name, oid }];
    }),
  );
  const refs: RefLookup = { resolve: (name) => byName.get(name), head: () => "refs/heads/main" };
  const store = ObjectStore.open(repo);
  return {
    repo,
    refs,
    store,
    [Symbol.dispose]() {
      store.close();
      dir[Symbol.dispose]();
    },
  };
}

describe("a revision", () => {
  test("names what git rev-parse says", () => {
    using world = aRepo();
    const { repo, refs, store } = world;
    const some = gitText(["-C", repo, "rev-parse", "main~4"]);
    const merge = gitText(["-C", repo, "rev-list", "--merges", "-1", "--all"]);
    const texts = [
      "main",
      "HEAD",
      "@",
      "refs/heads/main",
      "heads/main",
      "v1",
      "tags/v1",
      "v1-again",
      "deep/er/x",
      "both",
      "abcd",
      "heads/both",
      "main^",
      "main~",
      "main~0",
      "main^0",
      "main~5",
      "main^^~2",
      "v1^{}",
      "v1-again^{}",
      "v1^{commit}",
      "v1-again^{tree}",
      "main^{tree}",
      "v1^{tag}",
      "v1^{object}",
      "v1~2",
      "of-tree^{}",
      "of-tree^{tree}",
      "@~3",
      some,
      some.slice(0, 12),
      some.toUpperCase(),
      `${some.slice(0, 10)}~1`,
      `${merge}^2`,
      `${merge}^1^{tree}`,
      "nothing",
      "main~9999",
      "main^9",
      "of-tree^{commit}",
      "main^{tag}",
      "heads",
      "refs/heads",
      "main^{blob}",
      "f".repeat(40),
    ];
    for (const text of texts) {
      const args = ["-C", repo, "rev-parse", "--verify", "--quiet", `${text}^{object}`];
      const expected = text === "f".repeat(40) ? "" : gitText(args, { mayFail: true });
      const ours = () => resolveRevision(store, refs, text).oid;
      if (expected === "") expect(ours).toThrow("unknown revision");
      else expect([text, ours()]).toEqual([text, expected]);
    }
    expect(resolveRevision(store, refs, "both").ref).toBe("refs/tags/both");
    expect(resolveRevision(store, refs, "both~0").ref).toBeUndefined();
    expect(resolveCommit(store, refs, "v1-again").oid).toBe(gitText(["-C", repo, "rev-parse", "v1^{commit}"]));
    expect(() => resolveCommit(store, refs, "of-tree")).toThrow("unknown revision");
  });

  test("that is a search, a range, a path or worse is refused", () => {
    using world = aRepo();
    const bad = [
      "",
      "^",
      "main^{/x}",
      ":/x",
      "main@{1}",
      "@{-1}",
      "@{u}",
      "main..b1",
      "main:a",
      "main^{",
      "main^{commit",
      "--all",
      "-1",
      "../../x",
      "heads/../heads/main",
      "main\0",
      "main\n",
      "main ",
      " main",
      "main~99999999999999999999",
      "ma*n",
      "x".repeat(5000),
      `main${"^0".repeat(600)}`,
      "main//x",
      "/main",
      "main.lock",
      "abc",
      "zzzz",
      "main^-",
      "main^@",
      "main^!",
    ];
    for (const text of bad) {
      expect(() => resolveRevision(world.store, world.refs, text)).toThrow("unknown revision");
    }
  });

  test("that several ids begin with is ambiguous, unless only one fits", () => {
    using world = aRepo();
    const { repo, refs, store } = world;
    // Enough blobs that some share their first four digits.
    const script = Array.from({ length: 3000 }, (_, i) => `blob\ndata ${String(i).length}\n${i}\n`).join("");
    git(["-C", repo, "fast-import", "--quiet"], { input: script });
    const oids = gitText(["-C", repo, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)"]);
    const byPrefix = new Map<string, string[]>();
    for (const line of oids.split("\n")) {
      const prefix = line.slice(0, 4);
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), line]);
    }
    let ambiguous = 0;
    for (const [prefix, lines] of byPrefix) {
      if (lines.length < 2 || prefix === "abcd") continue;
      ambiguous++;
      expect(() => resolveRevision(store, refs, prefix)).toThrow("ambiguous");
      // A tag that leads to a commit fits as well as the commit does.
      const found = lines.filter((line) => line.endsWith("commit") || line.endsWith("tag"));
      if (found.length === 1 && found[0]!.endsWith("commit"))
        expect(resolveCommit(store, refs, prefix).oid).toBe(found[0]!.slice(0, 40));
    }
    expect(ambiguous).toBeGreaterThan(0);
  });
});

describe("a tree", () => {
  test("is listed as git ls-tree lists it, in pages", () => {
    using world = aRepo();
    const { repo, store } = world;
    const tree = gitText(["-C", repo, "rev-parse", "main^{tree}"]);
    const lines = git(["-C", repo, "ls-tree", "-r", "-t", "-l", "-z", "main"])
      .stdout.toString()
      .split("\0")
      .filter(Boolean);
    const { entries, more } = listTree(store, tree, { limit: 1000, sizes: true });
    const shown = entries.map((entry) => {
      const type = entry.mode === 0o40000 ? "tree" : "blob";
      const size = String(entry.sizeBytes ?? "-").padStart(7);
      return `${entry.mode.toString(8).padStart(6, "0")} ${type} ${entry.oid} ${size}\t${entry.path}`;
    });
    expect(shown).toEqual(lines);
    expect(more).toBe(false);
    const pages = [0, 3, 6, 9].flatMap((skip) => listTree(store, tree, { skip, limit: 3 }).entries);
    expect(pages.map((entry) => entry.path)).toEqual(entries.slice(0, 12).map((entry) => entry.path));
    for (const entry of entries) {
      expect(entryAt(store, tree, entry.path)).toEqual({ mode: entry.mode, oid: entry.oid });
    }
    expect(entryAt(store, tree, "")).toEqual({ mode: 0o40000, oid: tree });
    for (const path of ["nothing", "/", "src//a", "../x", ".", "a/", "a/b"])
      expect(entryAt(store, tree, path)).toBeUndefined();
  });
});
