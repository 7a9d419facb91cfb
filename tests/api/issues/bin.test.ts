import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { anApi, aRepo, aServer, aUser, type Json, settled, type TestServer, type TestUser } from "../../builders.ts";
import { aPageOf, type Visitor } from "../../web/browser-calls.ts";

/** Deleted issues, pull requests and comments: gone from everywhere, and back with all they had. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let asAda: Visitor;
let asBob: Visitor;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  [ada, bob] = await Promise.all([aUser(server, { login: "ada" }), aUser(server, { login: "bob" })]);
  const visitor = async (who: TestUser) => {
    return aPageOf(server, who.user);
  };
  [asAda, asBob] = [await visitor(ada), await visitor(bob)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

let made = 0;
function aPlace() {
  const { id, name } = aRepo(server, ada.user, { name: `bin${++made}`, files: { "README.md": "hi\n" } });
  return { id, name, at: `/repos/ada/${name}`, page: `/ada/${name}` };
}
const ok = async <Body = Json>(method: string, path: string, who?: TestUser, body?: unknown) => {
  const answer = await api<Body>(method, path, who, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
};
async function upload(path: string, who: TestUser, content: string): Promise<string> {
  const form = new FormData();
  form.append("attachment", new Blob([content]), "notes.txt");
  const answer = await fetch(new URL(`/api/v1${path}/assets`, server.url), {
    method: "POST",
    headers: { authorization: `token ${who.token}` },
    body: form,
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { uuid: string }).uuid;
}
const download = async (uuid: string) => (await fetch(new URL(`/attachments/${uuid}`, server.url))).text();
/** Everything that the API says of an item. */
const allOf = (item: string, who: TestUser) =>
  Promise.all(
    ["", "/timeline", "/comments", "/assets", "/labels", "/reactions", "/times", "/dependencies", "/blocks"].map(
      (part) => api("GET", `${item}${part}`, who),
    ),
  ).then((answers) => answers.map(({ body }) => body));
const counts = async (at: string) => {
  const [repo, labels, milestones] = await Promise.all([
    ok<{ open_issues_count: number }>("GET", at, ada),
    ok<unknown[]>("GET", `${at}/labels`, ada),
    ok<unknown[]>("GET", `${at}/milestones?state=all`, ada),
  ]);
  return [repo.open_issues_count, labels, milestones];
};
/** The number in the bin that the page offers to take back. */
const undoOf = async (who: Visitor, at: string) => {
  const { text } = await who.get(at);
  return /issues\/restore[\s\S]*?name="id" value="(\d+)"/.exec(text)?.[1] ?? "";
};

test("a deleted issue is nowhere, and comes back with its number, timeline, files, links and counts", async () => {
  const { at, page } = aPlace();
  const label = await ok<{ id: number }>("POST", `${at}/labels`, ada, { name: "bug", color: "#ff0000" });
  const milestone = await ok<{ id: number }>("POST", `${at}/milestones`, ada, { title: "1.0" });
  const first = await ok<{ number: number }>("POST", `${at}/issues`, ada, { title: "Before it" });
  await ok("POST", `${at}/issues`, bob, {
    title: "Leaking zirconium tank",
    body: "see #1",
  });
  const item = `${at}/issues/2`;
  await ok("PATCH", item, ada, { assignees: ["ada"], milestone: milestone.id, due_date: "2031-05-06T00:00:00Z" });
  await ok("POST", `${item}/labels`, ada, { labels: [label.id] });
  const comment = await ok<{ id: number }>("POST", `${item}/comments`, bob, { body: "a quibbling word for #1" });
  await ok("PATCH", `${at}/issues/comments/${comment.id}`, bob, { body: "a quibbling word, changed, for #1" });
  await ok("POST", `${at}/issues/comments/${comment.id}/reactions`, ada, { content: "heart" });
  await ok("POST", `${item}/reactions`, ada, { content: "+1" });
  const files = [
    await upload(item, bob, "of the issue"),
    await upload(`${at}/issues/comments/${comment.id}`, ada, "of the comment"),
  ];
  expect(await Promise.all(files.map(download))).toEqual(["of the issue", "of the comment"]);
  await ok("POST", `${item}/dependencies`, ada, { index: first.number });
  await ok("POST", `${item}/times`, ada, { time: 60 });
  await settled(server);
  const before = await allOf(item, ada);
  const [firstBefore, countsBefore] = [await allOf(`${at}/issues/1`, ada), await counts(at)];
  const unread = (await ok<unknown[]>("GET", "/notifications?all=true", ada)).length;

  const deleted = await asAda.post(`${page}/issues/2/delete`, { confirm: "#2" });
  expect(deleted.location).toBe(`${page}/issues`);
  for (const path of ["", "/timeline", "/comments", "/assets"])
    expect((await api("GET", `${item}${path}`, ada)).status).toBe(404);
  expect((await api("GET", `${at}/issues/comments/${comment.id}`, ada)).status).toBe(404);
  for (const uuid of files) expect((await fetch(new URL(`/attachments/${uuid}`, server.url))).status).toBe(404);
  for (const path of [`${at}/issues?q=zirconium`, `/repos/issues/search?q=quibbling`, `${at}/issues?labels=bug`])
    expect(await ok<unknown[]>("GET", path, ada)).toEqual([]);
  expect(JSON.stringify(await allOf(`${at}/issues/1`, ada))).not.toContain("zirconium");
  expect(JSON.stringify(await ok("GET", "/notifications?all=true", ada))).not.toContain("zirconium");
  expect(await ok("GET", `${at}/activities/feeds`, ada).then(JSON.stringify)).not.toContain("zirconium");
  // Its number is not given again.
  expect((await ok<{ number: number }>("POST", `${at}/issues`, ada, { title: "Next" })).number).toBe(3);
  await ok("DELETE", `${at}/issues/3`, ada);

  const id = await undoOf(asAda, `${page}/issues`);
  expect((await asAda.post(`${page}/issues/restore`, { id })).location).toBe(`${page}/issues/2`);
  expect(await allOf(item, ada)).toEqual(before);
  expect(await allOf(`${at}/issues/1`, ada)).toEqual(firstBefore);
  expect(await counts(at)).toEqual(countsBefore);
  expect(await ok<unknown[]>("GET", "/notifications?all=true", ada)).toHaveLength(unread);
  expect(await Promise.all(files.map(download))).toEqual(["of the issue", "of the comment"]);
  expect(await ok<unknown[]>("GET", `${at}/issues?q=zirconium`, ada)).toHaveLength(1);
  expect(await ok<unknown[]>("GET", `/repos/issues/search?q=quibbling`, ada)).toHaveLength(1);
});

