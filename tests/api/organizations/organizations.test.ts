import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aTeam,
  aToken,
  aUser,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** Organizations and their members over REST (contract identity.md 12). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let admin: TestUser;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  admin = await aUser(server, { login: "root", isAdmin: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const api = anApi(() => server);
const says = async (answer: Promise<{ status: number; body: Json }>) => {
  const { status, body } = await answer;
  return [status, body["message"]];
};

describe("an organization", () => {
  test("is made whole or not at all", async () => {
    const before = (await api<Json[]>("GET", "/user/orgs", ada)).body.length;
    const refused: [unknown, string][] = [
      [{}, "[UserName]: Required"],
      [{ username: 7 }, "[]: username must be a text"],
      [{ username: "a".repeat(41) }, "[UserName]: MaxSize"],
      [{ username: "bob" }, "user already exists [name: bob]"],
      [{ username: "BOB" }, "user already exists [name: BOB]"],
      [{ username: "api" }, "name is reserved [name: api]"],
      [{ username: "fine", email: "a@b@c" }, "[Email]: Email"],
      [{ username: "fine", website: "javascript:alert(1)" }, "[Website]: Url"],
      [{ username: "fine", visibility: "secret" }, "[Visibility]: In"],
      [{ username: "fine", full_name: "x".repeat(101) }, "[FullName]: MaxSize"],
    ];
    for (const [body, message] of refused)
      expect([body, ...(await says(api("POST", "/orgs", ada, body)))]).toEqual([body, 422, message]);
    expect((await api("GET", "/orgs/fine", ada)).status).toBe(404);
    expect((await api<Json[]>("GET", "/user/orgs", ada)).body).toHaveLength(before);
  });

  test("answers under a former name with 307 to those who see it, and 404 to others", async () => {
    const organization = anOrganization(server, ada.user, { login: "before", visibility: "private" });
    aRepo(server, organization, { name: "tool", creator: ada.user });
    expect((await api("POST", "/orgs/before/rename", ada, { new_name: "after" })).status).toBe(204);
    const moved = await api("GET", "/orgs/before/members?limit=3", ada);
    expect([moved.status, moved.headers.get("location")]).toEqual([307, "/api/v1/orgs/after/members?limit=3"]);
    expect((await api("GET", "/orgs/before/members", bob)).status).toBe(404);
    expect((await api("GET", "/repos/before/tool", ada)).status).toBe(307);
    expect((await api("GET", "/repos/before/tool", bob)).status).toBe(404);
    // Whoever takes the name ends the redirect.
    expect((await api("POST", "/orgs", bob, { username: "before" })).status).toBe(201);
    expect((await api("GET", "/orgs/before", bob)).status).toBe(200);
  });

  test("is renamed by its own operation alone", async () => {
    anOrganization(server, ada.user, { login: "fixed" });
    expect(await says(api("POST", "/admin/users/fixed/rename", admin, { new_username: "other" }))).toEqual([
      422,
      "target is an organization but not user",
    ]);
    for (const name of ["", "x".repeat(41), "a b", "explore", "ada"])
      expect((await api("POST", "/orgs/fixed/rename", ada, { new_name: name })).status).toBe(422);
    expect((await api("GET", "/orgs/fixed")).status).toBe(200);
  });

  test("signs nobody in, is sudoed by nobody, and is found as an account", async () => {
    const organization = anOrganization(server, ada.user, { login: "faceless", email: "office@example.org" });
    expect((await api("GET", "/user", admin, undefined, { headers: { sudo: "faceless" } })).status).toBe(404);
    expect((await api("GET", "/users/faceless")).body["id"]).toBe(organization.id);
    expect((await api<{ data: Json[] }>("GET", "/users/search?q=faceless", ada)).body.data).toEqual([]);
  });

  test("that has repositories stays; one that has none frees its name and its teams", async () => {
    const organization = anOrganization(server, ada.user, { login: "gone" });
    const carl = await aUser(server);
    const team = aTeam(server, organization, { members: [carl.user] });
    const repo = aRepo(server, organization, { creator: ada.user });
    expect((await says(api("DELETE", "/orgs/gone", ada)))[0]).toBe(422);
    expect((await api("DELETE", `/repos/gone/${repo.name}`, ada)).status).toBe(204);
    expect((await api("DELETE", "/orgs/gone", ada)).status).toBe(204);
    expect((await api("GET", `/teams/${team.id}`, admin)).status).toBe(404);
    expect((await api<Json[]>("GET", "/user/teams", carl)).body).toEqual([]);
    expect((await api("POST", "/orgs", bob, { username: "gone" })).status).toBe(201);
  });

  test("is for those who may make one", async () => {
    const barred = await aUser(server);
    await api("PATCH", `/admin/users/${barred.login}`, admin, { allow_create_organization: false });
    expect(await says(api("POST", "/orgs", barred, { username: "theirs" }))).toEqual([
      403,
      "not allowed to create org",
    ]);
    expect((await api("POST", `/admin/users/${barred.login}/orgs`, admin, { username: "theirs" })).status).toBe(403);
    expect((await api("POST", `/admin/users/${ada.login}/orgs`, admin, { username: "theirs" })).status).toBe(201);
    expect((await api("GET", "/orgs/theirs/members/root", ada)).status).toBe(404);
    expect((await api("PATCH", "/orgs/theirs", ada, { description: "mine" })).status).toBe(200);
  });
});

describe("visibility", () => {
  test("is kept in every list, with its total", async () => {
    const eve = await aUser(server);
    const hidden = await aUser(server, { isRestricted: true });
    for (const visibility of ["public", "limited", "private"] as const)
      anOrganization(server, eve.user, { login: `seen-${visibility}`, visibility });
    const seen = async (who?: TestUser) => {
      const { body, headers } = await api<Json[]>("GET", "/orgs?limit=50", who);
      const names = body.map((each) => String(each["name"]));
      expect(headers.get("x-total-count")).toBe(String(names.length));
      return names.filter((name) => name.startsWith("seen-"));
    };
    expect(await seen()).toEqual(["seen-public"]);
    expect(await seen(hidden)).toEqual(["seen-public"]);
    expect(await seen(bob)).toEqual(["seen-limited", "seen-public"]);
    expect(await seen(eve)).toEqual(["seen-limited", "seen-private", "seen-public"]);
    expect(await seen(admin)).toEqual(["seen-limited", "seen-private", "seen-public"]);
    const publicOnly = { ...eve, token: aToken(server, eve.user, ["public-only", "all"]) };
    expect(await seen(publicOnly)).toEqual(["seen-public"]);
  });

  test("of the private kind hides repositories from who is no member, and shows the open ones to members", async () => {
    const organization = anOrganization(server, ada.user, { login: "closed", visibility: "private" });
    aRepo(server, organization, { name: "open", creator: ada.user });
    aRepo(server, organization, { name: "secret", creator: ada.user, isPrivate: true });
    const cut = await aUser(server, { isRestricted: true });
    aTeam(server, organization, { members: [bob.user, cut.user] });
    const eve = await aUser(server);
    const status = async (name: string, who?: TestUser) => (await api("GET", `/repos/closed/${name}`, who)).status;
    expect([await status("open"), await status("open", eve), await status("open", bob)]).toEqual([404, 404, 200]);
    expect([await status("open", cut), await status("secret", bob), await status("secret", ada)]).toEqual([
      404, 404, 200,
    ]);
    const listed = async (who: TestUser) =>
      (await api<Json[]>("GET", "/orgs/closed/repos", who)).body.map((repo) => repo["name"]);
    expect([await listed(bob), await listed(ada)]).toEqual([["open"], ["open", "secret"]]);
  });
});

describe("members", () => {
  test("of a hidden account are told to members only", async () => {
    const organization = anOrganization(server, ada.user, { login: "shy" });
    const hidden = await aUser(server, { visibility: "private" });
    aTeam(server, organization, { members: [hidden.user, bob.user] });
    const seen = server.services.organizations.standingIn(asAccount(ada.user), organization);
    server.services.members.setPublic(seen, hidden.user, true);
    const eve = await aUser(server);
    const names = async (path: string, who?: TestUser) =>
      (await api<Json[]>("GET", `/orgs/shy/${path}`, who)).body.map((user) => user["login"]);
    expect((await names("members", bob)).sort()).toEqual(["ada", "bob", hidden.login].sort());
    expect([await names("members", eve), await names("public_members")]).toEqual([[], []]);
    expect((await api("GET", `/orgs/shy/public_members/${hidden.login}`, eve)).status).toBe(404);
    const asked = async (name: string) => {
      const { status, headers } = await api("GET", `/orgs/shy/members/${name}`, eve);
      return [status, headers.get("location")];
    };
    expect(await asked("BOB")).toEqual([303, "/api/v1/orgs/shy/public_members/bob"]);
    for (const unknown of [hidden.login, eve.login, "no-such-person"])
      expect(await asked(unknown)).toEqual([404, null]);
  });

  test("show their public memberships to whoever is signed in, even of a private account", async () => {
    const organization = anOrganization(server, ada.user, { login: "known-house" });
    const hidden = await aUser(server, { visibility: "private" });
    aTeam(server, organization, { members: [hidden.user] });
    const listed = async (who?: TestUser, token?: string) => {
      const { status, body } = await api<Json[]>(
        "GET",
        `/users/${hidden.login}/orgs`,
        who && { ...who, ...(token && { token }) },
      );
      return status === 200 ? body.map(({ name }) => name) : status;
    };
    expect([await listed(bob), await listed(hidden), await listed()]).toEqual([[], ["known-house"], 401]);
    server.services.members.setPublic(
      server.services.organizations.standingIn(asAccount(ada.user), organization),
      hidden.user,
      true,
    );
    expect(await listed(bob)).toEqual(["known-house"]);
    expect(await listed(bob, aToken(server, bob.user, ["all", "public-only"]))).toBe(404);
    const closed = anOrganization(server, ada.user, { login: "closed-house", visibility: "private" });
    expect((await api("GET", `/users/${closed.login}/orgs`, bob)).status).toBe(404);
  });

  test("stop watching what they do not see any more", async () => {
    const organization = anOrganization(server, ada.user, { login: "watched" });
    const repo = aRepo(server, organization, { creator: ada.user, isPrivate: true });
    aTeam(server, organization, { members: [bob.user], includesAll: true });
    expect((await api("PUT", `/repos/watched/${repo.name}/subscription`, bob)).status).toBe(200);
    expect((await api("DELETE", "/orgs/watched/members/bob", ada)).status).toBe(204);
    const watching = server.core.db.query("SELECT 1 FROM watches WHERE user_id = ? AND repo_id = ?");
    expect(watching.get(bob.user.id, repo.id)).toBeNull();
  });
});

describe("an account that goes", () => {
  test("leaves organizations with others in charge; those it alone owns go with a purge", async () => {
    const eve = await aUser(server);
    const shared = anOrganization(server, eve.user);
    const alone = anOrganization(server, eve.user);
    aRepo(server, alone, { creator: eve.user });
    const owners = (await api<Json[]>("GET", `/orgs/${shared.login}/teams`, eve)).body[0]?.["id"];
    expect((await api("PUT", `/teams/${owners}/members/ada`, eve)).status).toBe(204);
    expect(await says(api("DELETE", `/admin/users/${eve.login}`, admin))).toEqual([
      422,
      `user still has membership of organizations [uid: ${eve.user.id}]`,
    ]);
    expect((await api("DELETE", `/admin/users/${eve.login}?purge=true`, admin)).status).toBe(204);
    expect((await api("GET", `/orgs/${alone.login}`, admin)).status).toBe(404);
    expect((await api<Json[]>("GET", `/orgs/${shared.login}/members`, ada)).body.map((user) => user["login"])).toEqual([
      "ada",
    ]);
  });
});

describe("a block", () => {
  test("ends collaboration, stars and watches, and keeps them from coming back", async () => {
    const organization = anOrganization(server, ada.user, { login: "quiet" });
    const repo = aRepo(server, organization, { creator: ada.user });
    const path = `/repos/quiet/${repo.name}`;
    const eve = await aUser(server);
    const add = () => api("PUT", `${path}/collaborators/${eve.login}`, ada, { permission: "write" });
    expect((await add()).status).toBe(204);
    expect((await api("PUT", `/user/starred/quiet/${repo.name}`, eve)).status).toBe(204);
    expect((await api("PUT", `${path}/subscription`, eve)).status).toBe(200);
    expect((await api("PUT", `/orgs/quiet/blocks/${eve.login}?note=${"x".repeat(256)}`, ada)).status).toBe(422);
    expect((await api("PUT", `/orgs/quiet/blocks/${eve.login}`, ada)).status).toBe(204);
    expect((await api("GET", `${path}/collaborators/${eve.login}`, ada)).status).toBe(404);
    expect((await api("GET", `/user/starred/quiet/${repo.name}`, eve)).status).toBe(404);
    expect((await api("GET", `${path}/subscription`, eve)).status).toBe(404);
    for (const again of [add(), api("PUT", `/user/starred/quiet/${repo.name}`, eve)])
      expect(await says(again)).toEqual([403, "user is blocked"]);
  });
});
