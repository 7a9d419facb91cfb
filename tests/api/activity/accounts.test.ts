import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aUser,
  call,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** What accounts did, over REST (contract identity.md 8.8 and 11.4). */

let server: TestServer;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

interface Entry {
  readonly op_type: string;
  readonly user_id: number;
  readonly act_user: { readonly login: string };
  readonly repo: { readonly full_name: string };
  readonly is_private: boolean;
  readonly created: string;
}
const feedOf = async (of: TestUser, who?: TestUser, query = "") =>
  (await api<Entry[]>("GET", `/users/${of.login}/activities/feeds${query}`, who)).body;
const doings = async (of: TestUser, who?: TestUser, query = "") =>
  (await feedOf(of, who, query)).map((entry) => `${entry.act_user.login} ${entry.op_type} ${entry.repo.full_name}`);
const total = async (of: TestUser, who?: TestUser) =>
  (await api<{ contributions: number }[]>("GET", `/users/${of.login}/heatmap`, who)).body.reduce(
    (sum, { contributions }) => sum + contributions,
    0,
  );

/** ada has an open and a private repository, where bob collaborates. */
async function busy() {
  const [ada, bob, eve] = [await aUser(server), await aUser(server), await aUser(server)];
  const open = aRepo(server, ada.user, { files: { a: "a" } });
  const secret = aRepo(server, ada.user, { isPrivate: true });
  await api("PUT", `/repos/${ada.login}/${secret.name}/collaborators/${bob.login}`, ada, { permission: "read" });
  server.core.outbox.dispatch();
  return { ada, bob, eve, open: `${ada.login}/${open.name}`, secret: `${ada.login}/${secret.name}` };
}

test("a feed tells who did what where, newest first, what is private to oneself and administrators", async () => {
  const { ada, bob, eve, open, secret } = await busy();
  const root = await aUser(server, { isAdmin: true });
  const shown = [`${ada.login} commit_repo ${open}`, `${ada.login} create_repo ${open}`];
  const all = [`${ada.login} create_repo ${secret}`, ...shown];
  for (const who of [undefined, eve, bob]) expect(await doings(ada, who)).toEqual(shown);
  for (const who of [ada, root]) expect(await doings(ada, who)).toEqual(all);
  expect((await feedOf(ada, eve)).map(({ user_id, is_private }) => [user_id, is_private])).toEqual(
    shown.map(() => [ada.user.id, false]),
  );
  const paged = await api<Entry[]>("GET", `/users/${ada.login}/activities/feeds?limit=1&page=2`, ada);
  expect([paged.body.length, paged.headers.get("x-total-count")]).toEqual([1, "3"]);
});

test("what others do in someone's repositories belongs to their feed; one may ask for one's own and for a day", async () => {
  const { ada, bob, open } = await busy();
  await api("PUT", `/repos/${open}/collaborators/${bob.login}`, ada, { permission: "write" });
  const content = Buffer.from("b").toString("base64");
  expect((await api("POST", `/repos/${open}/contents/b`, bob, { content })).status).toBe(201);
  server.core.outbox.dispatch();
  expect(await doings(ada, ada)).toContain(`${bob.login} commit_repo ${open}`);
  expect(await doings(ada, ada, "?only-performed-by=true")).not.toContain(`${bob.login} commit_repo ${open}`);
  expect(await doings(bob, bob)).toEqual([`${bob.login} commit_repo ${open}`]);
  expect(await feedOf(ada, ada, "?date=2001-01-01")).toEqual([]);
  expect((await feedOf(ada, ada, "?date=nonsense")).length).toBe(4);
  const now = new Date();
  const two = (part: number) => String(part).padStart(2, "0");
  const today = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  expect((await feedOf(ada, ada, `?date=${today}`)).length).toBe(4);
});

test("the heat map counts quarters of an hour, private work for oneself and administrators", async () => {
  const { ada, bob, eve } = await busy();
  const root = await aUser(server, { isAdmin: true });
  const { body } = await api<{ timestamp: number }[]>("GET", `/users/${ada.login}/heatmap`, ada);
  expect(body.length).toBeGreaterThan(0);
  expect(body.every(({ timestamp }) => timestamp % 900 === 0)).toBe(true);
  expect([await total(ada, ada), await total(ada, root)]).toEqual([3, 3]);
  for (const who of [undefined, eve, bob]) expect(await total(ada, who)).toBe(2);
  const plan = server.core.db
    .query<{ detail: string }>(
      "EXPLAIN QUERY PLAN SELECT repo_id, unit, created_at FROM activities WHERE actor_id = 1 AND created_at >= 2 ORDER BY created_at DESC",
    )
    .all();
  expect(plan.map(({ detail }) => detail).join()).toContain("COVERING INDEX activities_by_actor_time");
});

