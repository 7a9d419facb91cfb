import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";
import { aPageOf } from "../../web/browser-calls.ts";

/** Comments of a review that is not submitted are their author's alone, by whatever number they are asked for. */

let server: TestServer;
let own: TestUser;
let wri: TestUser;
let root: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  own = await aUser(server, { login: "own" });
  wri = await aUser(server, { login: "wri" });
  root = await aUser(server, { login: "root", isAdmin: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

test("a writer neither reads, changes, deletes nor reacts to a pending comment of another", async () => {
  aRepo(server, own.user, { name: "engine", files: { "a.txt": "one\n" } });
  const at = "/repos/own/engine";
  await api("PUT", `${at}/collaborators/wri`, own, { permission: "write" });
  await api("POST", `${at}/contents/b.txt`, own, { content: "Yg==", branch: "main", new_branch: "work" });
  const pull = await api<{ number: number }>("POST", `${at}/pulls`, own, { title: "Work", head: "work", base: "main" });
  expect(pull.status).toBe(201);
  const reviews = `${at}/pulls/${pull.body.number}/reviews`;
  const line = { path: "b.txt", body: "a thought that is not done", new_position: 1 };
  const review = await api<{ id: number; state: string }>("POST", reviews, own, { body: "Hm", comments: [line] });
  expect(review.body.state).toBe("PENDING");
  const [comment] = (await api<{ id: number }[]>("GET", `${reviews}/${review.body.id}/comments`, own)).body;
  const place = `${at}/issues/comments/${comment?.id}`;
  const asked = async (who: TestUser) => [
    (await api("GET", place, who)).status,
    (await api("GET", `${place}/reactions`, who)).status,
    (await api("POST", `${place}/reactions`, who, { content: "+1" })).status,
    (await api("PATCH", place, who, { body: "mine" })).status,
    (await api("DELETE", place, who)).status,
  ];
  expect(await asked(wri)).toEqual([404, 404, 404, 404, 404]);
  const kept = await api<{ body: string }[]>("GET", `${reviews}/${review.body.id}/comments`, own);
  expect(kept.body.map(({ body }) => body)).toEqual([line.body]);
  // Submitted, it is a comment like others.
  expect((await api("POST", `${reviews}/${review.body.id}`, own, { event: "COMMENT", body: "Done" })).status).toBe(200);
  expect((await api("GET", `${place}/reactions`, wri)).status).toBe(200);
});

test("a pending comment that is deleted is in nobody's list of deleted items", async () => {
  aRepo(server, own.user, { name: "motor", files: { "a.txt": "one\n" } });
  const at = "/repos/own/motor";
  await api("PUT", `${at}/collaborators/wri`, own, { permission: "write" });
  await api("POST", `${at}/contents/b.txt`, wri, { content: "Yg==", branch: "main", new_branch: "work" });
  const pull = await api<{ number: number }>("POST", `${at}/pulls`, wri, { title: "Work", head: "work", base: "main" });
  const reviews = `${at}/pulls/${pull.body.number}/reviews`;
  const line = (body: string) => ({ path: "b.txt", body, new_position: 1 });
  const commentsOf = async (review: number) =>
    (await api<{ id: number }[]>("GET", `${reviews}/${review}/comments`, wri)).body.map(({ id }) => id);
  const submitted = { event: "COMMENT", comments: [line("a thought for all")] };
  const shown = await api<{ id: number }>("POST", reviews, wri, submitted);
  const pending = await api<{ id: number }>("POST", reviews, wri, {
    body: "Hm",
    comments: [line("a thought of mine")],
  });
  for (const review of [shown.body.id, pending.body.id])
    for (const id of await commentsOf(review))
      expect((await api("DELETE", `${at}/issues/comments/${id}`, wri)).status).toBe(204);
  const bin = (await (await aPageOf(server, root.user)).get("/own/motor/settings/deleted-issues")).text;
  expect(bin).toContain("a thought for all");
  expect(bin).not.toContain("a thought of mine");
});
