import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../../builders.ts";

interface Entry {
  readonly op_type: string;
  readonly content: string;
  readonly comment_id: number;
  readonly comment: { readonly body: string } | null;
}

let server: TestServer;
let olga: TestUser;
let rita: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  olga = await aUser(server, { login: "olga" });
  rita = await aUser(server, { login: "rita" });
  aRepo(server, olga.user, { name: "news" });
});
afterAll(() => server.close());

const feed = async (who?: TestUser) => {
  server.core.outbox.finish();
  const { body } = await api<Entry[]>("GET", "/repos/olga/news/activities/feeds", who);
  return body.filter(({ op_type }) => op_type !== "create_repo");
};

test("what happens to issues is in the feed, for those who may read them", async () => {
  await api("POST", "/repos/olga/news/issues", rita, { title: "Printing | press" });
  const said = await api<{ id: number }>("POST", "/repos/olga/news/issues/1/comments", olga, { body: "y".repeat(300) });
  await api("PATCH", "/repos/olga/news/issues/1", olga, { state: "closed" });
  await api("PATCH", "/repos/olga/news/issues/1", olga, { state: "open" });
  expect((await feed()).map(({ op_type, content }) => [op_type, content])).toEqual([
    ["reopen_issue", "1|"],
    ["close_issue", "1|"],
    ["comment_issue", `1|${"y".repeat(200)}…`],
    ["create_issue", "1|Printing | press"],
  ]);
  const [, , comment] = await feed(rita);
  expect(comment).toMatchObject({ comment_id: said.body.id, comment: { body: "y".repeat(300) } });
  const cookie = await aSession(server, olga.user);
  const { text } = await call(server, "GET", "/", { cookie });
  expect(text).toContain(`/olga/news/issues/1#issuecomment-${said.body.id}`);
  expect((await call(server, "GET", "/olga/news.atom")).text).toContain("Printing | press");

  await api("DELETE", `/repos/olga/news/issues/comments/${said.body.id}`, olga);
  expect((await feed()).map(({ op_type }) => op_type)).toEqual(["reopen_issue", "close_issue", "create_issue"]);
  await api("PATCH", "/repos/olga/news", olga, { has_issues: false });
  expect(await feed(rita)).toEqual([]);
  await api("PATCH", "/repos/olga/news", olga, { has_issues: true });
  await api("DELETE", "/repos/olga/news/issues/1", olga);
  expect(await feed(rita)).toEqual([]);
});
