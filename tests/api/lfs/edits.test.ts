import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, call, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { as, aThing, lfsOf, pointerTo } from "./client.ts";

/** Edits of files that `.gitattributes` give to git LFS (contract git-content.md 4.7). */

let server: TestServer;
let ada: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const files = { ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n", "plain.txt": "plain" };
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64");
const rawOf = async (name: string, path: string) =>
  (await call(server, "GET", `/ada/${name}/raw/branch/main/${path}`)).text;
const rows = () => server.core.db.query<{ n: number }>("SELECT count(*) AS n FROM lfs_objects").get()?.n;

test("what is created and changed becomes an object and its pointer", async () => {
  const { name } = aRepo(server, ada.user, { files });
  const [one, two] = [aThing(), aThing()];
  const made = await api<{ content: Json }>("POST", `/repos/ada/${name}/contents/a.bin`, ada, {
    content: base64(one.bytes),
  });
  expect([made.status, made.body.content["lfs_oid"], made.body.content["lfs_size"]]).toEqual([201, one.oid, one.size]);
  expect(await rawOf(name, "a.bin")).toBe(pointerTo(one));
  expect((await lfsOf(server, `ada/${name}`).get(one.oid)).text).toBe(one.bytes.toString());
  const changed = await api("PUT", `/repos/ada/${name}/contents/a.bin`, ada, {
    content: base64(two.bytes),
    sha: made.body.content["sha"],
  });
  expect(changed.status).toBe(200);
  expect(await rawOf(name, "a.bin")).toBe(pointerTo(two));
  const text = await api("POST", `/repos/ada/${name}/contents/b.txt`, ada, { content: base64(one.bytes) });
  expect(text.status).toBe(201);
  expect(await rawOf(name, "b.txt")).toBe(one.bytes.toString());
  await api("POST", `/repos/ada/${name}/contents/empty.bin`, ada, { content: "" });
  expect(await rawOf(name, "empty.bin")).toBe("");
  await api("POST", `/repos/ada/${name}/contents/pointer.bin`, ada, { content: base64(pointerTo(one)) });
  expect(await rawOf(name, "pointer.bin")).toBe(pointerTo(one));
});

test("what is moved into or out of their paths changes its form", async () => {
  const { name } = aRepo(server, ada.user, { files });
  const plain = aThing("plain");
  const move = (from_path: string, path: string) =>
    api("POST", `/repos/ada/${name}/contents`, ada, { files: [{ operation: "rename", from_path, path }] });
  expect((await move("plain.txt", "now.bin")).status).toBe(201);
  expect(await rawOf(name, "now.bin")).toBe(pointerTo(plain));
  expect((await move("now.bin", "again.bin")).status).toBe(201);
  expect(await rawOf(name, "again.bin")).toBe(pointerTo(plain));
  expect((await move("again.bin", "back.txt")).status).toBe(201);
  expect(await rawOf(name, "back.txt")).toBe("plain");
});

test("an edit that comes to nothing leaves no object", async () => {
  const { name } = aRepo(server, ada.user, { files });
  const thing = aThing();
  const before = rows();
  const operations = [
    { operation: "create", path: "a.bin", content: base64(thing.bytes) },
    { operation: "create", path: "plain.txt", content: "eA==" },
  ];
  expect((await api("POST", `/repos/ada/${name}/contents`, ada, { files: operations })).status).toBe(422);
  expect(rows()).toBe(before);
  expect(server.services.blobs.files.sizeOf(thing.oid)).toBeUndefined();
  expect([...new Bun.Glob("*").scanSync(`${server.house.core.config.data}/blobs/incoming`)]).toEqual([]);
});

test("a file that someone else has locked is not opened in the editor", async () => {
  const { name } = aRepo(server, ada.user, { files });
  const bob = await aUser(server);
  const member = `/repos/ada/${name}/collaborators/${bob.login}`;
  await api("PUT", member, ada, { permission: "write" });
  await lfsOf(server, `ada/${name}`).ask("POST", "locks", as(bob), { path: "plain.txt" });
  const { aSession } = await import("../../builders.ts");
  const open = async (who: TestUser) =>
    (await call(server, "GET", `/ada/${name}/_edit/main/plain.txt`, { cookie: await aSession(server, who.user) }))
      .status;
  expect([await open(ada), await open(bob)]).toEqual([404, 200]);
});
