import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeLoose, removePacks } from "../../../src/git/maintenance/remove.ts";
import { repack } from "../../../src/git/maintenance/repack.ts";
import { checkObject } from "../../../src/git/object-checks/fsck.ts";
import { serializeCommit } from "../../../src/git/objects/commit.ts";
import { SHA1, SHA256 } from "../../../src/git/objects/format.ts";
import { hashObject } from "../../../src/git/objects/hash.ts";
import { MODE_FILE, serializeTree } from "../../../src/git/objects/tree.ts";
import { objectFormatOf } from "../../../src/git/odb/folder-format.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { initRepository, writeObjects } from "../../../src/git/odb/write.ts";
import { readProjection, writeProjection } from "../../../src/git/refs/projection.ts";
import { resolveRevision } from "../../../src/git/revisions.ts";
import { allObjects, buildHistory, git, gitText, tempDir } from "./real-git.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

/** Repositories whose ids are made by SHA-256, with real git as the judge. */

test("a repository's config tells its format", () => {
  using dir = tempDir();
  const config = (text: string) => {
    writeFileSync(join(dir.path, "config"), text);
    return objectFormatOf(dir.path).name;
  };
  expect(objectFormatOf(join(dir.path, "nowhere")).name).toBe("sha1");
  expect(config("[core]\n\tbare = true\n")).toBe("sha1");
  expect(config("[core]\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n")).toBe("sha256");
  expect(config('[Extensions]\nother = x\n ObjectFormat = "sha256" ; so it is\n[core]\n')).toBe("sha256");
  expect(config("[extensions] objectFormat=sha256\n")).toBe("sha256");
  expect(config("[extensions]\nobjectformat = sha1\n")).toBe("sha1");
  expect(config('[extensions "x"]\nobjectformat = sha256\n')).toBe("sha1");
  expect(config("[core]\n# [extensions]\nobjectformat = sha256\n")).toBe("sha1");
  expect(() => config("[extensions]\nobjectformat = sha3\n")).toThrow("invalid value for 'extensions.objectformat'");
});

test("everything real git stores is read, loose and packed", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 25, 7, "sha256");
  for (const step of ["as made", "repacked", "loose"]) {
    if (step === "repacked") git(["-C", repo, "repack", "-adfq", "--depth=30"]);
    if (step === "loose") {
      const pack = join(repo, "objects/pack");
      const name = readdirSync(pack).find((file) => file.endsWith(".pack"))!;
      const bytes = readFileSync(join(pack, name));
      removePacks(repo, [name.replace(".pack", "")]);
      git(["-C", repo, "unpack-objects", "-q"], { input: bytes });
    }
    const store = ObjectStore.open(repo, { verify: true });
    expect(store.format).toBe(SHA256);
    const objects = allObjects(repo);
    expect(objects.length).toBeGreaterThan(100);
    for (const { oid, type, size } of objects) {
      expect(store.read(oid)).toMatchObject({ type: type as "blob" });
      expect(store.header(oid)).toEqual({ type: type as "blob", sizeBytes: size });
      expect(store.findByPrefix(oid.slice(0, 12), 2)).toEqual([oid]);
      // An id of the other format names nothing, however well it begins.
      expect(store.has(oid.slice(0, 40))).toBe(false);
    }
    expect([...store.allOids()].sort()).toEqual(objects.map(({ oid }) => oid).sort());
    store.close();
  }
});

test("an id of 64 digits names nothing in a repository of SHA-1", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 3);
  const head = gitText(["-C", repo, "rev-parse", "main"]);
  const store = ObjectStore.open(repo);
  expect(store.has(head)).toBe(true);
  expect(store.has(head.padEnd(64, "0"))).toBe(false);
  expect(store.read(head.padEnd(64, "0"))).toBeUndefined();
  expect(store.findByPrefix(head.padEnd(64, "0"), 3)).toEqual([]);
  store.close();
});