test("who wrote a comment takes its deletion back; others neither see the bin nor restore from it", async () => {
  const { at, page } = aPlace();
  await ok("POST", `${at}/issues`, ada, { title: "One" });
  await ok("POST", `${at}/issues`, ada, { title: "Two" });
  const item = `${at}/issues/1`;
  const { id } = await ok<{ id: number }>("POST", `${item}/comments`, bob, { body: "look at #2" });
  const before = [await ok("GET", item, ada), await allOf(`${at}/issues/2`, ada)];
  await asBob.post(`${page}/comments/${id}/delete`);
  expect((await ok<{ comments: number }>("GET", item, ada)).comments).toBe(0);
  const binned = await undoOf(asBob, `${page}/issues/1`);
  expect(binned).not.toBe("");
  const carl = await aUser(server);
  const asCarl = await aPageOf(server, carl.user);
  for (const who of [asCarl, asBob]) expect((await who.get(`${page}/settings/deleted-issues`)).status).toBe(404);
  await asCarl.post(`${page}/issues/restore`, { id: binned });
  expect((await api("GET", `${at}/issues/comments/${id}`, ada)).status).toBe(404);
  // Nor by another repository's address.
  const other = aPlace();
  await asAda.post(`${other.page}/issues/restore`, { id: binned });
  expect((await api("GET", `${at}/issues/comments/${id}`, ada)).status).toBe(404);

  const list = await asAda.get(`${page}/settings/deleted-issues`);
  expect(list.text).toContain("look at #2");
  const restored = await asBob.post(`${page}/issues/restore`, { id: binned });
  expect(restored.location).toBe(`${page}/issues/1#issuecomment-${id}`);
  const strip = (text: unknown) => JSON.stringify(text).replaceAll(/"updated_at":"[^"]*"/g, "");
  expect(strip([await ok("GET", item, ada), await allOf(`${at}/issues/2`, ada)])).toBe(strip(before));
});

test("what led to something that is gone comes back without it", async () => {
  const { at, page } = aPlace();
  const label = await ok<{ id: number }>("POST", `${at}/labels`, ada, { name: "gone", color: "#00ff00" });
  const milestone = await ok<{ id: number }>("POST", `${at}/milestones`, ada, { title: "gone" });
  await ok("POST", `${at}/issues`, ada, { title: "Blocker" });
  await ok("POST", `${at}/issues`, ada, { title: "It", labels: [label.id], milestone: milestone.id });
  await ok("POST", `${at}/issues/2/dependencies`, ada, { index: 1 });
  await asAda.post(`${page}/issues/2/delete`, { confirm: "#2" });
  const id = await undoOf(asAda, `${page}/issues`);
  await ok("DELETE", `${at}/labels/${label.id}`, ada);
  await ok("DELETE", `${at}/milestones/${milestone.id}`, ada);
  await ok("DELETE", `${at}/issues/1`, ada);
  await asAda.post(`${page}/issues/restore`, { id });
  const issue = await ok<{ labels: unknown[]; milestone: unknown }>("GET", `${at}/issues/2`, ada);
  expect(issue).toMatchObject({ title: "It", labels: [], milestone: null });
  expect(await ok<unknown[]>("GET", `${at}/issues/2/dependencies`, ada)).toEqual([]);
  expect((await api("GET", `${at}/issues/2/timeline`, ada)).status).toBe(200);
});

