import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { aRepo, aServer, aToken, aUser, call, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { as, aThing, type LfsClient, lfsOf, pointerTo } from "./client.ts";

/** Objects of large files over HTTP (contract git-content.md 16.3, 16.4). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  server = await aServer({ "lfs.max_object_mib": 1, "lfs.max_batch_objects": 5 });
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const aPlace = (isPrivate = false): { name: string; lfs: LfsClient } => {
  const { name } = aRepo(server, ada.user, { isPrivate });
  return { name, lfs: lfsOf(server, `ada/${name}`) };
};
const objectRows = (name: string) =>
  server.core.db
    .query<{ oid: string }>("SELECT oid FROM lfs_objects JOIN repositories ON repositories.id = repo_id WHERE name = ?")
    .all(name).length;
const incoming = () => [...new Bun.Glob("*").scanSync(join(server.house.core.config.data, "blobs/incoming"))];

test("goes up in three steps and comes down as it was", async () => {
  const { lfs } = aPlace(true);
  const thing = aThing(randomBytes(300_000));
  const [asked] = (await lfs.batch("upload", [thing], as(ada))).body.objects;
  expect(Object.keys(asked?.actions ?? {})).toEqual(["upload", "verify"]);
  const upload = asked?.actions?.["upload"];
  expect(upload?.header["Authorization"]).toStartWith("Basic ");
  const sent = await fetch(upload?.href ?? "", {
    method: "PUT",
    headers: upload?.header ?? {},
    body: new Uint8Array(thing.bytes),
  });
  expect(sent.status).toBe(200);
  expect((await lfs.verify(thing, as(ada))).status).toBe(200);
  const [there] = (await lfs.batch("download", [thing], as(ada))).body.objects;
  const download = there?.actions?.["download"];
  const got = await fetch(download?.href ?? "", { headers: download?.header ?? {} });
  expect(Buffer.from(await got.arrayBuffer()).equals(thing.bytes)).toBe(true);
  expect(got.headers.get("content-type")).toBe("application/octet-stream");
  expect(got.headers.get("content-length")).toBe("300000");
  expect(got.headers.get("x-gitea-lfs-content-length")).toBe("300000");
  expect(got.headers.get("etag")).toBe(`"${thing.oid}"`);
  expect((await lfs.batch("upload", [thing], as(ada))).body.objects).toEqual([{ oid: thing.oid, size: thing.size }]);
});

test("are asked for in JSON, whatever the client says that it sends", async () => {
  const { lfs } = aPlace();
  const thing = aThing();
  for (const type of ["", "text/plain", "application/json"]) {
    const who = { ...as(ada), headers: { ...as(ada).headers, "content-type": type } };
    const { body, status } = await lfs.batch("upload", [thing], who);
    expect([type, status, body.objects?.[0]?.oid]).toEqual([type, 200, thing.oid]);
  }
});

test("of which the bytes are others leaves nothing behind", async () => {
  const { lfs, name } = aPlace();
  const thing = aThing();
  const changed = Buffer.from(thing.bytes);
  changed[3] = (changed[3] ?? 0) ^ 1;
  for (const [bytes, message] of [
    [changed, "content hash does not match OID"],
    [thing.bytes.subarray(1), "content size does not match"],
    [Buffer.concat([thing.bytes, thing.bytes]), "content size does not match"],
  ] as const) {
    const answer = await lfs.put(thing, bytes, as(ada));
    expect([answer.status, answer.body["message"]]).toEqual([422, message]);
    expect(answer.headers.get("content-type")).toBe("application/vnd.git-lfs+json");
  }
  expect(objectRows(name)).toBe(0);
  expect(incoming()).toEqual([]);
  expect(server.services.blobs.files.sizeOf(thing.oid)).toBeUndefined();
});

test("is refused before it comes where it is too large, also one by one", async () => {
  const { lfs } = aPlace();
  const thing = { oid: "a".repeat(64), size: 2 ** 20 + 1 };
  const message = `Size must be less than or equal to ${2 ** 20}`;
  expect((await lfs.batch("upload", [thing], as(ada))).body.objects[0]?.error).toEqual({ code: 422, message });
  expect((await lfs.put(thing, Buffer.alloc(thing.size), as(ada))).body["message"]).toBe(message);
});

test("more objects than the server takes at once are refused, and what names none", async () => {
  const { lfs } = aPlace();
  const many = Array.from({ length: 6 }, () => aThing());
  expect((await lfs.batch("download", many, as(ada))).status).toBe(413);
  expect((await lfs.batch("download", many.slice(1), as(ada))).status).toBe(200);
  for (const body of [
    { operation: "download", objects: [{ oid: 5, size: 1 }] },
    { operation: "download", objects: [{ oid: "x", size: "1" }] },
    { operation: "download", objects: [{ oid: "x", size: 1.5 }] },
    { operation: "download", objects: ["x"] },
    { operation: "download", objects: {} },
    { operation: ["download"], objects: [] },
    {},
  ])
    expect((await lfs.ask("POST", "objects/batch", as(ada), body)).status).toBe(400);
  expect((await lfs.ask("POST", "verify", as(ada), { oid: 5 })).status).toBe(422);
});

test("of another repository is asked for again, and counted for whoever has it", async () => {
  const mine = aPlace(true);
  const { name } = aRepo(server, bob.user);
  const theirs = lfsOf(server, `bob/${name}`);
  const thing = aThing();
  await mine.lfs.put(thing, thing.bytes, as(ada));
  expect((await theirs.batch("upload", [thing], as(bob))).body.objects[0]?.actions?.["upload"]).toBeDefined();
  expect((await theirs.get(thing.oid, as(bob))).status).toBe(404);
  expect((await theirs.put(thing, thing.bytes.subarray(1), as(bob))).status).toBe(422);
  expect((await theirs.get(thing.oid, as(bob))).status).toBe(404);
  expect((await theirs.put(thing, thing.bytes, as(bob))).status).toBe(200);
  const sizeOf = async (path: string, who: TestUser) =>
    (await call<Json>(server, "GET", `/api/v1/repos/${path}`, { token: who.token })).body["size"];
  const big = aThing(randomBytes(200_000));
  const before = Number(await sizeOf(`bob/${name}`, bob));
  await theirs.put(big, big.bytes, as(bob));
  expect(Number(await sizeOf(`bob/${name}`, bob)) - before).toBeGreaterThanOrEqual(195);
});

test("that the disk has lost can be sent again", async () => {
  const { lfs, name } = aPlace();
  const thing = aThing();
  await lfs.put(thing, thing.bytes, as(ada));
  rmSync(server.services.blobs.files.pathOf(thing.oid));
  expect((await lfs.batch("download", [thing])).body.objects[0]?.error?.code).toBe(404);
  expect((await lfs.get(thing.oid)).status).toBe(404);
  expect((await lfs.verify(thing, as(ada))).status).toBe(404);
  expect((await lfs.batch("upload", [thing], as(ada))).body.objects[0]?.actions?.["upload"]).toBeDefined();
  expect((await lfs.put(thing, thing.bytes, as(ada))).status).toBe(200);
  expect((await lfs.get(thing.oid)).text).toBe(thing.bytes.toString());
  expect(objectRows(name)).toBe(1);
});

test("sent by many at once is there once", async () => {
  const { lfs, name } = aPlace();
  const thing = aThing(randomBytes(100_000));
  const answers = await Promise.all(Array.from({ length: 12 }, () => lfs.put(thing, thing.bytes, as(ada))));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(objectRows(name)).toBe(1);
});

test("gives parts, and says when there is none", async () => {
  const { lfs, name } = aPlace();
  const thing = aThing("0123456789");
  await lfs.put(thing, thing.bytes, as(ada));
  const part = (range: string) => lfs.get(thing.oid, { headers: { range } });
  for (const [range, status, text, told] of [
    ["bytes=2-5", 206, "2345", "bytes 2-5/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=8-100", 206, "89", "bytes 8-9/10"],
    ["bytes=8-3", 206, "89", "bytes 8-9/10"],
    ["bytes=-3", 206, "789", "bytes 7-9/10"],
    ["bytes=-", 200, "0123456789", null],
    ["lines=1-2", 200, "0123456789", null],
  ] as const) {
    const answer = await part(range);
    expect([range, answer.status, answer.text, answer.headers.get("content-range")]).toEqual([
      range,
      status,
      text,
      told,
    ]);
  }
  const none = await part("bytes=10-");
  expect([none.status, none.body["message"], none.headers.get("content-range")]).toEqual([
    416,
    "Requested Range Not Satisfiable",
    "bytes */10",
  ]);
  const tag = { headers: { "if-none-match": `"${thing.oid}"` } };
  expect((await lfs.get(thing.oid, tag)).status).toBe(304);
  const head = await call(server, "HEAD", `/ada/${name}.git/info/lfs/objects/${thing.oid}`);
  expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", "10"]);
  const named = await lfs.get(`${thing.oid}/${Buffer.from("my ❤.bin").toString("base64url")}`);
  expect(named.headers.get("content-disposition")).toBe(
    "attachment; filename=\"my _.bin\"; filename*=utf-8''my%20%E2%9D%A4.bin",
  );
  expect((await lfs.get(`${thing.oid}/***`)).headers.get("content-disposition")).toBe("attachment");
});

