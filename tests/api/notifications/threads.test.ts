import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aToken, aUser, call, settled, type TestServer, type TestUser } from "../../builders.ts";

let server: TestServer;
let olga: TestUser;
let wanda: TestUser;
let stranger: TestUser;

beforeAll(async () => {
  server = await aServer();
  olga = await aUser(server, { login: "olga" });
  wanda = await aUser(server, { login: "wanda" });
  stranger = await aUser(server, { login: "stranger" });
});
afterAll(() => server.close());

interface Thread {
  readonly id: number;
  readonly unread: boolean;
  readonly pinned: boolean;
  readonly repository: { readonly full_name: string } | null;
  readonly subject: { readonly title: string; readonly latest_comment_url: string } | null;
}

const threads = async (user: TestUser, query = "") => {
  await settled(server);
  return (await call<Thread[]>(server, "GET", `/api/v1/notifications${query}`, { token: user.token })).body;
};
const title = (thread: Thread) => thread.subject?.title;

async function anIssue(repo: string, by: TestUser, name: string): Promise<number> {
  const { body } = await call<{ number: number }>(server, "POST", `/api/v1/repos/olga/${repo}/issues`, {
    token: by.token,
    body: { title: name },
  });
  return body.number;
}

async function aWatched(name: string, isPrivate = false): Promise<void> {
  aRepo(server, olga.user, { name, isPrivate });
  const at = `/api/v1/repos/olga/${name}`;
  if (isPrivate)
    await call(server, "PUT", `${at}/collaborators/wanda`, { token: olga.token, body: { permission: "read" } });
  await call(server, "PUT", `${at}/subscription`, { token: wanda.token });
}

test("a watcher has one thread for an issue, whoever acts has none, and it is theirs alone", async () => {
  await aWatched("open");
  const number = await anIssue("open", olga, "Crash");
  const [thread] = await threads(wanda);
  if (!thread) throw new Error("nothing was told");
  expect(thread).toMatchObject({ unread: true, pinned: false, repository: { full_name: "olga/open" } });
  expect(await threads(olga, "?all=true")).toEqual([]);
  const one = `/api/v1/notifications/threads/${thread.id}`;
  expect((await call(server, "GET", one, { token: stranger.token })).status).toBe(403);
  expect((await call(server, "PATCH", one, { token: stranger.token })).status).toBe(403);
  expect((await call(server, "PATCH", one, { token: wanda.token })).status).toBe(205);
  expect(await threads(wanda)).toEqual([]);
  const comment = await call<{ id: number }>(server, "POST", `/api/v1/repos/olga/open/issues/${number}/comments`, {
    token: olga.token,
    body: { body: "Again" },
  });
  const again = await threads(wanda);
  expect(again).toMatchObject([{ id: thread.id, unread: true }]);
  expect(again[0]?.subject?.latest_comment_url).toEndWith(`/issues/comments/${comment.body.id}`);
});

test("whoever loses access loses the thread from lists and counts, and its words", async () => {
  await aWatched("secret", true);
  await anIssue("secret", olga, "Hidden plan");
  const thread = (await threads(wanda)).find((each) => title(each) === "Hidden plan");
  if (!thread) throw new Error("nothing was told");
  await call(server, "DELETE", "/api/v1/repos/olga/secret/collaborators/wanda", { token: olga.token });
  expect((await threads(wanda, "?all=true")).map(title)).not.toContain("Hidden plan");
  const shown = await call<Thread>(server, "GET", `/api/v1/notifications/threads/${thread.id}`, { token: wanda.token });
  expect(shown.body).toMatchObject({ repository: null, subject: null });
  const { body } = await call<{ new: number }>(server, "GET", "/api/v1/notifications/new", { token: wanda.token });
  expect(body.new).toBe((await threads(wanda, "?status-types=unread")).length);
});

test("bad times, statuses and numbers are answered, and a token for public things has no notifications", async () => {
  const ask = async (method: string, path: string, token = wanda.token) =>
    (await call(server, method, `/api/v1/notifications${path}`, { token })).status;
  expect(await ask("GET", "?since=soon")).toBe(422);
  expect(await ask("PUT", "?last_read_at=soon")).toBe(400);
  expect(await ask("GET", "?status-types=nonsense&subject-type=%00")).toBe(200);
  expect(await ask("GET", "/threads/99999999")).toBe(404);
  expect(await ask("PATCH", "/threads/x")).toBe(404);
  expect(await ask("PUT", "?to-status=nonsense")).toBe(205);
  expect(await ask("GET", "", aToken(server, wanda.user, ["read:issue"]))).toBe(403);
  const publicOnly = aToken(server, wanda.user, ["read:notification", "public-only"]);
  expect(await ask("GET", "", publicOnly)).toBe(403);
  const about = async (repo: string) =>
    (await call(server, "GET", `/api/v1/repos/olga/${repo}/notifications`, { token: publicOnly })).status;
  expect([await about("open"), await about("secret"), await about("nosuch")]).toEqual([200, 404, 404]);
});

test("what is to become of threads may be said in a form, and threads tell nothing of permissions", async () => {
  await aWatched("formed");
  await anIssue("formed", olga, "Told");
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const send = (method: string, path: string, body: string) =>
    call(server, method, `/api/v1${path}`, { token: wanda.token, headers, body });
  const of = async () => (await threads(wanda, "?all=true")).find(({ subject }) => subject?.title === "Told");
  const thread = await of();
  expect(thread?.repository).not.toHaveProperty("permissions");
  const one = `/notifications/threads/${thread?.id}`;
  expect((await send("PATCH", one, "to-status=pinned")).status).toBe(205);
  expect(await of()).toMatchObject({ pinned: true });
  // The address comes before the form.
  await send("PATCH", `${one}?to-status=unread`, "to-status=pinned");
  expect(await of()).toMatchObject({ unread: true, pinned: false });
  expect((await send("PUT", "/notifications", "last_read_at=yesterday")).status).toBe(400);
  await send("PUT", "/repos/olga/formed/notifications", "last_read_at=2001-01-01T00:00:00Z");
  expect(await of()).toMatchObject({ unread: true });
  await send("PUT", "/repos/olga/formed/notifications", "status-types=unread&to-status=read");
  expect(await of()).toMatchObject({ unread: false, pinned: false });
});
