import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";
import { aName, aRegistry, generic, hash, send } from "./world.ts";

/** What the cleanup takes away, and what it leaves (contract packages.md 8). */

let server: TestServer;
let ada: TestUser;
const registry = aRegistry(() => server);
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function cleaned(): Promise<void> {
  server.services.packageCleanup.enqueue();
  await settled(server);
}
const count = (sql: string, ...values: (string | number)[]) =>
  server.core.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`).get(...values)?.n;
const age = (table: string, column: string, where: string, ...values: (string | number)[]) =>
  server.core.db.query(`UPDATE ${table} SET ${column} = ${column} - 25 * 3600000 WHERE ${where}`).run(...values);
const isStored = (sha256: string) => existsSync(server.services.blobs.files.pathOf(sha256));

async function aGeneric(content: string): Promise<string> {
  const name = aName();
  const { body, method, path } = generic(name, "1.0", "kit.bin", content);
  expect((await registry(method, `ada/generic${path}`, ada, body)).status).toBe(201);
  return name;
}

test("a content that no file holds goes when nobody can be about to use it, and its package with it", async () => {
  const content = aName("bytes ");
  const sha256 = hash("sha256", content);
  const [name, kept] = [await aGeneric(content), await aGeneric("others")];
  await registry("DELETE", `ada/generic/${name}/1.0`, ada);
  await cleaned();
  expect([isStored(sha256), count("packages WHERE lower_name = ?", name)]).toEqual([true, 1]);
  age("package_blobs", "unused_at", "sha256 = ?", sha256);
  age("packages", "created_at", "lower_name IN (?, ?)", name, kept);
  await cleaned();
  expect([count("package_blobs WHERE sha256 = ?", sha256), count("packages WHERE lower_name = ?", name)]).toEqual([
    0, 0,
  ]);
  expect(server.services.packageContents.open(sha256)).toBeUndefined();
  expect((await registry<unknown>("GET", `ada/generic/${kept}/1.0/kit.bin`)).text).toBe("others");
});

test("a content that is published again in time stays", async () => {
  const content = aName("bytes ");
  const sha256 = hash("sha256", content);
  const name = await aGeneric(content);
  await registry("DELETE", `ada/generic/${name}/1.0`, ada);
  age("package_blobs", "unused_at", "sha256 = ?", sha256);
  const again = await aGeneric(content);
  await cleaned();
  expect((await registry<unknown>("GET", `ada/generic/${again}/1.0/kit.bin`)).text).toBe(content);
});

test("a package without versions stays while it is locked", async () => {
  const name = aName();
  expect((await registry("POST", `ada/terraform/state/${name}/lock`, ada, { ID: "one" })).status).toBe(200);
  age("packages", "created_at", "lower_name = ?", name);
  await cleaned();
  const other = await registry("POST", `ada/terraform/state/${name}/lock`, ada, { ID: "two" });
  expect([other.status, other.body["ID"]]).toEqual([423, "one"]);
  await registry("DELETE", `ada/terraform/state/${name}/lock`, ada, { ID: "one" });
  await cleaned();
  expect(count("packages WHERE lower_name = ?", name)).toBe(0);
});

test("uploads nobody finished go with their pieces, and contents of images that no manifest names", async () => {
  const image = `/v2/ada/${aName()}`;
  const token = (await send(server, "GET", "/v2/token", undefined, undefined, { basic: ["ada", ada.token] })).body;
  const bearer = { headers: { authorization: `Bearer ${token["token"]}` } };
  const ask = (method: string, path: string, body?: string) => send(server, method, path, undefined, body, bearer);
  const [fresh, stale] = [await ask("POST", `${image}/blobs/uploads/`), await ask("POST", `${image}/blobs/uploads/`)];
  const [freshAt, staleAt] = [fresh, stale].map(({ headers }) => headers.get("location") ?? "") as [string, string];
  const piece = aName("piece ");
  for (const at of [freshAt, staleAt]) expect((await ask("PATCH", at, piece + at)).status).toBe(202);
  const waiting = aName("waiting ");
  const digest = `sha256:${hash("sha256", waiting)}`;
  expect((await ask("POST", `${image}/blobs/uploads/?digest=${digest}`, waiting)).status).toBe(201);

  await cleaned();
  for (const at of [freshAt, staleAt]) expect((await ask("GET", at)).status).toBe(204);
  expect((await ask("HEAD", `${image}/blobs/${digest}`)).status).toBe(200);

  age("package_uploads", "updated_at", "id = ?", staleAt.split("/").at(-1) ?? "");
  age("package_files", "created_at", "composite_key = ?", digest);
  age("package_versions", "created_at", "version = '_upload'");
  await cleaned();
  expect([(await ask("GET", freshAt)).status, (await ask("GET", staleAt)).status]).toEqual([204, 404]);
  expect(count("blob_references WHERE area = 'package-chunks'")).toBe(1);
  expect((await ask("HEAD", `${image}/blobs/${digest}`)).status).toBe(404);
  expect(count("package_versions WHERE version = '_upload'")).toBe(0);
});
