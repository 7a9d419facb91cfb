import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { User } from "../../../src/access/user.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aTeam,
  aUser,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** Teams over REST (contract identity.md 13, repositories.md 4.3 and 12.2). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
let acme: User;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  eve = await aUser(server, { login: "eve" });
  acme = anOrganization(server, ada.user, { login: "acme" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const api = anApi(() => server);
const owners = async () => (await api<Json[]>("GET", "/orgs/acme/teams", ada)).body[0]?.["id"] as number;

describe("the rights of a team", () => {
  const make = (body: Json) => api("POST", "/orgs/acme/teams", ada, { name: `t-${Bun.randomUUIDv7()}`, ...body });

  test("that make no sense are refused", async () => {
    const refused: [Json, string][] = [
      [{}, "units permission should not be empty"],
      [{ permission: "read" }, "units permission should not be empty"],
      [{ permission: "king", units: ["repo.code"] }, "[Permission]: In"],
      [{ units: ["repo.code"] }, "[Permission]: Required"],
      [{ permission: "read", units: ["repo.kitchen"] }, "unknown unit repo.kitchen"],
      [{ units_map: { "repo.code": "owner" } }, "[UnitsMap]: In"],
      [{ units_map: { __proto__: "read", constructor: "read" } }, "unknown unit constructor"],
      [{ permission: "read", units: ["repo.code"], name: "new" }, "name is reserved [name: new]"],
      [{ permission: "read", units: ["repo.code"], name: ".." }, "name is reserved [name: ..]"],
    ];
    const before = (await api<Json[]>("GET", "/orgs/acme/teams", ada)).body.length;
    for (const [body, message] of refused) {
      const answer = await make(body);
      expect([body, answer.status, answer.body["message"]]).toEqual([body, 422, message]);
    }
    expect((await api<Json[]>("GET", "/orgs/acme/teams", ada)).body).toHaveLength(before);
  });

  test("may be written with empty texts for what is not said", async () => {
    const silent = { permission: "", visibility: "" };
    expect((await make({ ...silent, units: ["repo.code"] })).body["message"]).toBe("[Permission]: Required");
    const made = await make({ ...silent, units_map: { "repo.code": "read" } });
    expect([made.status, made.body["visibility"]]).toEqual([201, "private"]);
    const edit = (body: Json) => api("PATCH", `/teams/${made.body["id"]}`, ada, { ...silent, ...body });
    await edit({ visibility: "limited" });
    const edited = await edit({ description: "readers" });
    expect([edited.status, edited.body]).toMatchObject([
      200,
      { description: "readers", visibility: "limited", units_map: { "repo.code": "read" } },
    ]);
  });

  test("are unit by unit: what one may write another only reads, the rest is not there", async () => {
    const repo = aRepo(server, acme, { creator: ada.user, isPrivate: true, files: { "a.txt": "a" } });
    const path = `/repos/acme/${repo.name}`;
    const reads = aTeam(server, acme, { unitsMap: { "repo.code": "read" }, members: [bob.user] });
    aTeam(server, acme, { unitsMap: { "repo.issues": "write" }, includesAll: true, members: [eve.user] });
    expect((await api("GET", path, bob)).status).toBe(404);
    expect((await api("PUT", `/teams/${reads.id}${path.replace("/repos", "/repos")}`, ada)).status).toBe(204);
    expect((await api("GET", path, bob)).body["permissions"]).toEqual({ admin: false, push: false, pull: true });
    expect((await api("GET", `${path}/contents/a.txt`, bob)).status).toBe(200);
    expect((await api("POST", `${path}/branches`, bob, { new_branch_name: "b" })).status).toBe(403);
    // The team with issues alone sees that the repository is there, and none of its code.
    expect((await api("GET", path, eve)).body["permissions"]).toEqual({ admin: false, push: false, pull: false });
    expect((await api("GET", `${path}/contents/a.txt`, eve)).status).toBe(403);
    // Two teams: the higher level counts.
    aTeam(server, acme, { permission: "write", units: ["repo.code"], includesAll: true, members: [bob.user] });
    expect((await api("POST", `${path}/branches`, bob, { new_branch_name: "b" })).status).toBe(201);
  });

  test("to administer are those of an owner; to create make an administrator of what one made", async () => {
    const carl = await aUser(server);
    aTeam(server, acme, { permission: "admin", includesAll: true, members: [carl.user] });
    const repo = aRepo(server, acme, { creator: ada.user });
    expect((await api("PATCH", `/repos/acme/${repo.name}`, carl, { description: "x" })).status).toBe(200);
    expect(
      (await api("GET", `/repos/acme/${repo.name}/collaborators/${carl.login}/permission`, ada)).body["permission"],
    ).toBe("owner");
    const dora = await aUser(server);
    aTeam(server, acme, { canCreateRepos: true, members: [dora.user] });
    expect((await api("POST", "/orgs/acme/repos", dora, { name: "doras", private: true })).status).toBe(201);
    expect((await api("GET", `/repos/acme/doras/collaborators/${dora.login}/permission`, ada)).body["permission"]).toBe(
      "admin",
    );
  });

  test("change with an edit: for the same units by a permission alone, and never for the owners", async () => {
    const team = aTeam(server, acme, { unitsMap: { "repo.code": "read", "repo.wiki": "read" } });
    const patch = async (body: Json, id = team.id) => (await api("PATCH", `/teams/${id}`, ada, body)).body["units_map"];
    expect(await patch({ permission: "write" })).toEqual({ "repo.code": "write", "repo.wiki": "write" });
    expect(await patch({ description: "x" })).toEqual({ "repo.code": "write", "repo.wiki": "write" });
    const id = await owners();
    await api("PATCH", `/teams/${id}`, ada, {
      permission: "read",
      units: ["repo.code"],
      visibility: "public",
      can_create_org_repo: false,
    });
    const after = (await api("GET", `/teams/${id}`, ada)).body;
    expect([after["permission"], after["visibility"], after["can_create_org_repo"]]).toEqual([
      "owner",
      "limited",
      true,
    ]);
    expect((await api("PATCH", `/teams/${id}`, ada, { name: "chiefs" })).status).toBe(422);
    expect((await api("DELETE", `/teams/${id}`, ada)).status).toBe(422);
    expect((await api("PATCH", `/teams/${team.id}`, ada, { name: "owners" })).status).toBe(422);
  });
});

describe("the repositories of a team", () => {
  test("are its own organization's, under that organization's name", async () => {
    const other = anOrganization(server, ada.user);
    const foreign = aRepo(server, other, { creator: ada.user });
    const own = aRepo(server, acme, { creator: ada.user });
    const team = aTeam(server, acme, {});
    for (const path of [`${other.login}/${foreign.name}`, `acme/${foreign.name}`, `${other.login}/${own.name}`])
      for (const method of ["GET", "PUT", "DELETE"])
        expect([method, path, (await api(method, `/teams/${team.id}/repos/${path}`, ada)).status]).toEqual([
          method,
          path,
          404,
        ]);
    expect((await api("PUT", `/teams/${team.id}/repos/ACME/${own.name.toUpperCase()}`, ada)).status).toBe(204);
    const listed = await api<Json[]>("GET", `/teams/${team.id}/repos`, ada);
    expect([listed.body.map((repo) => repo["name"]), listed.headers.get("x-total-count")]).toEqual([[own.name], "1"]);
  });

  test("are changed by administrators of the repository where the organization lets them", async () => {
    const open = anOrganization(server, ada.user, { repoAdminsChangeTeams: true });
    const repo = aRepo(server, open, { creator: ada.user });
    const team = aTeam(server, open, { members: [bob.user] });
    const path = `/repos/${open.login}/${repo.name}`;
    const add = () => api("PUT", `${path}/teams/${team.name}`, bob);
    expect((await add()).body["message"]).toBe(
      "user should be an owner or a collaborator with admin write of a repository",
    );
    await api("PUT", `${path}/collaborators/bob`, ada, { permission: "admin" });
    expect((await add()).status).toBe(204);
    await api("PATCH", `/orgs/${open.login}`, ada, { repo_admin_change_team_access: false });
    const refused = await api("DELETE", `${path}/teams/${team.name}`, bob);
    expect([refused.status, refused.body["message"]]).toEqual([403, "user is nor repo admin nor owner"]);
  });

  test("are found by their team's number, as far as the caller sees them", async () => {
    const organization = anOrganization(server, ada.user);
    const [open, secret] = [
      aRepo(server, organization, { creator: ada.user }),
      aRepo(server, organization, { creator: ada.user, isPrivate: true }),
    ];
    const team = aTeam(server, organization, { includesAll: true });
    const found = async (who?: TestUser) =>
      (await api<{ data: Json[] }>("GET", `/repos/search?team_id=${team.id}`, who)).body.data
        .map((repo) => repo["name"])
        .sort();
    expect(await found(ada)).toEqual([open.name, secret.name].sort());
    expect(await found(bob)).toEqual([open.name]);
    const mine = aTeam(server, organization, { includesAll: true, members: [bob.user] });
    expect(mine.includesAll).toBe(true);
    const own = (await api<Json[]>("GET", "/user/repos?limit=50", bob)).body.map((repo) => repo["name"]);
    expect([own.includes(open.name), own.includes(secret.name)]).toEqual([true, true]);
  });
});

describe("the owners", () => {
  test("are never none, also when two leave at once", async () => {
    const organization = anOrganization(server, ada.user);
    const id = (await api<Json[]>("GET", `/orgs/${organization.login}/teams`, ada)).body[0]?.["id"];
    await api("PUT", `/teams/${id}/members/bob`, ada);
    const left = await Promise.all([
      api("DELETE", `/teams/${id}/members/ada`, bob),
      api("DELETE", `/orgs/${organization.login}/members/bob`, ada),
    ]);
    expect(left.map(({ status }) => status).sort()).toEqual([204, 403]);
    const rest = await api<Json[]>("GET", `/teams/${id}/members`, {
      token: (left[0]?.status === 204 ? bob : ada).token,
    });
    expect(rest.body).toHaveLength(1);
  });
});

describe("the members of a team", () => {
  test("are told to members of the organization, whatever the team's visibility, and to no one else", async () => {
    const stranger = await aUser(server);
    const hidden = anOrganization(server, ada.user, { visibility: "private" });
    for (const [organization, status, message] of [
      [acme, 403, "Must be an organization member"],
      [hidden, 404, "not found"],
    ] as const)
      for (const visibility of ["limited", "private"] as const) {
        const team = aTeam(server, organization, { visibility, members: [bob.user] });
        for (const path of [`/teams/${team.id}/members`, `/teams/${team.id}/members/bob`]) {
          const refused = await api("GET", path, stranger);
          expect([path, refused.status, refused.body["message"]]).toEqual([path, status, message]);
          expect((await api("GET", path, bob)).status).toBe(200);
        }
      }
  });

  test("are named by accounts that there are", async () => {
    const team = aTeam(server, acme, {});
    for (const [method, path] of [
      ["PUT", `/teams/${team.id}/members/nobody`],
      ["DELETE", `/teams/${team.id}/members/nobody`],
      ["DELETE", "/orgs/acme/members/nobody"],
    ] as const) {
      const missing = await api(method, path, ada);
      expect([missing.status, missing.body["message"]]).toEqual([404, "not found"]);
    }
    const blocked = await api("PUT", "/orgs/acme/blocks/nobody", ada);
    expect([blocked.status, blocked.body["message"]]).toEqual([404, "user does not exist [uid: 0, name: nobody]"]);
  });
});
