import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor } from "./browser-calls.ts";

/** The inbox: what one is told of, marked and put away without a script. */

let server: TestServer;
let olga: TestUser;
let wanda: TestUser;
let visitor: Visitor;

beforeAll(async () => {
  server = await aServer();
  olga = await aUser(server, { login: "olga" });
  wanda = await aUser(server, { login: "wanda" });
  visitor = await aPageOf(server, wanda.user);
  aRepo(server, olga.user, { name: "garden" });
  await call(server, "PUT", "/api/v1/repos/olga/garden/subscription", { token: wanda.token });
  for (const title of ["The <gate> squeaks", "Water the beans"])
    await call(server, "POST", "/api/v1/repos/olga/garden/issues", { token: olga.token, body: { title } });
  server.core.outbox.finish();
  await server.core.jobs.drain();
});
afterAll(() => server.close());

const listed = () => {
  const filter = { statuses: [], subjects: [] };
  return server.services.notifications.list(asAccount(wanda.user), filter, { limit: 10, offset: 0 }).items;
};

test("threads are shown, marked one by one and all at once", async () => {
  const inbox = await visitor.get("/notifications");
  expect(inbox.status).toBe(200);
  expect(inbox.text).toContain("The &lt;gate&gt; squeaks");
  expect(inbox.text).toContain("Water the beans");
  expect((await visitor.get("/notifications/new")).text).toBe('{"new":2}');
  const [thread] = listed();
  const marked = await visitor.post("/notifications/status", {
    notification_id: String(thread?.id),
    notification_action: "pin",
    redirect_to: "//elsewhere.example",
  });
  expect(marked.location).toBe("/notifications");
  expect(listed().map(({ status }) => status)).toEqual(["pinned", "unread"]);
  expect((await visitor.post("/notifications/purge", {})).location).toBe("/notifications");
  expect(listed().map(({ status }) => status)).toEqual(["read", "pinned"]);
  expect((await visitor.get("/notifications?type=read")).text).toContain("squeaks");
});

test("what is no thread, no action or another's is refused", async () => {
  const [thread] = listed();
  const post = async (by: Visitor, id: string, action: string) =>
    (await by.post("/notifications/status", { notification_id: id, notification_action: action })).status;
  expect(await post(visitor, "999999", "pin")).toBe(404);
  expect(await post(visitor, String(thread?.id), "burn")).toBe(404);
  const other = await aPageOf(server, olga.user);
  expect(await post(other, String(thread?.id), "mark_as_unread")).toBe(403);
  expect(await post(await aPage(server), String(thread?.id), "pin")).toBe(303);
});
