import { afterEach, expect, test } from "bun:test";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { BlobService } from "../../src/blobs/service.ts";
import { TooLarge } from "../../src/kernel/errors.ts";
import { sha256Hex } from "../../src/kernel/ids.ts";
import { aServer, type TestServer } from "../builders.ts";

let open: TestServer | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

/** A server, its files, and a hand to put some in as an area would. */
async function aStore(graceDays = 14) {
  const server = await aServer({ "blobs.grace_days": graceDays });
  open = server;
  const { blobs } = server.services;
  const { db } = server.core;
  const root = join(server.dataDir, "blobs");
  const put = async (key: string, text: string) => {
    using stored = await blobs.receive(pieces(text), { maxBytes: 1000 });
    db.transaction(() => blobs.refer("test", key, stored));
    return stored.digest;
  };
  const forget = (key: string) => db.transaction(() => blobs.forget("test", key));
  const age = (days: number) =>
    db.execute(`UPDATE blobs SET unreferenced_since = unreferenced_since - ${days} * 86400000`);
  return { server, blobs, db, root, put, forget, age };
}

async function* pieces(text: string) {
  for (let at = 0; at < text.length; at += 3) yield Buffer.from(text.slice(at, at + 3));
}

const filesIn = (root: string) =>
  existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .sort()
    : [];
const textOf = (blobs: BlobService, key: string) => blobs.open("test", key)?.file.text();

test("a file is stored once by its hash, for its owner only, and found again by who refers to it", async () => {
  const { blobs, root, put } = await aStore();
  const digest = await put("a", "hello");
  expect(digest).toBe(sha256Hex("hello"));
  expect(await put("b", "hello")).toBe(digest);
  expect(filesIn(root)).toEqual([digest]);
  expect(statSync(blobs.files.pathOf(digest)).mode & 0o777).toBe(0o600);
  expect([await textOf(blobs, "a"), await textOf(blobs, "b"), blobs.open("test", "c")]).toEqual([
    "hello",
    "hello",
    undefined,
  ]);
  expect(blobs.open("other", "a")).toBeUndefined();
  expect(blobs.of("test", "a")).toEqual({ digest, sizeBytes: 5, mediaType: "text/plain; charset=utf-8" });
});

