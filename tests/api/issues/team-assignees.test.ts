import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, anOrganization, aRepo, aServer, aTeam, aUser, type TestServer, type TestUser } from "../../builders.ts";
import { aPageOf } from "../../web/browser-calls.ts";

/** A team is assigned as the people who are in it at that time. */

let server: TestServer;
let olga: TestUser;
let rita: TestUser;
let walt: TestUser;
const api = anApi(() => server);
const at = "/repos/acme/engine";

beforeAll(async () => {
  server = await aServer();
  [olga, rita, walt] = [
    await aUser(server, { login: "olga" }),
    await aUser(server, { login: "rita" }),
    await aUser(server, { login: "walt" }),
  ];
  const acme = anOrganization(server, olga.user, { login: "acme" });
  aRepo(server, acme, { name: "engine", creator: olga.user });
  const rights = { unitsMap: { "repo.issues": "write" } } as const;
  const crew = aTeam(server, acme, { name: "crew", members: [rita.user, walt.user], visibility: "public", ...rights });
  const secret = aTeam(server, acme, { name: "secret", members: [walt.user], visibility: "private", ...rights });
  for (const { id } of [crew, secret])
    expect((await api("PUT", `/teams/${id}/repos/acme/engine`, olga)).status).toBe(204);
  aTeam(server, acme, { name: "elsewhere", members: [walt.user], visibility: "public", ...rights });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const assigned = (answer: { body: { assignees: { login: string }[] | null } }) =>
  (answer.body.assignees ?? []).map(({ login }) => login).toSorted();

test("everyone who is in it now is assigned, once", async () => {
  const made = await api<{ assignees: { login: string }[]; number: number }>("POST", `${at}/issues`, olga, {
    title: "One",
    assignees: ["rita", "ACME/crew"],
  });
  expect([made.status, assigned(made)]).toEqual([201, ["rita", "walt"]]);
});

test("a team that is not shown, has not the repository, or is another's is as one that is not there", async () => {
  const told = async (who: TestUser, team: string) => {
    const answer = await api<{ message: string }>("POST", `${at}/issues`, who, { title: "Two", assignees: [team] });
    return [answer.status, answer.body.message?.replaceAll(team, "TEAM")];
  };
  const missing = await told(rita, "acme/nobody");
  expect(missing[0]).toBe(422);
  for (const team of ["acme/secret", "acme/elsewhere", "other/crew", "acme/", "/"])
    expect([team, await told(rita, team)]).toEqual([team, missing]);
  expect((await told(olga, "acme/secret"))[0]).toBe(201);
});

test("who may be assigned is asked by name, and told in words of the contract", async () => {
  const said = async (name: string) => {
    const { status, body } = await api<{ message?: string }>("GET", `${at}/assignees/${name}`, olga);
    return [status, body?.message];
  };
  expect((await said("rita"))[0]).toBe(204);
  expect(await said("nobody-here")).toEqual([404, "user does not exist [uid: 0, name: nobody-here]"]);
  expect(await said("acme")).toEqual([
    400,
    expect.stringMatching(/^organization can't be added as assignee \[user_id: \d+, repo_id: \d+\]$/),
  ]);
});

test("people are offered by name, the owner of the repository last", async () => {
  const { name } = aRepo(server, olga.user, { name: "own" });
  for (const { login } of [walt, rita])
    expect((await api("PUT", `/repos/olga/${name}/collaborators/${login}`, olga, {})).status).toBe(204);
  const { body } = await api<{ login: string }[]>("GET", `/repos/olga/${name}/assignees`, olga);
  expect(body.map(({ login }) => login)).toEqual(["rita", "walt", "olga"]);
});

test("pages offer teams beside people", async () => {
  const page = await aPageOf(server, rita.user);
  const { text } = await page.get("/acme/engine/issues/new");
  expect(text).toContain("acme/crew");
  expect(text).not.toContain("acme/secret");
});

test("the team is taken off, set beside an item and given to several by its name", async () => {
  const { body } = await api<{ id: number; number: number }>("POST", `${at}/issues`, olga, { title: "Three" });
  const item = `${at}/issues/${body.number}`;
  const now = async () => assigned(await api("GET", item, olga));
  const page = await aPageOf(server, olga.user);
  expect((await page.get(`/acme/engine/issues/${body.number}`)).text).toContain("acme/crew");
  expect((await page.get("/acme/engine/issues?menu=bulk")).text).toContain("acme/crew");
  await page.post(`/acme/engine/issues/${body.number}/assignees`, { assignees: "acme/crew" });
  expect(await now()).toEqual(["rita", "walt"]);
  const several = { issue_ids: String(body.id), assignee: "acme/crew" };
  await page.post("/acme/engine/issues/assignee?action=toggle", several);
  expect(await now()).toEqual([]);
  await page.post("/acme/engine/issues/assignee?action=attach", several);
  expect(await now()).toEqual(["rita", "walt"]);
  const fewer = await api<{ assignees: { login: string }[] }>("DELETE", `${item}/assignees`, olga, {
    assignees: ["acme/crew"],
  });
  expect([fewer.status, assigned(fewer)]).toEqual([200, []]);
});
