import { afterAll, beforeAll, describe, expect, test } from "bun:test";
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

/** Giving repositories to another owner (contract repositories.md 8). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;

beforeAll(async () => {
  server = await aServer();
  [ada, bob, eve] = [
    await aUser(server, { login: "ada" }),
    await aUser(server, { login: "bob" }),
    await aUser(server, { login: "eve" }),
  ];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const api = anApi(() => server);
const start = (name: string, to: unknown, who = ada, fields: Json = {}) =>
  api("POST", `/repos/ada/${name}/transfer`, who, { new_owner: to, ...fields });

describe("a transfer", () => {
  test("to an organization of others is shown to whoever may take it, private or not", async () => {
    const club = anOrganization(server, bob.user);
    aTeam(server, club, { members: [eve.user] });
    const repo = aRepo(server, ada.user, { isPrivate: true });
    expect((await start(repo.name, club.login)).status).toBe(201);
    expect((await api("GET", `/repos/ada/${repo.name}`, eve)).status).toBe(404);
    const offered = await api("GET", `/repos/ada/${repo.name}`, bob);
    expect([offered.status, (offered.body["repo_transfer"] as Json)["recipient"]]).toMatchObject([
      200,
      { login: club.login },
    ]);
    expect((await api("POST", `/repos/ada/${repo.name}/transfer/reject`, bob)).status).toBe(200);
    // What was refused is not shown any longer.
    expect((await api("GET", `/repos/ada/${repo.name}`, bob)).status).toBe(404);
  });

  test("takes away what the old organization's teams gave, and what the new owner was given as a collaborator", async () => {
    const from = anOrganization(server, ada.user);
    const repo = aRepo(server, from, { creator: ada.user, isPrivate: true });
    aTeam(server, from, { includesAll: true, members: [eve.user] });
    const path = `/repos/${from.login}/${repo.name}`;
    await api("PUT", `${path}/subscription`, eve);
    await api("PUT", `${path}/collaborators/bob`, ada, { permission: "write" });
    expect((await api("POST", `${path}/transfer`, ada, { new_owner: "bob" })).status).toBe(201);
    expect((await api("POST", `${path}/transfer/accept`, bob)).status).toBe(202);
    expect((await api("GET", `/repos/bob/${repo.name}`, eve)).status).toBe(404);
    expect((await api<Json[]>("GET", `/repos/bob/${repo.name}/collaborators`, bob)).body).toEqual([]);
    expect(server.core.db.query("SELECT 1 FROM team_repositories WHERE repo_id = ?").get(repo.id)).toBeNull();
  });

  test("counts against the recipient's limit, and a name that was taken meanwhile keeps it waiting", async () => {
    const root = await aUser(server, { isAdmin: true });
    const full = await aUser(server);
    const repo = aRepo(server, ada.user);
    expect((await start(repo.name, full.login)).status).toBe(201);
    const mine = aRepo(server, full.user, { name: repo.name });
    const accept = () => api("POST", `/repos/ada/${repo.name}/transfer/accept`, full);
    expect((await accept()).status).toBe(422);
    expect((await api("DELETE", `/repos/${full.login}/${mine.name}`, full)).status).toBe(204);
    await api("PATCH", `/admin/users/${full.login}`, root, { max_repo_creation: 0 });
    const refused = await accept();
    expect([refused.status, refused.body["message"]]).toEqual([403, "Repository limit has been reached"]);
    await api("PATCH", `/admin/users/${full.login}`, root, { max_repo_creation: 1 });
    expect((await accept()).status).toBe(202);
    expect((await api("GET", `/repos/ada/${repo.name}`, full)).headers.get("location")).toBe(
      `/api/v1/repos/${full.login}/${repo.name}`,
    );
  });

  test("tells whoever answers what they might do until then, and everyone else that it is not theirs", async () => {
    const { name } = aRepo(server, ada.user, { isPrivate: true });
    await start(name, "bob");
    const root = await aUser(server, { isAdmin: true });
    for (const who of [ada, root])
      for (const answer of ["accept", "reject"]) {
        const refused = await api("POST", `/repos/ada/${name}/transfer/${answer}`, who);
        expect([refused.status, refused.body["message"]]).toEqual([403, "permission denied"]);
      }
    const reader = { admin: false, push: false, pull: true };
    const rejected = await api("POST", `/repos/ada/${name}/transfer/reject`, bob);
    expect(rejected).toMatchObject({ status: 200, body: { permissions: reader, owner: { login: "ada" } } });
    await start(name, "bob");
    const accepted = await api("POST", `/repos/ada/${name}/transfer/accept`, bob);
    expect(accepted).toMatchObject({ status: 202, body: { permissions: reader, full_name: `bob/${name}` } });
    expect((await api("GET", `/repos/bob/${name}`, bob)).body["permissions"]).toMatchObject({ admin: true });
  });

  test("is not offered to who blocks, and a block ends it", async () => {
    const club = anOrganization(server, bob.user);
    const repo = aRepo(server, ada.user);
    expect((await start(repo.name, club.login)).status).toBe(201);
    expect((await api("PUT", `/orgs/${club.login}/blocks/ada`, bob)).status).toBe(204);
    expect((await api("GET", `/repos/ada/${repo.name}`, ada)).body["repo_transfer"]).toBeUndefined();
    const refused = await start(repo.name, club.login);
    expect([refused.status, refused.body["message"]]).toEqual([403, "user is blocked"]);
  });

  test("takes no nonsense, and of two answers one counts", async () => {
    const repo = aRepo(server, ada.user);
    const bad: [unknown, Json, number][] = [
      [undefined, {}, 404],
      ["", {}, 404],
      [7, {}, 422],
      ["bob", { team_ids: "x" }, 422],
      ["bob", { team_ids: [1] }, 422],
      ["ghost", {}, 404],
    ];
    for (const [to, fields, status] of bad)
      expect([to, fields, (await start(repo.name, to, ada, fields)).status]).toEqual([to, fields, status]);
    await start(repo.name, "bob");
    const answers = await Promise.all(
      ["accept", "reject"].map((word) => api("POST", `/repos/ada/${repo.name}/transfer/${word}`, bob)),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
  });
});