test.each([
  ["an empty file", "", "text/plain; charset=utf-8"],
  ["a page", "<!doctype html><script>alert(1)</script>", "text/plain; charset=utf-8"],
  ["a drawing", "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "image/svg+xml"],
  ["XML", "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>", "text/plain; charset=utf-8"],
  ["a GIF", "GIF89a\x01\0\x01\0\0\0\0;", "image/gif"],
  ["a PDF", "%PDF-1.7 ", "application/pdf"],
  ["anything", "\0\x01\x02\x03", "application/octet-stream"],
])("%s is told by its bytes: %s", async (_, text, type) => {
  const { blobs, put } = await aStore();
  await put("a", text);
  expect(blobs.of("test", "a")?.mediaType).toBe(type);
});

test("what is too large, breaks off, or is referred to by nothing leaves nothing", async () => {
  const { blobs, db, root } = await aStore();
  await expect(blobs.receive(pieces("x".repeat(11)), { maxBytes: 10 })).rejects.toBeInstanceOf(TooLarge);
  async function* broken() {
    yield Buffer.from("half");
    throw new Error("the connection was reset");
  }
  await expect(blobs.receive(broken(), { maxBytes: 10 })).rejects.toThrow("the connection was reset");
  {
    using stored = await blobs.receive(pieces("unused"), { maxBytes: 10 });
    expect(filesIn(root)).toContain(stored.digest);
  }
  const rolledBack = async () => {
    using stored = await blobs.receive(pieces("taken back"), { maxBytes: 10 });
    db.transaction(() => {
      blobs.refer("test", "a", stored);
      throw new Error("no");
    });
  };
  await expect(rolledBack()).rejects.toThrow("no");
  expect(filesIn(root)).toEqual([]);
  expect(db.query("SELECT * FROM blobs").all()).toEqual([]);
});

test("two who send the same at the same time do not take it from each other", async () => {
  const { blobs, root, db } = await aStore();
  const [first, second] = await Promise.all([1, 2].map(() => blobs.receive(pieces("same"), { maxBytes: 10 })));
  first![Symbol.dispose]();
  db.transaction(() => blobs.refer("test", "second", second!));
  second![Symbol.dispose]();
  expect(await textOf(blobs, "second")).toBe("same");
  expect(filesIn(root)).toEqual([sha256Hex("same")]);
});

test("a file goes when nothing has referred to it for the grace time", async () => {
  const { blobs, root, put, forget, age } = await aStore(14);
  const digest = await put("a", "hello");
  await put("b", "hello");
  forget("a");
  age(30);
  expect(blobs.sweep()).toBe(0);
  forget("b");
  expect(blobs.sweep()).toBe(0);
  age(13);
  expect([blobs.sweep(), filesIn(root)]).toEqual([0, [digest]]);
  age(1);
  expect([blobs.sweep(), filesIn(root), blobs.sweep()]).toEqual([1, [], 0]);
});

test("a file that is wanted again within the grace time stays, and one that is replaced goes", async () => {
  const { blobs, root, put, forget, age } = await aStore(0);
  const hello = await put("a", "hello");
  forget("a");
  {
    using again = await blobs.receive(pieces("hello"), { maxBytes: 10 });
    // Held, though nothing refers to it yet.
    expect(blobs.sweep()).toBe(0);
    expect(again.digest).toBe(hello);
  }
  await put("a", "hello");
  age(1);
  expect(blobs.sweep()).toBe(0);
  const other = await put("a", "other");
  expect([blobs.sweep(), filesIn(root)]).toEqual([1, [other]]);
});

test("a start takes away what a process left that died", async () => {
  const { blobs, root, put } = await aStore();
  const kept = await put("a", "kept");
  const lost = sha256Hex("lost");
  rmSync(join(root, "incoming"), { recursive: true, force: true });
  const { temporary } = await blobs.files.receive(pieces("lost"), 10);
  blobs.files.place(lost, temporary);
  blobs.files.mark(kept);
  writeFileSync(join(root, "incoming", "0123"), "half of an upload");
  expect(filesIn(root)).toHaveLength(5);
  blobs.removeLeftovers();
  expect(filesIn(root)).toEqual([kept]);
});

test("a name that is no digest is no path", async () => {
  const { blobs } = await aStore();
  for (const name of ["../../secret.key", "", "a".repeat(63), `${"a".repeat(64)}/x`, "A".repeat(64)])
    expect(() => blobs.files.pathOf(name)).toThrow("not a digest");
});

test("a file that is missing or torn is not served", async () => {
  const { blobs, put } = await aStore();
  truncateSync(blobs.files.pathOf(await put("torn", "a long text")), 3);
  rmSync(blobs.files.pathOf(await put("missing", "another")));
  expect(() => blobs.open("test", "torn")).toThrow("missing or torn");
  expect(() => blobs.open("test", "missing")).toThrow("missing or torn");
  // Sent again, it is whole again.
  await put("x", "a long text");
  expect(await textOf(blobs, "torn")).toBe("a long text");
});

test("the inspector finds what is missing, torn, changed, stray, left behind and miscounted", async () => {
  const { server, blobs, db, root, put, forget } = await aStore();
  const inspector = server.services.blobInspector;
  await put("sound", "sound");
  expect(await inspector.inspect()).toEqual({ files: 1, bytes: 5, problems: [] });
  const [missing, torn, changed] = [await put("a", "missing"), await put("b", "torn!"), await put("c", "changed")];
  rmSync(blobs.files.pathOf(missing));
  truncateSync(blobs.files.pathOf(torn), 1);
  writeFileSync(blobs.files.pathOf(changed), "CHANGED");
  const stray = sha256Hex("stray");
  const { temporary } = await blobs.files.receive(pieces("stray"), 10);
  blobs.files.unmark(blobs.files.place(stray, temporary));
  const old = join(root, "incoming", "0123");
  writeFileSync(old, "");
  utimesSync(old, 1, 1);
  const unused = await put("d", "unused");
  forget("d");
  db.execute(`UPDATE blobs SET unreferenced_since = NULL WHERE digest = '${unused}'`);
  const told = async () =>
    (await inspector.inspect()).problems.map(({ subject, code }) => `${subject}: ${code}`).sort();
  const lost = [`${missing}: blob.missing`, `${torn}: blob.wrong-size`, `${changed}: blob.changed`];
  expect(await told()).toEqual(
    [...lost, `${stray}: blob.stray`, `${old}: blob.left-behind`, `${unused}: blob.marked-in-use`].sort(),
  );
  inspector.repair();
  expect(await told()).toEqual(lost.sort());
  expect(readFileSync(blobs.files.pathOf(sha256Hex("sound")), "utf8")).toBe("sound");
});
