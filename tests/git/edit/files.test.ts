import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Made, make } from "../../../src/git/edit/make.ts";
import { checkContent } from "../../../src/git/edit/paths.ts";
import { EditRefused } from "../../../src/git/edit/refused.ts";
import { TreeEdit } from "../../../src/git/edit/tree-edit.ts";
import { SHA1, SHA256 } from "../../../src/git/objects/format.ts";
import { hashObject } from "../../../src/git/objects/hash.ts";
import { MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK } from "../../../src/git/objects/tree.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { initRepository, writeObjects } from "../../../src/git/odb/write.ts";
import { newSeed, random } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

const bytes = (text: string) => new TextEncoder().encode(text);

type FileChange =
  | { readonly path: string; readonly mode?: number; readonly data: Uint8Array }
  | { readonly path: string; readonly mode: number; readonly oid: string }
  | { readonly path: string; readonly remove: true };

/** What a tree becomes by the changes, with the objects to store. */
function changeFiles(store: ObjectStore, before: string | undefined, changes: readonly FileChange[]) {
  const edit = new TreeEdit(store, before);
  const blobs: Made[] = [];
  for (const change of changes) {
    const { path } = change;
    if ("remove" in change) {
      if (!edit.remove(path)) throw new EditRefused("missing", path, path);
    } else if ("oid" in change) edit.put(path, change.mode, change.oid);
    else {
      checkContent(path, change.data, store.format);
      const blob = make(store.format, "blob", change.data);
      edit.put(path, change.mode ?? MODE_FILE, blob.oid);
      blobs.push(blob);
    }
  }
  const { objects, tree } = edit.write();
  return { objects: [...blobs, ...objects], tree };
}

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
    expect(put("link/x")).toBe("not a directory: link");
    expect(put("sub/x")).toBe("not a directory: sub");
    expect(put("file/x/y")).toBe("not a directory: file");
    expect(put("folder")).toBe("is a directory: folder");
    expect(put("folder/inside")).toBe("");
    expect(put("link")).toBe("");
    expect(put("odd", 0o100600)).toBe("bad entry: odd");
    expect(put("odd", 0o040000)).toBe("bad entry: odd");
    expect(refusal({ path: "nothing", remove: true })).toBe("missing: nothing");
    expect(refusal({ path: ".gitmodules", data: bytes('[submodule "../x"]\n\turl = x\n') })).toBe(
      "bad content: .gitmodules",
    );
    expect(refusal({ path: ".gitmodules", data: bytes('[submodule "x"]\n\turl = x\n') })).toBe("");
    store.close();
  });
});
