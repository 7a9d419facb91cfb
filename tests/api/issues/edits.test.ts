import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, anOrganization, aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";

/** Who changes what of an issue, and how it is refused (contract issues.md 3.4, 3.5, 5, 11.1). */

interface Issue {
  readonly number: number;
  readonly state: string;
  readonly due_date: string | null;
  readonly assignees: readonly { readonly login: string }[];
}

let server: TestServer;
let olga: TestUser;
let stranger: TestUser;
let rita: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  [olga, stranger, rita] = await Promise.all([
    aUser(server, { login: "olga" }),
    aUser(server, { login: "stranger" }),
    aUser(server, { login: "rita" }),
  ]);
});
afterAll(() => server.close());

async function anIssue(repo: string, who: TestUser, fields: object = {}): Promise<Issue> {
  const made = await api<Issue>("POST", `/repos/olga/${repo}/issues`, who, { title: "A thing", ...fields });
  expect(made.status).toBe(201);
  return made.body;
}

test("whoever opens an issue may open it closed, without write access too", async () => {
  aRepo(server, olga.user, { name: "closed" });
  const { number, state } = await anIssue("closed", stranger, { closed: true, labels: [1], milestone: 1 });
  expect(state).toBe("closed");
  const timeline = await api<{ type: string }[]>("GET", `/repos/olga/closed/issues/${number}/timeline`);
  expect(timeline.body.map(({ type }) => type)).toEqual(["close"]);
});

test("the zero time is no due date, neither on creating nor on changing", async () => {
  aRepo(server, olga.user, { name: "due" });
  const zero = "0001-01-01T00:00:00Z";
  const { due_date, number } = await anIssue("due", olga, { due_date: zero });
  expect(due_date).toBeNull();
  const edit = (given: string) =>
    api<Issue>("PATCH", `/repos/olga/due/issues/${number}`, olga, { due_date: given }).then(
      ({ body }) => body.due_date,
    );
  expect(await edit("2030-05-06T03:00:00Z")).toBe("2030-05-06T23:59:59Z");
  expect(await edit(zero)).toBeNull();
});

test("someone who may not be assigned any more is still taken off, and who is not assigned is passed over", async () => {
  aRepo(server, olga.user, { name: "left", isPrivate: true });
  const access = "/repos/olga/left/collaborators/rita";
  await api("PUT", access, olga, { permission: "read" });
  const { number } = await anIssue("left", olga, { assignees: ["rita"] });
  await api("DELETE", access, olga);
  const at = `/repos/olga/left/issues/${number}/assignees`;
  const removed = await api<Issue>("DELETE", at, olga, { assignees: ["rita", "stranger"] });
  expect([removed.status, removed.body.assignees]).toEqual([200, []]);
  expect((await api("DELETE", at, olga, { assignees: ["nobody-here"] })).status).toBe(422);
});

test("an organization is refused as an assignee by its number", async () => {
  const { id } = aRepo(server, olga.user, { name: "guilds" });
  const guild = anOrganization(server, olga.user, { login: "guild" });
  const { number } = await anIssue("guilds", olga);
  const message = `organization can't be added as assignee [user_id: ${guild.id}, repo_id: ${id}]`;
  const refused = await api("POST", `/repos/olga/guilds/issues/${number}/assignees`, olga, { assignees: ["guild"] });
  expect([refused.status, refused.body["message"]]).toEqual([400, message]);
  const asked = await api("GET", "/repos/olga/guilds/assignees/guild", olga);
  expect([asked.status, asked.body["message"]]).toEqual([400, message]);
});

test("only who may change an entry learns that it has no text to change", async () => {
  aRepo(server, olga.user, { name: "entries" });
  const { number } = await anIssue("entries", olga);
  await api("PATCH", `/repos/olga/entries/issues/${number}`, olga, { state: "closed" });
  const [entry] = (await api<{ id: number }[]>("GET", `/repos/olga/entries/issues/${number}/timeline`)).body;
  const at = `/repos/olga/entries/issues/comments/${entry?.id}`;
  const statuses = async (who: TestUser) => [
    (await api("PATCH", at, who, { body: "x" })).status,
    (await api("DELETE", at, who)).status,
  ];
  expect(await statuses(rita)).toEqual([403, 403]);
  expect(await statuses(olga)).toEqual([204, 400]);
});

test("files of a comment that is not there are refused in the words that clients know", async () => {
  aRepo(server, olga.user, { name: "one" });
  aRepo(server, olga.user, { name: "other" });
  const { number } = await anIssue("one", olga);
  const comment = await api<{ id: number }>("POST", `/repos/olga/one/issues/${number}/comments`, olga, { body: "Hm." });
  for (const id of [comment.body.id, 999_999]) {
    const refused = await api("GET", `/repos/olga/other/issues/comments/${id}/assets`, olga);
    expect([refused.status, refused.body["message"]]).toEqual([404, "no matching issue comment found"]);
  }
});
