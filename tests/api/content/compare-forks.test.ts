import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  anApi,
  aRepo,
  aServer,
  aSession,
  aUser,
  call,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** Comparing across forks, over REST and on pages: what neither repository holds alone, and who is told of it. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
let forked: string;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  eve = await aUser(server, { login: "eve" });
  aRepo(server, ada.user, { name: "lib", files: { "a.txt": "one\n" } });
  await api("POST", "/repos/ada/lib/forks", bob, {});
  const made = await write(bob, "bob/lib", "forked.txt", "side");
  forked = (made.body["commit"] as Json)["sha"] as string;
  // Since then the base went on, which the fork does not have.
  await write(ada, "ada/lib", "base.txt");
});
afterAll(() => server.close());

const api = anApi(() => server);
const write = (who: TestUser, repo: string, path: string, branch?: string) =>
  api("POST", `/repos/${repo}/contents/${path}`, who, {
    content: Buffer.from(`${path}\n`).toString("base64"),
    ...(branch ? { new_branch: branch } : {}),
  });
const shas = (answer: { readonly body: Json }) => (answer.body["commits"] as Json[]).map((commit) => commit["sha"]);

test("a fork's branch is compared with its base, and the other way round", async () => {
  for (const head of ["bob:side", "bob/lib:side", "bob%2Flib:side"]) {
    const answer = await api("GET", `/repos/ada/lib/compare/main...${head}`, eve);
    expect([answer.status, shas(answer)]).toEqual([200, [forked]]);
  }
  const back = await api("GET", "/repos/bob/lib/compare/side...ada:main", eve);
  expect(back.body["total_commits"]).toBe(1);
  const three = await api("GET", "/repos/ada/lib/compare/main...bob:side?output=diff", eve);
  expect([three.text.includes("forked.txt"), three.text.includes("base.txt")]).toEqual([true, false]);
  const two = await api("GET", "/repos/ada/lib/compare/main..bob:side?output=diff", eve);
  expect([two.text.includes("forked.txt"), two.text.includes("base.txt")]).toEqual([true, true]);
  expect((await api("GET", "/repos/ada/lib/compare/main...bob:side?output=patch", eve)).text).toContain(forked);
});

test("who has no fork, and a fork that is hidden, look the same", async () => {
  for (const [head, status] of [
    ["eve:side", 400],
    ["nobody:side", 404],
    ["eve/lib:x", 404],
    ["bob:nope", 404],
  ] as const)
    expect((await api("GET", `/repos/ada/lib/compare/main...${head}`, eve)).status).toBe(status);
  const other = aRepo(server, eve.user, { name: "other", files: { "b.txt": "b\n" } });
  expect((await api("GET", `/repos/ada/lib/compare/main...eve/${other.name}:main`, eve)).status).toBe(404);
  const hidden = await aUser(server, { login: "hid" });
  await api("POST", "/repos/ada/lib/forks", hidden, { name: "mine" });
  await write(hidden, "hid/mine", "h.txt", "secret");
  const id = server.services.repos.find(hidden.user, "mine")?.id ?? 0;
  server.core.db.query("UPDATE repositories SET is_private = 1 WHERE id = ?").run(id);
  expect((await api("GET", "/repos/ada/lib/compare/main...hid:secret", eve)).status).toBe(400);
  expect((await api("GET", "/repos/ada/lib/compare/main...hid/mine:secret", eve)).status).toBe(404);
  expect((await api("GET", "/repos/ada/lib/compare/main...hid:secret", hidden)).status).toBe(200);
});

test("the page shows commits and files, and the form leads to it", async () => {
  const cookie = await aSession(server, eve.user);
  const get = (path: string) => call(server, "GET", path, { cookie });
  const chosen = await get("/ada/lib/compare?base=main&head=bob:side");
  expect([chosen.status, chosen.headers.get("location")]).toEqual([303, "/ada/lib/compare/main...bob%3Aside"]);
  const page = await get("/ada/lib/compare/main...bob:side");
  expect(page.status).toBe(200);
  for (const part of [forked, "forked.txt", 'value="bob:side"']) expect(page.text).toContain(part);
  expect((await get("/ada/lib/compare/main..bob:side")).text).toContain("base.txt");
  expect((await get("/ada/lib/compare/main...main")).text).toContain("There are no differences to show");
  expect((await get("/ada/lib/compare/main...bob:side.patch")).text).toContain("forked.txt");
  expect((await get("/ada/lib/compare/nope...main")).status).toBe(404);
  expect((await get(`/ada/lib/compare/${"x".repeat(2000)}`)).status).toBe(404);
});