test("media addresses give the object, raw ones the pointer", async () => {
  const thing = aThing(randomBytes(70_000));
  const lost = aThing();
  const files = {
    "a.bin": pointerTo(thing),
    "lost.bin": pointerTo(lost),
    "other.bin": pointerTo({ ...thing, size: 1 }),
  };
  const { name } = aRepo(server, ada.user, { files });
  await lfsOf(server, `ada/${name}`).put(thing, thing.bytes, as(ada));
  for (const at of [`/api/v1/repos/ada/${name}/media/`, `/ada/${name}/media/branch/main/`]) {
    const found = await fetch(`${server.url.replace(/\/$/, "")}${at}a.bin`);
    expect(Buffer.from(await found.arrayBuffer()).equals(thing.bytes)).toBe(true);
    expect(found.headers.get("etag")).toBe(`"${thing.oid}"`);
    const modified = found.headers.get("last-modified") ?? "";
    const since = await call(server, "GET", `${at}a.bin`, { headers: { "if-modified-since": modified } });
    expect(since.status).toBe(304);
    const part = await call(server, "GET", `${at}a.bin`, { headers: { range: "bytes=0-3" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 0-3/70000"]);
    for (const [file, content] of [
      ["lost.bin", pointerTo(lost)],
      ["other.bin", pointerTo({ ...thing, size: 1 })],
    ] as const) {
      const answer = await call(server, "GET", `${at}${file}`);
      expect([answer.text, answer.headers.get("etag") !== null]).toEqual([content, true]);
    }
  }
  expect((await call(server, "GET", `/api/v1/repos/ada/${name}/raw/a.bin`)).text).toBe(pointerTo(thing));
  const told = await call<Json>(server, "GET", `/api/v1/repos/ada/${name}/contents/a.bin`);
  expect([told.body["lfs_oid"], told.body["lfs_size"]]).toEqual([thing.oid, thing.size]);
});

test("sort by lfs_size knows them", async () => {
  const owner = await aUser(server);
  const [small, large] = [aRepo(server, owner.user), aRepo(server, owner.user)];
  for (const [repo, size] of [
    [small, 10],
    [large, 1000],
  ] as const) {
    const thing = aThing(randomBytes(size));
    await lfsOf(server, `${owner.login}/${repo.name}`).put(thing, thing.bytes, as(owner));
  }
  const path = `/api/v1/repos/search?uid=${owner.user.id}&exclusive=true&sort=lfs_size&order=desc`;
  const { body } = await call<{ data: { name: string }[] }>(server, "GET", path, { token: owner.token });
  expect(body.data.map(({ name }) => name)).toEqual([large.name, small.name]);
});

test("a token of read:repository fetches and sends nothing; an archive takes nothing", async () => {
  const { lfs, name } = aPlace(true);
  const thing = aThing();
  const reading = { basic: ["x", aToken(server, ada.user, ["read:repository"])] } as const;
  expect((await lfs.put(thing, thing.bytes, reading)).status).toBe(403);
  expect((await lfs.put(thing, thing.bytes, as(ada))).status).toBe(200);
  expect((await lfs.get(thing.oid, reading)).status).toBe(200);
  const archive = { archived: true };
  await call(server, "PATCH", `/api/v1/repos/ada/${name}`, { token: ada.token, body: archive });
  expect((await lfs.put(aThing(), aThing().bytes, as(ada))).status).toBe(403);
  expect((await lfs.ask("POST", "locks", as(ada), { path: "a" })).status).toBe(403);
  expect((await lfs.get(thing.oid, as(ada))).status).toBe(200);
});