test("whoever hides their activity is shown it, administrators too, and no one else", async () => {
  const { ada, bob, eve, open } = await busy();
  const root = await aUser(server, { isAdmin: true });
  await api("PATCH", "/user/settings", ada, { hide_activity: true });
  for (const who of [undefined, eve, bob]) {
    expect(await feedOf(ada, who)).toEqual([]);
    expect((await api<Json[]>("GET", `/users/${ada.login}/heatmap`, who)).body).toEqual([]);
  }
  for (const who of [ada, root]) {
    expect(await doings(ada, who)).toContain(`${ada.login} create_repo ${open}`);
    expect(await total(ada, who)).toBe(3);
  }
});

test("of a hidden account there is neither", async () => {
  const [hidden, eve] = [await aUser(server, { visibility: "private" }), await aUser(server)];
  for (const what of ["heatmap", "activities/feeds"])
    expect((await api("GET", `/users/${hidden.login}/${what}`, eve)).status).toBe(404);
});

test("a push tells its commits, the newest first; a new branch none of its own", async () => {
  const ada = await aUser(server);
  const repo = aRepo(server, ada.user, { files: { a: "a" } });
  const at = `/repos/${ada.login}/${repo.name}`;
  for (const name of ["b", "c"])
    await api("POST", `${at}/contents/${name}`, ada, { content: "", message: `Add ${name}`, branch: "main" });
  server.core.outbox.dispatch();
  const { body } = await api<{ op_type: string; content: string }[]>("GET", `${at}/activities/feeds`, ada);
  const pushes = body.filter(({ op_type }) => op_type === "commit_repo").map(({ content }) => JSON.parse(content));
  expect(pushes.map(({ Commits, Len }) => [Commits.map((commit: Json) => commit["Message"]), Len])).toEqual([
    [["Add c\n"], 1],
    [["Add b\n"], 1],
    [[], 0],
  ]);
  const [newest] = pushes;
  expect(newest.HeadCommit).toEqual(newest.Commits[0]);
  expect(newest.Commits[0]).toMatchObject({ AuthorEmail: expect.stringContaining("@"), AuthorName: ada.login });
  expect(newest.CompareURL).toMatch(
    new RegExp(`^${ada.login}/${repo.name}/compare/[0-9a-f]{40}\\.\\.\\.[0-9a-f]{40}$`),
  );
});

test("whose a repository was before a transfer is told to no one who does not see that account", async () => {
  const [ada, bob] = [await aUser(server, { login: "hidden-ada" }), await aUser(server)];
  const root = await aUser(server, { isAdmin: true });
  const organization = anOrganization(server, root.user, { login: "shown-house" });
  aRepo(server, ada.user, { name: "given" });
  expect((await api("POST", "/repos/hidden-ada/given/transfer", root, { new_owner: organization.login })).status).toBe(
    202,
  );
  server.core.outbox.dispatch();
  const transfer = async (who: TestUser) => {
    const { body } = await api<{ op_type: string; content: string }[]>(
      "GET",
      "/repos/shown-house/given/activities/feeds",
      who,
    );
    return body.find(({ op_type }) => op_type === "transfer_repo")?.content;
  };
  expect(await transfer(bob)).toBe("hidden-ada/given");
  await server.services.identity.edit(asAccount(ada.user), ada.user, { visibility: "private" });
  expect([await transfer(bob), await transfer(root)]).toEqual(["", "hidden-ada/given"]);
  const feed = await call(server, "GET", "/shown-house/given.rss");
  expect(feed.text).not.toContain("from hidden-ada");
});

test("what a repository begins with is a part of its creation, in the feed and in the heat map", async () => {
  const ada = await aUser(server);
  const made = await api<{ full_name: string }>("POST", "/user/repos", ada, { name: "begun", auto_init: true });
  server.core.outbox.dispatch();
  expect(await doings(ada, ada)).toEqual([`${ada.login} create_repo ${made.body.full_name}`]);
  expect(await total(ada, ada)).toBe(1);
});
