import { expect, test } from "bun:test";
import { readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";

test("a pack that is replaced under someone who copies from it stays readable to them; lookups find the new one", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 20);
  git(["repack", "-adq"], { cwd: repo });
  const oid = gitText(["rev-parse", "main"], { cwd: repo });
  const store = ObjectStore.open(repo);
  try {
    const place = store.locate(oid)!;
    const before = Buffer.alloc(place.pack.sizeBytes);
    place.pack.readRaw(before, 0);
    // As maintenance does, an hour later: everything in a new pack, the old one gone.
    git(["commit-tree", "-m", "more", "-p", oid, `${oid}^{tree}`], { cwd: repo });
    git(["hash-object", "-w", "--stdin"], { cwd: repo, input: "more" });
    const more = gitText(["hash-object", "-w", "--stdin"], { cwd: repo, input: "even more" });
    git(["tag", "more", more], { cwd: repo });
    git(["repack", "-adq"], { cwd: repo });
    const packDir = join(repo, "objects/pack");
    const old = place.pack.name;
    for (const name of readdirSync(packDir)) if (name.startsWith(old)) rmSync(join(packDir, name), { force: true });
    utimesSync(packDir, 1, 1);
    // A miss, which reads the folder again.
    expect(store.has("1".repeat(40))).toBe(false);
    expect(store.packs().map(({ name }) => name)).not.toContain(old);
    const after = Buffer.alloc(before.length);
    expect(place.pack.readRaw(after, 0)).toBe(before.length);
    expect(after.equals(before)).toBe(true);
    expect(store.read(oid)?.type).toBe("commit");
    expect(store.read(more)?.type).toBe("blob");
    store.refresh();
    expect(() => place.pack.readRaw(after, 0)).toThrow();
    expect(store.read(oid)?.type).toBe("commit");
  } finally {
    store.close();
  }
});
