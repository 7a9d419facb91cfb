import { afterAll, beforeAll, expect, test } from "bun:test";
import { type GraphCommit, Lanes, MAX_LANES } from "../../src/content/graph/lanes.ts";
import { anApi, aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";

/** The graph of branches, the history of a file through its names, and branches that come back. */

let server: TestServer;
let ada: TestUser;
let cookie: string;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  cookie = await aSession(server, ada.user);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const api = anApi(() => server);
const get = (path: string, as = cookie) => call(server, "GET", path, as ? { cookie: as } : {});
const post = (path: string, fields: Record<string, string>) =>
  call(server, "POST", path, {
    cookie,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
const write = (repo: string, path: string, more: Record<string, unknown> = {}) =>
  api("POST", `/repos/ada/${repo}/contents/${path}`, ada, { content: "YQ==", message: `Add ${path}`, ...more });

function rowsOf(commits: Readonly<Record<string, string>>) {
  const lanes = new Lanes();
  return Object.entries(commits).map(([oid, parents]) =>
    lanes.place({ oid, parents: parents.split("").filter(Boolean) }),
  );
}

test("a merge joins the lane of its second parent, which ends where both began", () => {
  expect(rowsOf({ m: "ab", a: "r", b: "r", r: "" })).toEqual([
    { oid: "m", lane: 0, from: [], to: [0, 1], past: [] },
    { oid: "a", lane: 0, from: [0], to: [0], past: [1] },
    { oid: "b", lane: 1, from: [1], to: [0], past: [0] },
    { oid: "r", lane: 0, from: [0], to: [], past: [] },
  ]);
});

test("every line begins and ends at a commit, and very many share the last lane", () => {
  const roots = Array.from({ length: 100 }, (_, at): GraphCommit => ({ oid: `t${at}`, parents: [`p${at}`] }));
  const lanes = new Lanes();
  for (const row of roots.map((each) => lanes.place(each))) {
    expect(row.lane).toBeLessThan(MAX_LANES);
    for (const lane of [...row.to, ...row.past]) expect(lane).toBeLessThan(MAX_LANES);
  }
});

test("of the many names at one commit some are shown, and how many more there are", async () => {
  aRepo(server, ada.user, { name: "many", files: { "a.txt": "a" } });
  for (let at = 10; at < 23; at++)
    expect((await api("POST", "/repos/ada/many/tags", ada, { tag_name: `v${at}` })).status).toBe(201);
  const { text } = await get("/ada/many/graph");
  expect([text.includes("v19"), text.includes("v20"), text.includes("+3")]).toEqual([true, false, true]);
});

test("the page shows commits of all branches or of one, with the names that stand at them", async () => {
  aRepo(server, ada.user, { name: "lib", files: { "a.txt": "a" } });
  await write("lib", "side.txt", { new_branch: "side" });
  await write("lib", "main.txt");
  const all = await get("/ada/lib/graph");
  expect(all.status).toBe(200);
  for (const part of ["Add side.txt", "Add main.txt", "First commit", "<svg", "/ada/lib/src/branch/side"])
    expect(all.text).toContain(part);
  const one = await get("/ada/lib/graph?branch=main&mode=monochrome");
  expect([one.text.includes("Add main.txt"), one.text.includes("Add side.txt")]).toEqual([true, false]);
  expect((await get("/ada/lib/graph?branch=nope&page=99999")).status).toBe(404);
  aRepo(server, ada.user, { name: "hidden", isPrivate: true, files: { "a.txt": "a" } });
  expect((await get("/ada/hidden/graph", "")).status).toBe(404);
});

test("the history of a file goes on under its former name when that is asked for", async () => {
  aRepo(server, ada.user, { name: "moved", files: { "old.txt": "one\ntwo\nthree\nfour\n" }, message: "Make old" });
  await post("/ada/moved/_edit/main/old.txt", {
    tree_path: "new.txt",
    content: "one\ntwo\nthree\nfour\n",
    commit_summary: "Move it",
  });
  const plain = await get("/ada/moved/commits/branch/main/new.txt");
  expect([plain.text.includes("Move it"), plain.text.includes("Make old")]).toEqual([true, false]);
  expect(plain.text).toContain("follow-rename=true");
  expect((await get("/ada/moved/commits/branch/main/new.txt?follow-rename=true")).text).toContain("Make old");
});

test("a deleted branch comes back to where it stood, unless its name was taken", async () => {
  aRepo(server, ada.user, { name: "back", files: { "a.txt": "a" } });
  const made = await write("back", "b.txt", { new_branch: "topic" });
  const sha = (made.body["commit"] as { sha: string }).sha;
  await post("/ada/back/branches/delete", { name: "topic" });
  const page = await get("/ada/back/branches");
  expect(page.text).toContain("Recently deleted");
  const id = /name="branch_id" value="(\d+)"/.exec(page.text)?.[1] ?? "";
  expect((await get("/ada/back/branches", "")).text).not.toContain("branch_id");
  expect((await post("/ada/lib/branches/restore", { branch_id: id })).status).toBe(404);
  expect((await post("/ada/back/branches/restore", { branch_id: id })).status).toBe(303);
  expect((await api("GET", "/repos/ada/back/branches/topic", ada)).body["commit"]).toMatchObject({ id: sha });
  expect((await get("/ada/back/branches")).text).not.toContain("Recently deleted");
  await post("/ada/back/branches/restore", { branch_id: id });
  expect((await get("/ada/back/branches")).text).not.toContain("branch_id");
});

test("a comparison lists the newest commits, and the others when they are asked for", async () => {
  const { name } = aRepo(server, ada.user, { files: { "a.txt": "a" } });
  expect((await write(name, "0.txt", { new_branch: "long" })).status).toBe(201);
  for (let at = 1; at < 33; at++) expect((await write(name, `${at}.txt`, { branch: "long" })).status).toBe(201);
  const compare = `/ada/${name}/compare/main...long`;
  const rows = (html: string) => html.split('<li class="commit-row"><div class="commit-text">').length - 1;
  const first = (await get(compare)).text;
  expect(rows(first)).toBe(30);
  expect(first).toContain("33 commits");
  expect(first).toContain(`href="${compare}?commits=all"`);
  expect(first).toContain("Show 3 more commits");
  const all = (await get(`${compare}?commits=all`)).text;
  expect(rows(all)).toBe(33);
  expect(all).not.toContain("more commits");
});

test("the graph shows the newest rows, and the others of its page when they are asked for", async () => {
  const { name } = aRepo(server, ada.user, { files: { "a.txt": "a" } });
  for (let at = 0; at < 52; at++) expect((await write(name, `${at}.txt`)).status).toBe(201);
  const rows = (html: string) => html.split('<svg class="graph-lines"').length - 1;
  const first = (await get(`/ada/${name}/graph`)).text;
  expect(rows(first)).toBe(50);
  expect(first).toContain(`href="/ada/${name}/graph?rows=rest"`);
  const rest = (await get(`/ada/${name}/graph?rows=rest`)).text;
  expect([rows(rest), rest.includes("graph-rest")]).toEqual([3, false]);
});
