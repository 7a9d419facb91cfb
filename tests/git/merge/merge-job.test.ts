import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { TreeTooLarge } from "../../../src/git/diff/tree.ts";
import { RepositoryFolder } from "../../../src/git/folder.ts";
import { mergeCommits, UnrelatedHistories } from "../../../src/git/merge/merge-commits.ts";
import { mergeTrees } from "../../../src/git/merge/merge-trees.ts";
import { serializeTree } from "../../../src/git/objects/tree.ts";
import { Overlay } from "../../../src/git/odb/overlay.ts";
import { WorkerPool } from "../../../src/workers/pool.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { commitOf, importCommits } from "./imported.ts";

setDefaultTimeout(600_000);
const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000 });
afterAll(() => pool.close());

function repository(dir: string): string {
  return importCommits(dir, [
    commitOf("base", { f: "1\n2\n3\n", ".gitattributes": "u merge=union\n", u: "1\n" }),
    commitOf("x", { f: "1\nx\n3\n", u: "x\n" }, "base"),
    commitOf("y", { f: "1\ny\n3\n", u: "y\n" }, "base"),
    commitOf("alone", { f: "y\n" }),
  ]);
}

describe("a merge", () => {
  test("runs in a worker, tells what a conflict page needs, and stores its tree when asked to", async () => {
    using dir = tempDir();
    const repoDir = repository(dir.path);
    const [ours = "", theirs = ""] = gitText(["-C", repoDir, "rev-parse", "x", "y"]).split("\n");
    const options = { labels: { ours: "mine", theirs: "yours" } };
    const dry = await pool.run("git.merge", { repoDir, ours, theirs, options, write: "clean" });
    expect(git(["-C", repoDir, "cat-file", "-e", dry.tree], { mayFail: true }).code).not.toBe(0);
    const result = await pool.run("git.merge", { repoDir, ours, theirs, options, write: "always" });
    expect(result).toEqual(dry);
    expect(result.clean).toBe(false);
    expect(result.conflicts.map(({ path, editable }) => ({ path, editable }))).toEqual([{ path: "f", editable: true }]);
    const [conflict] = result.conflicts;
    expect(gitText(["-C", repoDir, "cat-file", "-p", conflict!.result!.oid])).toBe(
      "1\n<<<<<<< mine\nx\n=======\ny\n>>>>>>> yours\n3",
    );
    expect(gitText(["-C", repoDir, "cat-file", "-p", conflict!.base!.oid])).toBe("1\n2\n3");
    expect(conflict!.messages.map(({ type }) => type)).toEqual(["Auto-merging", "CONFLICT (contents)"]);
    expect(gitText(["-C", repoDir, "show", `${result.tree}:u`])).toBe("x\ny");
  });

  test("of histories that share nothing is refused", () => {
    using dir = tempDir();
    const folder = RepositoryFolder.open(repository(dir.path));
    const [x = "", alone = ""] = ["x", "alone"].map((name) => folder.find(name));
    expect(() => mergeCommits(folder.commits, new Overlay(folder.store), x, alone)).toThrow(UnrelatedHistories);
    folder.close();
  });

  test("of folders nested without end is refused, and of ones repeated without end, too", () => {
    using dir = tempDir();
    const folder = RepositoryFolder.open(repository(dir.path));
    const store = new Overlay(folder.store);
    const labels = { base: "base", ours: "ours", theirs: "theirs" };
    const nested = (text: string, depth: number, width: number) => {
      let mode = 0o100644;
      let oid = store.put("blob", Buffer.from(text));
      for (let at = 0; at < depth; at++) {
        oid = store.put("tree", serializeTree(Array.from({ length: width }, (_, i) => ({ mode, name: `d${i}`, oid }))));
        mode = 0o040000;
      }
      return oid;
    };
    const deep = { base: nested("1", 3000, 1), ours: nested("2", 3000, 1), theirs: nested("3", 3000, 1), labels };
    expect(() => mergeTrees(store, deep)).toThrow("nested too deep");
    const wide = { base: nested("1", 7, 12), ours: nested("2", 7, 12), theirs: nested("3", 7, 12), labels };
    expect(() => mergeTrees(store, { ...wide, options: { maxPaths: 10_000 } })).toThrow(TreeTooLarge);
    folder.close();
  });
});
