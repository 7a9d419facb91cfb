import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, anOrganization, aRepo, aServer, aTeam, aUser, type TestServer, type TestUser } from "../../builders.ts";

/** What ends on items when someone may do less in a repository than before (contract repositories.md 12.1). */

let server: TestServer;
let olga: TestUser;
let walt: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  [olga, walt] = [await aUser(server, { login: "olga" }), await aUser(server, { login: "walt" })];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function anItemOfWalt(at: string): Promise<string> {
  const { body } = await api<{ number: number }>("POST", `${at}/issues`, olga, { title: "One", assignees: ["walt"] });
  const item = `${at}/issues/${body.number}`;
  expect((await api("PUT", `${item}/subscriptions/walt`, walt)).status).toBe(201);
  expect((await api("POST", `${item}/stopwatch/start`, walt)).status).toBe(201);
  return item;
}

async function stateOf(item: string) {
  const issue = await api<{ assignees: { login: string }[] | null }>("GET", item, olga);
  const watchers = await api<{ login: string }[]>("GET", `${item}/subscriptions`, olga);
  const stopwatches = await api<unknown[]>("GET", "/user/stopwatches", walt);
  const logins = (users: { login: string }[] | null) => (users ?? []).map(({ login }) => login);
  return { assigned: logins(issue.body.assignees), watching: logins(watchers.body), running: stopwatches.body.length };
}

const everything = { assigned: ["walt"], watching: ["walt"], running: 1 };
const nothing = { assigned: [], watching: [], running: 0 };

test("a collaborator who is removed leaves nothing of theirs on items of a private repository", async () => {
  aRepo(server, olga.user, { name: "own", isPrivate: true });
  const collaborator = "/repos/olga/own/collaborators/walt";
  expect((await api("PUT", collaborator, olga, {})).status).toBe(204);
  const item = await anItemOfWalt("/repos/olga/own");
  expect(await stateOf(item)).toEqual(everything);
  expect((await api("DELETE", collaborator, olga)).status).toBe(204);
  expect((await api("PUT", collaborator, olga, {})).status).toBe(204);
  expect(await stateOf(item)).toEqual(nothing);
});

test("whoever leaves a team leaves nothing where the team was what let them in, and keeps the rest", async () => {
  const acme = anOrganization(server, olga.user, { login: "acme" });
  for (const name of ["engine", "shop"]) aRepo(server, acme, { name, creator: olga.user, isPrivate: true });
  const crew = aTeam(server, acme, {
    name: "crew",
    members: [walt.user],
    visibility: "public",
    unitsMap: { "repo.issues": "write" },
  });
  for (const name of ["engine", "shop"])
    expect((await api("PUT", `/teams/${crew.id}/repos/acme/${name}`, olga)).status).toBe(204);
  expect((await api("PUT", "/repos/acme/shop/collaborators/walt", olga, {})).status).toBe(204);
  const [lost, kept] = [await anItemOfWalt("/repos/acme/engine"), await anItemOfWalt("/repos/acme/shop")];
  expect((await api("DELETE", `/teams/${crew.id}/members/walt`, olga)).status).toBe(204);
  expect((await stateOf(lost)).assigned).toEqual([]);
  expect(await stateOf(kept)).toEqual(everything);
});
