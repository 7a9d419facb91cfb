import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { serializeCommit } from "../../../src/git/objects/commit.ts";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { hashObject } from "../../../src/git/objects/hash.ts";
import { decodeName, encodeName } from "../../../src/git/objects/names.ts";
import { formatSignature, parseSignature } from "../../../src/git/objects/signature.ts";
import { MODE_FILE, MODE_TREE, serializeTree } from "../../../src/git/objects/tree.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { initRepository, writeObjects } from "../../../src/git/odb/write.ts";
import { newSeed, random } from "../../random.ts";
import { git, gitText, tempDir } from "./real-git.ts";

test("a repository made here is one to real git, and so are the objects written into it", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  initRepository(repo, { defaultBranch: "trunk" });
  expect(gitText(["-C", repo, "symbolic-ref", "HEAD"])).toBe("refs/heads/trunk");
  expect(gitText(["-C", repo, "rev-parse", "--is-bare-repository"])).toBe("true");
  expect(readdirSync(dir.path)).toEqual(["r.git"]);
  expect(() => initRepository(repo, { defaultBranch: "x" })).toThrow();

  const blob = new TextEncoder().encode("hello\n");
  const blobOid = hashObject(SHA1, "blob", blob);
  const names = ["b", "a", "a.c", "ä", decodeName(Uint8Array.from([0x66, 0xff, 0x6f]))];
  const tree = serializeTree([
    ...names.map((name) => ({ mode: MODE_FILE, name, oid: blobOid })),
    { mode: MODE_TREE, name: "a.d", oid: SHA1.emptyTree },
  ]);
  const person = { name: "Ann Öl", email: "ann@example.org", timestamp: 1700000000, offsetMinutes: -210 };
  const commit = serializeCommit({
    tree: hashObject(SHA1, "tree", tree),
    parents: [],
    author: person,
    committer: person,
    message: "first\n",
  });
  const objects = [
    { type: "blob" as const, data: blob },
    { type: "tree" as const, data: new Uint8Array(0) },
    { type: "tree" as const, data: tree },
    { type: "commit" as const, data: commit },
    { type: "blob" as const, data: blob },
  ];
  const steps: string[] = [];
  const oids = writeObjects(repo, objects, { crashPoint: (name) => steps.push(name) });
  expect(oids[0]).toBe(oids[4]!);
  expect(steps.filter((name) => name === "objects: one renamed").length).toBe(4);
  git(["-C", repo, "update-ref", "refs/heads/trunk", oids[3]!]);
  expect(git(["-C", repo, "fsck", "--strict"]).stderr).toBe("");
  expect(gitText(["-C", repo, "log", "-1", "--format=%an %ae %ad", "trunk"])).toBe(
    "Ann Öl ann@example.org Tue Nov 14 18:43:20 2023 -0330",
  );
  expect(statSync(join(repo, "objects", oids[0]!.slice(0, 2), oids[0]!.slice(2))).mode & 0o777).toBe(0o444);
  expect(readdirSync(join(repo, "objects")).filter((name) => name.startsWith("tmp"))).toEqual([]);
  // Nothing is written twice.
  steps.length = 0;
  writeObjects(repo, objects, { crashPoint: (name) => steps.push(name) });
  expect(steps).not.toContain("objects: one renamed");
  const store = ObjectStore.open(repo, { verify: true });
  for (const oid of oids) expect(store.has(oid)).toBe(true);
});

test("names survive whatever their bytes", () => {
  const next = random(newSeed());
  for (let i = 0; i < 2000; i++) {
    const bytes = Uint8Array.from({ length: Math.floor(next() * 8) }, () => {
      const pool = [0x41, 0xc3, 0xa4, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0xff, 0xef, 0xbb, 0xbf];
      return pool[Math.floor(next() * pool.length)]!;
    });
    expect(encodeName(decodeName(bytes))).toEqual(bytes);
  }
  expect(decodeName(Uint8Array.from([0xff]))).toBe("\udcff");
  expect(decodeName(Uint8Array.from([0xed, 0xa0, 0x80]))).toBe("\udced\udca0\udc80");
});

test("persons: broken lines are read as far as they go", () => {
  expect(parseSignature("A <a@b> 12 +0130")).toEqual({ name: "A", email: "a@b", timestamp: 12, offsetMinutes: 90 });
  expect(parseSignature("A <a@b>> x> 12 -0130").timestamp).toBe(12);
  expect(parseSignature("nobody")).toEqual({ name: "nobody", email: "", timestamp: 0, offsetMinutes: 0 });
  expect(formatSignature({ name: "E<v>il\n", email: "a\nb", timestamp: 1, offsetMinutes: -90 })).toBe(
    "Evil <ab> 1 -0130",
  );
});
