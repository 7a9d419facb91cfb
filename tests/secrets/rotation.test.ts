import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../src/db/database.ts";
import { lockFolder } from "../../src/db/folder-lock.ts";
import { makeLog } from "../../src/kernel/log.ts";
import { type SealedColumn, SecretBox, SecretUnreadable } from "../../src/secrets/box.ts";
import { SecretInspector } from "../../src/secrets/inspection.ts";
import { KeyFileDamaged, readKeys } from "../../src/secrets/key-file.ts";
import { SecretRotation } from "../../src/secrets/rotation.ts";
import { Secret } from "../../src/secrets/secret.ts";
import { aServer } from "../builders.ts";
import { hearth } from "../cli/run.ts";

const KEY = "0123456789abcdef".repeat(4);
const OTHER = "fedcba9876543210".repeat(4);
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("a secret", () => {
  test("shows itself to nobody who did not ask for it", () => {
    const secret = new Secret("hush");
    const log: string[] = [];
    for (const format of ["text", "json"] as const)
      makeLog({ level: "debug", format, write: (line) => log.push(line) }).info(`${secret}`, {
        secret,
        nested: { secret },
      });
    const shown = [
      `${secret}`,
      String(secret),
      JSON.stringify({ secret }),
      Bun.inspect(secret),
      Bun.inspect({ secret, list: [secret] }),
      new Error(`failed with ${secret}`).message,
      Object.values(secret).join(),
      JSON.stringify(structuredClone({ ...secret })),
      ...log,
    ];
    for (const text of shown) expect(text).not.toContain("hush");
    expect([shown[0], JSON.stringify({ secret }), secret.reveal()]).toEqual([
      "[secret]",
      '{"secret":"[secret]"}',
      "hush",
    ]);
  });
});

describe("a sealed value", () => {
  const box = new SecretBox([KEY]);
  test.each(["", "hush", "ünïcödé 🔑", "x".repeat(100_000)])("opens to what it was: %p", (value) => {
    const sealed = box.seal("t.c:1", new Secret(value));
    expect(box.open("t.c:1", sealed).reveal()).toBe(value);
    if (value.length > 3) expect(sealed).not.toContain(value.slice(0, 20));
  });

  test("is another one each time, and says which key", () => {
    const [first, second] = [1, 2].map(() => box.seal("t.c:1", new Secret("hush")));
    expect(first).not.toBe(second);
    expect(first).toMatch(/^v1\.[0-9a-f]{12}\.[\w-]+$/);
    expect(first?.split(".")[1]).not.toContain(KEY.slice(0, 12));
  });

  test("opens for nothing else, by no other key, and not when a bit of it changed", () => {
    const sealed = box.seal("t.c:1", new Secret("hush"));
    const refused = (work: () => unknown) => {
      expect(work).toThrow(SecretUnreadable);
      expect(work).not.toThrow("hush");
    };
    for (const place of ["t.c:2", "t.d:1", "u.c:1", "t.c:1 ", ""]) refused(() => box.open(place, sealed));
    refused(() => new SecretBox([OTHER]).open("t.c:1", sealed));
    const [version, id, text = ""] = sealed.split(".");
    const bytes = Buffer.from(text, "base64url");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      refused(() => box.open("t.c:1", `${version}.${id}.${changed.toString("base64url")}`));
    }
    for (let length = 0; length < bytes.length; length++)
      refused(() => box.open("t.c:1", `${version}.${id}.${bytes.subarray(0, length).toString("base64url")}`));
    for (const wrong of ["", "hush", "v1", `v2.${id}.${text}`, `v1..${text}`]) refused(() => box.open("t.c:1", wrong));
  });

  test("columns are declared once, by names that are names", () => {
    const own = new SecretBox([KEY]);
    own.column({ table: "hooks", column: "secret", key: "id" });
    expect(() => own.column({ table: "hooks", column: "secret", key: "id" })).toThrow("twice");
    expect(() => own.column({ table: "hooks; DROP", column: "secret", key: "id" })).toThrow("no column");
  });
});

class Died extends Error {}

const COLUMN: SealedColumn = { table: "hooks", column: "secret", key: "id" };

/** A folder with a key and a table of sealed values, opened as a start opens it. */
function aFolder() {
  const folder = mkdtempSync(join(tmpdir(), "hearth-secrets-"));
  folders.push(folder);
  const keyPath = join(folder, "secret.key");
  const open = (crashAt?: string) => {
    const db = new Database(join(folder, "test.db"));
    db.execute("CREATE TABLE IF NOT EXISTS hooks (id INTEGER PRIMARY KEY, secret TEXT)");
    const box = new SecretBox(readKeys(keyPath, { mayMake: true }));
    const hooks = box.column(COLUMN);
    const crash = (name: string) => {
      if (name === crashAt) throw new Died();
    };
    const rotation = new SecretRotation({ db, box, keyPath, crash });
    const read = () =>
      db
        .query<{ id: number; secret: string | null }>("SELECT id, secret FROM hooks ORDER BY id")
        .all()
        .map(({ id, secret }) => (secret ? hooks.open(id, secret).reveal() : secret));
    return { db, box, hooks, rotation, read };
  };
  const first = open();
  for (let id = 1; id <= 20; id++)
    first.db.query("INSERT INTO hooks VALUES (?, ?)").run(id, first.hooks.seal(id, new Secret(`hush ${id}`)));
  first.db.execute("INSERT INTO hooks VALUES (21, NULL), (22, '')");
  const expected = first.read();
  first.db.close();
  return { keyPath, open, expected };
}

