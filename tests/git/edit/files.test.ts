import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { changeFiles, commitFiles, type FileChange } from "../../../src/git/edit/commit-files.ts";
import { EditRefused } from "../../../src/git/edit/refused.ts";
import { SHA1, SHA256 } from "../../../src/git/objects/format.ts";
import { hashObject } from "../../../src/git/objects/hash.ts";
import { ObjectStore } from "../../../src/git/objects/store.ts";
import { MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK } from "../../../src/git/objects/tree.ts";
import { initRepository, writeObjects } from "../../../src/git/objects/write.ts";
import { newSeed, random } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(60_000);

const person = { name: "A", email: "a@b.c", timestamp: 1700000000, offsetMinutes: 60 };
const bytes = (text: string) => new TextEncoder().encode(text);

/** What git makes of the files: the id of the tree. */
function treeByGit(repo: string, files: ReadonlyMap<string, { mode: number; oid: string }>): string {
  const env = { GIT_INDEX_FILE: join(repo, "index") };
  git(["-C", repo, "read-tree", "--empty"], { env });
  const input = [...files].map(([path, { mode, oid }]) => `${mode.toString(8)} ${oid}\t${path}\0`).join("");
  git(["-C", repo, "update-index", "-z", "--index-info"], { env, input });
  return gitText(["-C", repo, "write-tree", "--missing-ok"], { env });
}

