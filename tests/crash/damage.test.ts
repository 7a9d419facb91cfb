import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hearth, removeFolder, startHearth } from "../executable/process.ts";
import { call } from "./calls.ts";
import { DidNotStart, serve } from "./server.ts";

/**
 * A data folder that lacks its database or its key, or has one that is damaged or another's: a start says so in words and
 * makes no new one in its place, which would give the server away to its first visitor and hide the rest.
 */

let folder: string;
let sound: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-damage-"));
  sound = join(folder, "sound");
  const server = await startHearth({ dataDir: sound });
  const made = await call(server, "POST", "/user/repos", { name: "one", auto_init: true });
  expect(made.status).toBe(201);
  await server.kill("SIGTERM");
});
afterAll(() => removeFolder(folder));

const schemaOf = (path: string) => {
  const db = new Database(path);
  const { user_version } = db.query<{ user_version: number }, []>("PRAGMA user_version").get() ?? { user_version: 0 };
  db.close();
  return user_version;
};

function anotherDatabase(path: string, schema: number): void {
  rmSync(path);
  const db = new Database(path);
  db.run("CREATE TABLE others (a TEXT)");
  db.run(`PRAGMA user_version = ${schema}`);
  db.close();
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  writeSync(openSync(path, "r+"), bytes, 0, bytes.length, at);
}

const NOISE = new Uint8Array(4_096).fill(0x5a);

const cases: readonly (readonly [name: string, file: string, damage: (path: string) => void, words: RegExp])[] = [
  ["no database", "hearth.db", (path) => rmSync(path), /hearth\.db is missing or empty, and repositories/],
  ["an empty database", "hearth.db", (path) => truncateSync(path, 0), /is missing or empty/],
  [
    "half a database",
    "hearth.db",
    (path) => truncateSync(path, (statSync(path).size >> 13) << 12),
    /the database is damaged/,
  ],
  [
    "a database without its head",
    "hearth.db",
    (path) => overwrite(path, 0, NOISE.subarray(0, 100)),
    /the database is damaged/,
  ],
  [
    "a database with a torn page",
    "hearth.db",
    (path) => overwrite(path, 512, NOISE.subarray(512)),
    /the database is damaged/,
  ],
  [
    "a text in place of the database",
    "hearth.db",
    (path) => writeFileSync(path, "a text\n".repeat(900)),
    /the database is damaged/,
  ],
  ["another program's database", "hearth.db", (path) => anotherDatabase(path, 0), /is no database of Hearth/],
  [
    "another program's database of the same version",
    "hearth.db",
    (path) => anotherDatabase(path, schemaOf(path)),
    /is no database of Hearth/,
  ],
  ["no key", "secret.key", (path) => rmSync(path), /secret\.key is missing: put back/],
  ["an empty key", "secret.key", (path) => writeFileSync(path, ""), /does not hold a key: put back/],
  ["a key of noise", "secret.key", (path) => writeFileSync(path, NOISE.subarray(0, 65)), /does not hold a key/],
];

test.each(cases)("with %s nothing starts, nothing is made, and words say why", async (name, file, damage, words) => {
  const dataDir = join(folder, name.replaceAll(/\W/g, "-"));
  cpSync(sound, dataDir, { recursive: true });
  const path = join(dataDir, file);
  damage(path);
  const bytes = () => (statSync(path, { throwIfNoEntry: false }) ? readFileSync(path).toString("base64") : undefined);
  const before = bytes();
  const output = await serve(dataDir).then(
    async (server) => `it started, ${await server.end("SIGKILL")}`,
    (error: unknown) => (error instanceof DidNotStart ? error.output : Promise.reject(error)),
  );
  expect(output).toMatch(words);
  expect(output.trim().split("\n")).toHaveLength(1);
  // To ask another program's what it has, SQLite notes in its head that it is read with a log beside it.
  if (!words.source.includes("no database of")) expect(bytes()).toBe(before);
  const doctor = await hearth(["doctor", "--data", dataDir]);
  expect([doctor.code, /\n\s+at /.test(doctor.err)]).toEqual([1, false]);
});

test("a folder with what the first start makes, and no database yet, starts", async () => {
  const dataDir = join(folder, "fresh");
  mkdirSync(join(dataDir, "repositories"), { recursive: true });
  cpSync(join(sound, "secret.key"), join(dataDir, "secret.key"));
  const server = await serve(dataDir);
  expect(await server.end("SIGTERM")).toBe(0);
});
