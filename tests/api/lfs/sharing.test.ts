import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, call, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { as, aThing, lfsOf, pointerTo, type Thing } from "./client.ts";

/** Large files that go along with history: forks, merges, updates, templates (contract git-content.md 16.7). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const has = async (at: string, { oid }: Thing) => (await lfsOf(server, at).get(oid, as(ada))).status === 200;
const put = (at: string, thing: Thing, who: TestUser) => lfsOf(server, at).put(thing, thing.bytes, as(who));
const addPointer = (at: string, path: string, thing: Thing, who: TestUser, branch = "main") =>
  api("POST", `/repos/${at}/contents/${path}`, who, {
    content: Buffer.from(pointerTo(thing)).toString("base64"),
    branch,
  });

async function aForkOf(name: string, login = "bob", who = bob): Promise<string> {
  const made = await api("POST", `/repos/ada/${name}/forks`, who, { name: `${name}-fork` });
  expect(made.status).toBe(202);
  return `${login}/${name}-fork`;
}
async function aPull(name: string, fork: string): Promise<number> {
  const body = { title: "t", base: "main", head: `${fork.split("/")[0]}:main` };
  const made = await api("POST", `/repos/ada/${name}/pulls`, bob, body);
  expect(made.status).toBe(201);
  return Number(made.body["number"]);
}

test("a fork has them, also when what it was forked from is gone", async () => {
  const { id, name } = aRepo(server, ada.user, { files: { "a.txt": "a" } });
  const thing = aThing();
  await put(`ada/${name}`, thing, ada);
  const fork = await aForkOf(name);
  expect(await has(fork, thing)).toBe(true);
  await api("DELETE", `/repos/ada/${name}`, ada);
  server.core.db.transaction(() => server.core.db.query("DELETE FROM repositories WHERE id = ?").run(id));
  server.services.blobs.sweep();
  expect(await has(fork, thing)).toBe(true);
  expect((await lfsOf(server, fork).get(thing.oid)).text).toBe(thing.bytes.toString());
});

for (const style of ["merge", "rebase", "squash"])
  test(`a merge (${style}) brings those of the merged commits, and no others`, async () => {
    const { name } = aRepo(server, ada.user, { files: { "a.txt": "a" } });
    const fork = await aForkOf(name);
    const [used, unused] = [aThing(), aThing()];
    await put(fork, used, bob);
    await put(fork, unused, bob);
    await addPointer(fork, "used.bin", used, bob);
    const number = await aPull(name, fork);
    expect(await has(`ada/${name}`, used)).toBe(false);
    const merged = await api("POST", `/repos/ada/${name}/pulls/${number}/merge`, ada, { do: style });
    expect(merged.status).toBe(200);
    expect([await has(`ada/${name}`, used), await has(`ada/${name}`, unused)]).toEqual([true, false]);
    expect((await call(server, "GET", `/ada/${name}/media/branch/main/used.bin`)).text).toBe(used.bytes.toString());
  });

test("a pointer to what the fork never had brings nothing", async () => {
  const { name } = aRepo(server, ada.user, { files: { "a.txt": "a" } });
  const hidden = aRepo(server, ada.user, { isPrivate: true });
  const secret = aThing();
  await put(`ada/${hidden.name}`, secret, ada);
  const fork = await aForkOf(name);
  await addPointer(fork, "secret.bin", secret, bob);
  const number = await aPull(name, fork);
  await api("POST", `/repos/ada/${name}/pulls/${number}/merge`, ada, { do: "merge" });
  expect((await lfsOf(server, `ada/${name}`).get(secret.oid)).status).toBe(404);
  expect((await call(server, "GET", `/ada/${name}/media/branch/main/secret.bin`)).text).toBe(pointerTo(secret));
});

test("a head that is brought up to date, and a fork that is synced, have those of the base", async () => {
  const { name } = aRepo(server, ada.user, { files: { "a.txt": "a" } });
  const fork = await aForkOf(name);
  await api("POST", `/repos/${fork}/contents/b.txt`, bob, { content: "Yg==", branch: "main" });
  const number = await aPull(name, fork);
  const [first, second] = [aThing(), aThing()];
  await put(`ada/${name}`, first, ada);
  await addPointer(`ada/${name}`, "first.bin", first, ada);
  expect((await api("POST", `/repos/ada/${name}/pulls/${number}/update`, bob)).status).toBe(200);
  expect(await has(fork, first)).toBe(true);
  await put(`ada/${name}`, second, ada);
  await addPointer(`ada/${name}`, "second.bin", second, ada);
  expect(await has(fork, second)).toBe(false);
  expect((await api("POST", `/repos/${fork}/merge-upstream`, bob, { branch: "main" })).status).toBe(200);
  expect(await has(fork, second)).toBe(true);
});

test("what is made from a template has those of its files", async () => {
  const [used, old] = [aThing(), aThing()];
  const { name } = aRepo(server, ada.user, { files: { "a.bin": pointerTo(used) } });
  for (const thing of [used, old]) await put(`ada/${name}`, thing, ada);
  await api("PATCH", `/repos/ada/${name}`, ada, { template: true });
  const asked = { owner: "bob", name: `${name}-made`, git_content: true };
  const made = await api<Json>("POST", `/repos/ada/${name}/generate`, bob, asked);
  expect(made.status).toBe(201);
  const at = `bob/${name}-made`;
  expect([await has(at, used), await has(at, old)]).toEqual([true, false]);
});
