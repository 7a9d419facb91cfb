import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, type Json, settled, type TestServer, type TestUser } from "../../builders.ts";

/** A hundred who write to one repository at the same time. */

let server: TestServer;
let owner: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  owner = await aUser(server, { login: "owner" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const WRITERS = 100;

test("numbers are unique and without a gap, every acknowledged comment is there, and all counts are right", async () => {
  const { name } = aRepo(server, owner.user);
  const at = `/repos/owner/${name}`;
  const people = await Promise.all(Array.from({ length: WRITERS }, (_, at) => aUser(server, { login: `writer${at}` })));
  const label = (await api<{ id: number }>("POST", `${at}/labels`, owner, { name: "busy", color: "#00ff00" })).body;
  const milestone = (await api<{ id: number }>("POST", `${at}/milestones`, owner, { title: "rush" })).body;
  const shared = (await api<{ number: number }>("POST", `${at}/issues`, owner, { title: "shared" })).body;
  const made = await Promise.all(
    people.map(async (who, place) => {
      const issue = await api<{ number: number }>("POST", `${at}/issues`, who, { title: `of ${who.user.login}` });
      const [comment] = await Promise.all([
        api<{ id: number }>("POST", `${at}/issues/${shared.number}/comments`, who, { body: `from ${place} #1` }),
        api("PATCH", `${at}/issues/${issue.body.number}`, owner, { milestone: milestone.id }),
        api("POST", `${at}/issues/${issue.body.number}/labels`, owner, { labels: [label.id] }),
        api("POST", `${at}/issues/${shared.number}/reactions`, who, { content: "+1" }),
      ]);
      if (place % 2 === 0) await api("PATCH", `${at}/issues/${issue.body.number}`, who, { state: "closed" });
      return { issue, comment };
    }),
  );
  expect([...new Set(made.flatMap(({ issue, comment }) => [issue.status, comment.status]))]).toEqual([201]);
  const numbers = made.map(({ issue }) => issue.body.number).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: WRITERS }, (_, place) => place + 2));
  await settled(server);
  const comments = (await api<{ id: number }[]>("GET", `${at}/issues/${shared.number}/comments`, owner)).body;
  expect(comments.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
    made.map(({ comment }) => comment.body.id).sort((a, b) => a - b),
  );
  const item = (await api<{ comments: number }>("GET", `${at}/issues/${shared.number}`, owner)).body;
  expect(item.comments).toBe(WRITERS);
  const reactions = await api<Json[]>("GET", `${at}/issues/${shared.number}/reactions`, owner);
  expect(Number(reactions.headers.get("x-total-count") ?? reactions.body.length)).toBe(WRITERS);
  const counted = (path: string) =>
    api<Json>("GET", path, owner).then(({ body, headers }) => ({ body, total: headers.get("x-total-count") }));
  expect((await counted(`${at}/issues?state=open&limit=1`)).total).toBe(String(WRITERS / 2 + 1));
  expect((await counted(`${at}/issues?state=closed&limit=1`)).total).toBe(String(WRITERS / 2));
  expect((await counted(`${at}/issues?state=all&labels=busy&limit=1`)).total).toBe(String(WRITERS));
  expect((await counted(at)).body).toMatchObject({ open_issues_count: WRITERS / 2 + 1 });
  expect((await counted(`${at}/milestones/${milestone.id}`)).body).toMatchObject({
    open_issues: WRITERS / 2,
    closed_issues: WRITERS / 2,
  });
});

test("of a hundred edits of one text on the same version one wins, and of a hundred who close one entry tells", async () => {
  const { name } = aRepo(server, owner.user);
  const item = `/repos/owner/${name}/issues/1`;
  await api("POST", `/repos/owner/${name}/issues`, owner, { title: "one", body: "before" });
  const edits = await Promise.all(
    Array.from({ length: WRITERS }, (_, place) =>
      api("PATCH", item, owner, { body: `text ${place}`, content_version: 0 }).then(({ status }) => status),
    ),
  );
  expect(edits.filter((status) => status === 201)).toHaveLength(1);
  expect(edits.filter((status) => status === 409)).toHaveLength(WRITERS - 1);
  const closes = await Promise.all(
    Array.from({ length: WRITERS }, () => api("PATCH", item, owner, { state: "closed" }).then(({ status }) => status)),
  );
  expect([...new Set(closes)]).toEqual([201]);
  const timeline = (await api<{ type: string }[]>("GET", `${item}/timeline`, owner)).body;
  expect(timeline.filter(({ type }) => type === "close")).toHaveLength(1);
});