test("a repository made here is one for real git", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  initRepository(repo, { defaultBranch: "main", format: SHA256 });
  const other = join(dir.path, "git.git");
  git(["init", "-q", "--bare", "-b", "main", "--object-format=sha256", other]);
  const settings = (path: string) =>
    gitText(["config", "-f", join(path, "config"), "--list"])
      .split("\n")
      .sort();
  expect(settings(repo)).toEqual(settings(other));
  expect(gitText(["-C", repo, "rev-parse", "--show-object-format"])).toBe("sha256");

  const blob = Buffer.from("hello\n");
  const oid = hashObject(SHA256, "blob", blob);
  const tree = serializeTree([{ mode: MODE_FILE, name: "a.txt", oid }]);
  const person = { name: "A", email: "a@b.c", timestamp: 1700000000, offsetMinutes: 0 };
  const commit = serializeCommit({
    tree: hashObject(SHA256, "tree", tree),
    parents: [],
    author: person,
    committer: person,
    message: "first\n",
  });
  const [, , tip = ""] = writeObjects(repo, [
    { type: "blob", data: blob },
    { type: "tree", data: tree },
    { type: "commit", data: commit },
  ]);
  expect(tip).toBe(hashObject(SHA256, "commit", commit));
  writeProjection(repo, { head: "refs/heads/main", refs: [{ name: "refs/heads/main", oid: tip }] });
  expect(readProjection(repo).refs).toEqual([{ name: "refs/heads/main", oid: tip }]);
  expect(gitText(["-C", repo, "rev-parse", "main"])).toBe(tip);
  expect(gitText(["-C", repo, "show", "main:a.txt"])).toBe("hello");
  expect(git(["-C", repo, "fsck", "--strict"]).stderr).toBe("");
});

test("a repository is put in order as git would have it", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 40, 3, "sha256");
  const loose = writeObjects(repo, [{ type: "blob", data: Buffer.from("one\n") }]);
  const before = allObjects(repo).length;
  const done = await repack(repo, { roots: gitText(["-C", repo, "rev-parse", "main", "v1"]).split("\n") });
  expect(done.pack).toMatch(/^pack-[0-9a-f]{64}$/);
  removePacks(repo, done.replacedPacks);
  removeLoose(repo, done.replacedLoose);
  expect(allObjects(repo).length).toBe(before);
  expect(allObjects(repo).map(({ oid }) => oid)).toContain(loose[0]!);
  expect(git(["-C", repo, "verify-pack", join(repo, "objects/pack", `${done.pack}.idx`)]).code).toBe(0);
  expect(git(["-C", repo, "fsck", "--strict", "--no-dangling"]).stderr).toBe("");
});

test("a beginning of 40 digits is an abbreviation like any other", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 3, 1, "sha256");
  const head = gitText(["-C", repo, "rev-parse", "main"]);
  const store = ObjectStore.open(repo);
  const refs = { resolve: () => undefined, head: () => "refs/heads/main" };
  for (const digits of [7, 39, 40, 41, 63, 64])
    expect(resolveRevision(store, refs, head.slice(0, digits)).oid).toBe(head);
  store.close();
});

test("ids of the other format are malformed to fsck", () => {
  const person = "A <a@b.c> 1 +0000";
  const commit = (tree: string) => Buffer.from(`tree ${tree}\nauthor ${person}\ncommitter ${person}\n\n`);
  const tag = (object: string) => Buffer.from(`object ${object}\ntype commit\ntag x\ntagger ${person}\n\n`);
  const ids = (format: typeof SHA1, type: "commit" | "tag", data: Uint8Array) =>
    checkObject(format, type, data).map(({ id }) => id);
  const [short, long] = ["a".repeat(40), "b".repeat(64)];
  expect(ids(SHA256, "commit", commit(long))).toEqual([]);
  expect(ids(SHA1, "commit", commit(short))).toEqual([]);
  expect(ids(SHA256, "commit", commit(short))).toEqual(["badTreeSha1"]);
  expect(ids(SHA1, "commit", commit(long))).toEqual(["badTreeSha1"]);
  expect(ids(SHA256, "tag", tag(long))).toEqual([]);
  expect(ids(SHA256, "tag", tag(short))).toEqual(["badObjectSha1"]);
  expect(ids(SHA1, "tag", tag(long))).toEqual(["badObjectSha1"]);
});
