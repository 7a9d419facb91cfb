import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { aRepo, aServer, aUser, call, type TestServer } from "../../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

test("a push of many refs is a few entries, branches first, and a count", async () => {
  const { user } = await aUser(server);
  const repo = aRepo(server, user, { files: { a: "a" } });
  const { outbox } = server.core;
  const { refs, activity } = server.services;
  const tip = refs.find(repo.id, "refs/heads/main")?.oid ?? "";
  const names = [...Array.from({ length: 40 }, (_, at) => `refs/tags/v${at}`), "refs/heads/dev"];
  const changes = names.map((name) => ({ name, oldOid: null, newOid: tip }));
  expect(refs.change(repo.id, { principal: asAccount(user), changes, atomic: true }).every(({ ok }) => ok)).toBe(true);
  outbox.dispatch();
  const entries = activity
    .by(asAccount(user), user, 20)
    .map(({ kind, refName, content }) => [kind, refName || content]);
  expect(entries.slice(0, 4)).toEqual([
    ["create_branch", "refs/heads/dev"],
    ["create_tag", "refs/tags/v0"],
    ["create_tag", "refs/tags/v1"],
    ["more_refs", "38"],
  ]);
});

test("an entry of a repository's feed is in the feed of who acted", async () => {
  const [owner, guest] = [await aUser(server), await aUser(server)];
  const { name } = aRepo(server, owner.user, { files: { a: "a" } });
  const path = `/api/v1/repos/${owner.login}/${name}`;
  await call(server, "POST", `${path}/issues`, { token: guest.token, body: { title: "One" } });
  server.core.outbox.dispatch();
  const { body } = await call<{ op_type: string; user_id: number; act_user_id: number }[]>(
    server,
    "GET",
    `${path}/activities/feeds`,
  );
  const created = body.find(({ op_type }) => op_type === "create_issue");
  expect([created?.act_user_id, created?.user_id]).toEqual([guest.user.id, guest.user.id]);
  for (const { act_user_id, user_id } of body) expect(user_id).toBe(act_user_id);
});

test("what someone did in a private repository is shown to those who may see it now, and to no one else", async () => {
  const owner = await aUser(server);
  const other = await aUser(server);
  const repo = aRepo(server, owner.user, { files: { a: "a" }, isPrivate: true });
  server.core.outbox.dispatch();
  const seenBy = (who: typeof owner) => server.services.activity.by(asAccount(who.user), owner.user, 20).length;
  expect(seenBy(owner)).toBeGreaterThan(0);
  expect(seenBy(other)).toBe(0);
  const seen = server.services.repos.seeById(asAccount(owner.user), repo.id);
  if (!seen) throw new Error("the owner does not see it");
  server.services.collaborators.put(seen, other.user, "read");
  expect(seenBy(other)).toBeGreaterThan(0);
  server.services.collaborators.remove(seen, other.user);
  expect(seenBy(other)).toBe(0);
});

test("closing an issue names its entry on the timeline", async () => {
  const owner = await aUser(server);
  const { name } = aRepo(server, owner.user, { files: { a: "a" } });
  const path = `/api/v1/repos/${owner.login}/${name}`;
  const by = { token: owner.token };
  await call(server, "POST", `${path}/issues`, { ...by, body: { title: "One" } });
  await call(server, "PATCH", `${path}/issues/1`, { ...by, body: { state: "closed" } });
  server.core.outbox.dispatch();
  type Activity = { op_type: string; content: string; comment_id: number; comment: { id: number } | null };
  const { body } = await call<Activity[]>(server, "GET", `${path}/activities/feeds`, by);
  const closed = body.find(({ op_type }) => op_type === "close_issue");
  const timeline = await call<{ id: number; type: string }[]>(server, "GET", `${path}/issues/1/timeline`, by);
  const entry = timeline.body.find(({ type }) => type === "close");
  expect(closed).toMatchObject({ content: "1|", comment_id: entry?.id, comment: { id: entry?.id } });
});