test("a pull request comes back with its commits", async () => {
  const { at, page } = aPlace();
  await ok("POST", `${at}/contents/new.txt`, ada, {
    content: Buffer.from("new\n").toString("base64"),
    message: "Add",
    new_branch: "topic",
  });
  await ok("POST", `${at}/pulls`, ada, { title: "Bring it", head: "topic", base: "main" });
  await settled(server);
  const before = await ok<{ head: { sha: string }; mergeable: boolean }>("GET", `${at}/pulls/1`, ada);
  await asAda.post(`${page}/pulls/1/delete`, { confirm: "#1" });
  if ((await api("GET", `${at}/pulls/1`, ada)).status === 200)
    await asAda.post(`${page}/issues/1/delete`, { confirm: "#1" });
  expect((await api("GET", `${at}/pulls/1`, ada)).status).toBe(404);
  expect(await ok("GET", `${at}/git/refs`, ada).then(JSON.stringify)).not.toContain("refs/pull");
  // The bin keeps it even when the branch is gone meanwhile.
  const id = await undoOf(asAda, `${page}/pulls`);
  await asAda.post(`${page}/issues/restore`, { id });
  await settled(server);
  const after = await ok<{ head: { sha: string }; mergeable: boolean }>("GET", `${at}/pulls/1`, ada);
  expect(after).toMatchObject({ head: { sha: before.head.sha }, mergeable: true });
  expect((await ok<unknown[]>("GET", `${at}/pulls/1/commits`, ada)).length).toBe(1);
});

test("what has been in the bin for its time goes for good, with its files", async () => {
  const { at, page } = aPlace();
  await ok("POST", `${at}/issues`, ada, { title: "Old" });
  const uuid = await upload(`${at}/issues/1`, ada, `bytes of ${at}`);
  await asAda.post(`${page}/issues/1/delete`, { confirm: "#1" });
  const id = await undoOf(asAda, `${page}/issues`);
  const { blobs, itemBin } = server.services;
  expect(blobs.of("deleted-attachments", uuid)).toBeDefined();
  expect(itemBin.prune(0, 50)).toBe(0);
  itemBin.prune(Date.now() + 1000, 50);
  expect(blobs.of("deleted-attachments", uuid)).toBeUndefined();
  await asAda.post(`${page}/issues/restore`, { id });
  expect((await api("GET", `${at}/issues/1`, ada)).status).toBe(404);
});

test("every table that goes with an issue can stand in the bin", () => {
  // JSON holds no bytes: a column of them would make deleting fail.
  const { db } = server.core;
  const tables = db
    .query<{ name: string }>(
      `WITH RECURSIVE led (name) AS (
         VALUES ('issues') UNION
         SELECT tables.name FROM led JOIN sqlite_schema AS tables ON tables.type = 'table'
           JOIN pragma_foreign_key_list(tables.name) AS keys ON keys."table" = led.name AND keys.on_delete = 'CASCADE')
       SELECT DISTINCT led.name FROM led JOIN pragma_table_info(led.name) AS columns WHERE columns.type = 'BLOB'`,
    )
    .all();
  expect(tables).toEqual([]);
  // And those whose rows others lead to are led to by their number.
  const odd = db
    .query(
      `SELECT keys."to" FROM sqlite_schema AS tables JOIN pragma_foreign_key_list(tables.name) AS keys
       WHERE tables.type = 'table' AND keys."table" IN ('issues', 'timeline', 'reviews', 'tracked_times', 'pulls')
         AND keys."to" <> 'id'`,
    )
    .all();
  expect(odd).toEqual([]);
});

test("with no days nothing is kept", async () => {
  await using quick = await aServer({ "issues.bin_days": 0 });
  const own = await aUser(quick, { login: "own" });
  const { name } = aRepo(quick, own.user);
  const { issues, itemBin, repos } = quick.services;
  const seen = repos.seeNamed(asAccount(own.user), [["own", name]]).get(`own/${name}`);
  if (!seen) throw new Error("one's own repository is seen");
  const item = issues.create(seen, { title: "Short" });
  expect(itemBin.remove(item)).toBeUndefined();
  expect(itemBin.list(seen, { limit: 10, offset: 0 })).toEqual({ items: [], total: 0 });
});