describe.each([SHA1, SHA256])("in $name", (format) => {
  test("random changes make the trees git makes of the same files", () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    initRepository(repo, { defaultBranch: "main", format });
    const next = random(newSeed());
    const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
    const names = ["a", "b", "a.b", "a-b", "A", 'z\n"', "ü", "c"];
    const files = new Map<string, { mode: number; oid: string }>();
    let tree: string | undefined;
    let refused = 0;
    for (let round = 0; round < 25; round++) {
      const store = ObjectStore.open(repo);
      const changes: FileChange[] = [];
      const wanted = new Map(files);
      for (let step = 0; step < 1 + next() * 6; step++) {
        const path = Array.from({ length: 1 + Math.floor(next() * 3) }, () => pick(names)).join("/");
        const isBelow = [...wanted.keys()].some((other) => other.startsWith(`${path}/`));
        const isUnderFile = [...wanted.keys()].some((other) => path.startsWith(`${other}/`));
        if (next() < 0.3) {
          const present = wanted.has(path) || isBelow;
          const change = { path, remove: true } as const;
          if (!present) {
            expect(() => changeFiles(store, tree, [...changes, change])).toThrow(EditRefused);
            refused++;
            continue;
          }
          changes.push(change);
          for (const other of [...wanted.keys()])
            if (other === path || other.startsWith(`${path}/`)) wanted.delete(other);
          continue;
        }
        const mode = pick([MODE_FILE, MODE_EXECUTABLE, MODE_SYMLINK, MODE_GITLINK]);
        const data = bytes(`content ${Math.floor(next() * 50)}`);
        const oid = mode === MODE_GITLINK ? "ab".repeat(format.oidBytes) : hashObject(format, "blob", data);
        const change = mode === MODE_GITLINK ? { path, mode, oid } : { path, mode, data };
        if (isBelow || isUnderFile) {
          expect(() => changeFiles(store, tree, [...changes, change])).toThrow(EditRefused);
          refused++;
          continue;
        }
        changes.push(change);
        wanted.set(path, { mode, oid });
      }
      const done = changeFiles(store, tree, changes);
      store.close();
      writeObjects(repo, done.objects);
      files.clear();
      for (const [path, entry] of wanted) files.set(path, entry);
      tree = done.tree;
      expect(done.tree).toBe(treeByGit(repo, files));
    }
    expect(refused).toBeGreaterThan(0);
    expect(git(["-C", repo, "fsck", "--strict", "--no-dangling"]).stderr).not.toMatch(/error|warning/);
  });

  test("a commit of many files, on another one, and one that removes them all", () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    initRepository(repo, { defaultBranch: "main", format });
    const commit = (parents: readonly string[], changes: readonly FileChange[]) => {
      const store = ObjectStore.open(repo);
      const made = commitFiles(store, { parents, changes, author: person, committer: person, message: "m\n" });
      store.close();
      writeObjects(repo, made.objects);
      return made;
    };
    const many = Array.from({ length: 60 }, (_, at) => ({ path: `d${at % 7}/f${at}`, data: bytes(`${at}\n`) }));
    const first = commit([], [...many, { path: "run", mode: MODE_EXECUTABLE, data: bytes("#!/bin/sh\n") }]);
    const second = commit(
      [first.commit],
      [
        { path: "run", data: bytes("#!/bin/bash\n") },
        { path: "d3", remove: true },
      ],
    );
    // The mode stays, and only what changed is made: a blob, a tree, a commit.
    expect(second.objects.map(({ type }) => type)).toEqual(["blob", "tree", "commit"]);
    expect(gitText(["-C", repo, "ls-tree", second.commit, "run"])).toStartWith("100755 blob");
    expect(gitText(["-C", repo, "ls-tree", "--name-only", second.commit]).split("\n")).not.toContain("d3");
    const left = ["d0", "d1", "d2", "d4", "d5", "d6", "run"];
    const none = commit(
      [second.commit],
      left.map((path) => ({ path, remove: true })),
    );
    expect(none.tree).toBe(format.emptyTree);
    const same = commit([second.commit], [{ path: "run", data: bytes("#!/bin/bash\n") }]);
    expect(same.tree).toBe(second.tree);
    git(["-C", repo, "update-ref", "refs/heads/main", none.commit]);
    expect(git(["-C", repo, "fsck", "--strict", "--no-dangling"]).stderr).toBe("");
  });

  test("what no tree may hold, and what git must not be told, is refused with the path", () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    initRepository(repo, { defaultBranch: "main", format });
    const store = ObjectStore.open(repo);
    const base = changeFiles(store, undefined, [
      { path: "link", mode: MODE_SYMLINK, data: bytes("/etc") },
      { path: "sub", mode: MODE_GITLINK, oid: "ab".repeat(format.oidBytes) },
      { path: "file", data: bytes("x") },
      { path: "folder/inside", data: bytes("x") },
    ]);
    writeObjects(repo, base.objects);
    const blob = hashObject(format, "blob", bytes("x"));
    const refusal = (change: FileChange): string => {
      try {
        changeFiles(store, base.tree, [change]);
        return "";
      } catch (error) {
        if (!(error instanceof EditRefused)) throw error;
        return `${error.problem}: ${error.path}`;
      }
    };
    const put = (path: string, mode?: number) =>
      refusal({ path, data: bytes("y"), ...(mode === undefined ? {} : { mode }) });
    for (const path of [
      "",
      "/a",
      "a/",
      "a//b",
      ".",
      "..",
      "a/../b",
      "a/./b",
      ".git",
      ".git/config",
      "a/.git/hooks/x",
      ".GIT",
      "GIT~1/x",
      ".git ./x",
      ".g\u200cit/x",
      ".git::$INDEX_ALLOCATION/x",
      "x\\.git\\config",
      "a\0b",
      "x".repeat(5000),
    ])
      expect(put(path)).toBe(`bad path: ${path}`);
    expect(put(".gitmodules", MODE_SYMLINK)).toBe("bad path: .gitmodules");
    expect(put("link/x")).toBe("no folder: link");
    expect(put("sub/x")).toBe("no folder: sub");
    expect(put("file/x/y")).toBe("no folder: file");
    expect(put("folder")).toBe("is a folder: folder");
    expect(put("folder/inside")).toBe("");
    expect(put("link")).toBe("");
    expect(put("odd", 0o100600)).toBe("bad entry: odd");
    expect(put("odd", 0o040000)).toBe("bad entry: odd");
    expect(put("sub")).toBe("bad entry: sub");
    expect(refusal({ path: "l", mode: MODE_SYMLINK, data: bytes("") })).toBe("bad entry: l");
    expect(refusal({ path: "o", oid: "cd".repeat(format.oidBytes) })).toBe("bad entry: o");
    expect(refusal({ path: "o", oid: base.tree })).toBe("bad entry: o");
    expect(refusal({ path: "o", oid: blob })).toBe("");
    expect(refusal({ path: "o", mode: MODE_GITLINK, oid: "ab" })).toBe("bad entry: o");
    expect(refusal({ path: "nothing", remove: true })).toBe("missing: nothing");
    expect(refusal({ path: ".gitmodules", data: bytes('[submodule "../x"]\n\turl = x\n') })).toBe(
      "bad content: .gitmodules",
    );
    expect(refusal({ path: ".gitmodules", data: bytes('[submodule "x"]\n\turl = x\n') })).toBe("");
    store.close();
  });
});