describe("rotation", () => {
  test("seals everything with a new key and forgets the old one", () => {
    const { keyPath, open, expected } = aFolder();
    const [old] = readKeys(keyPath);
    const { db, rotation, read } = open();
    expect(rotation.rotate()).toBe(20);
    expect(read()).toEqual(expected);
    expect(readKeys(keyPath)).toHaveLength(1);
    expect(readFileSync(keyPath, "utf8")).not.toContain(old!);
    expect(statSync(keyPath).mode & 0o777).toBe(0o600);
    db.close();
    const again = open();
    expect([again.read(), again.rotation.finish()]).toEqual([expected, 0]);
    again.db.close();
  });

  test.each(["secrets.key-added", "secrets.re-encrypted", "secrets.old-keys-removed"])(
    "dying at %s loses nothing, and the next start ends it",
    (point) => {
      const { keyPath, open, expected } = aFolder();
      const [old] = readKeys(keyPath);
      const dying = open(point);
      expect(() => dying.rotation.rotate()).toThrow(Died);
      dying.db.close();
      const next = open();
      expect(next.read()).toEqual(expected);
      next.rotation.finish();
      expect(next.read()).toEqual(expected);
      expect(readKeys(keyPath)).toHaveLength(1);
      expect(readKeys(keyPath)[0]).not.toBe(old!);
      next.db.close();
    },
  );

  test("a value that does not open stops it: nothing is changed, and no key is forgotten", () => {
    const { keyPath, open, expected } = aFolder();
    const [old] = readKeys(keyPath);
    const { db, rotation, read } = open();
    db.execute("UPDATE hooks SET secret = 'v1.000000000000.AAAA' WHERE id = 20");
    const before = db.query("SELECT * FROM hooks").all();
    expect(() => rotation.rotate()).toThrow(SecretUnreadable);
    expect(db.query("SELECT * FROM hooks").all()).toEqual(before);
    expect(readKeys(keyPath)).toContain(old!);
    db.execute("UPDATE hooks SET secret = NULL WHERE id = 20");
    expect(read().slice(0, 19)).toEqual(expected.slice(0, 19));
    db.close();
  });
});

test("what another key sealed is counted as what cannot be opened, column by column", () => {
  const { keyPath, open } = aFolder();
  const before = open();
  expect(new SecretInspector(before.db, before.box).inspect().unreadable.size).toBe(0);
  before.db.close();
  writeFileSync(keyPath, `${KEY}\n`);
  const { box, db } = open();
  const { sealed, unreadable } = new SecretInspector(db, box).inspect();
  expect(sealed).toBeGreaterThan(0);
  expect([...unreadable]).toEqual([["hooks.secret", sealed]]);
  db.close();
});

test("a key file that is missing is made only where nothing can be sealed yet", () => {
  const { keyPath } = aFolder();
  rmSync(keyPath, { force: true });
  expect(() => readKeys(keyPath)).toThrow(KeyFileDamaged);
  expect(existsSync(keyPath)).toBe(false);
  expect(readKeys(keyPath, { mayMake: true })).toEqual(readKeys(keyPath));
});

test.each(["", "short", `${KEY}\nhello`, "\0".repeat(65)])(
  "a key file that holds %p is not used, nor written over",
  (text) => {
    const { keyPath } = aFolder();
    writeFileSync(keyPath, text);
    expect(() => readKeys(keyPath)).toThrow(KeyFileDamaged);
    expect(readFileSync(keyPath, "utf8")).toBe(text);
  },
);

test("hearth admin secrets rotate replaces the key, and not beside a running server", async () => {
  const server = await aServer();
  const keyPath = join(server.dataDir, "secret.key");
  const before = readFileSync(keyPath, "utf8");
  const lock = lockFolder(server.dataDir);
  const refused = await hearth(server.dataDir, ["admin", "secrets", "rotate"]);
  expect([refused.code === 0, refused.err, readFileSync(keyPath, "utf8")]).toEqual([
    false,
    expect.stringContaining("is in use by another Hearth"),
    before,
  ]);
  lock.release();
  const rotated = await hearth(server.dataDir, ["admin", "secrets", "rotate"]);
  expect([rotated.code, rotated.err, rotated.out]).toEqual([
    0,
    "",
    "The key was replaced; 0 secrets were re-encrypted.\n",
  ]);
  expect(readFileSync(keyPath, "utf8")).not.toBe(before);
  await server.close();
});
