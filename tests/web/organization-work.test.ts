import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, anOrganization, aRepo, aServer, aTeam, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Issues, pull requests, milestones and working time of an organization (contract web.md 1.5). */

let server: TestServer;
let olga: TestUser;
let mia: TestUser;
let eve: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  await aUser(server, { isAdmin: true });
  [olga, mia, eve] = [await aUser(server), await aUser(server), await aUser(server)];
  const acme = anOrganization(server, olga.user, { login: "acme" });
  const [engine, secret] = [
    aRepo(server, acme, { name: "engine" }),
    aRepo(server, acme, { name: "secret", isPrivate: true }),
  ];
  const crew = aTeam(server, acme, { name: "crew", members: [mia.user], unitsMap: { "repo.issues": "read" } });
  expect((await api("PUT", `/teams/${crew.id}/repos/acme/${engine.name}`, olga)).status).toBe(204);
  for (const [repo, title] of [
    [engine.name, "seen by the crew"],
    [secret.name, "seen by owners"],
  ])
    expect((await api("POST", `/repos/acme/${repo}/issues`, olga, { title })).status).toBe(201);
  const own = aRepo(server, olga.user, { name: "own" });
  expect((await api("POST", `/repos/${olga.login}/${own.name}/issues`, olga, { title: "elsewhere" })).status).toBe(201);
  expect((await api("POST", "/repos/acme/engine/milestones", olga, { title: "first light" })).status).toBe(201);
  expect((await api("PATCH", "/repos/acme/engine/issues/1", olga, { milestone: 1 })).status).toBe(201);
  for (const time of [3600, 1800])
    expect((await api("POST", "/repos/acme/engine/issues/1/times", olga, { time })).status).toBe(200);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function signedIn({ user }: TestUser): Promise<Visitor> {
  return aPageOf(server, user);
}
const textAt = async (who: TestUser, path: string) => {
  const { status, text } = await (await signedIn(who)).get(`/org/acme/${path}`);
  return status === 200 ? wordsOf(text) : status;
};

test("members see the items of the organization that they may read, and no others", async () => {
  const all = await textAt(olga, "issues");
  expect(all).toContain("seen by the crew");
  expect(all).toContain("seen by owners");
  expect(all).not.toContain("elsewhere");
  expect(await textAt(mia, "issues")).not.toContain("seen by owners");
  const ofCrew = await textAt(olga, "issues/crew");
  expect(ofCrew).toContain("seen by the crew");
  expect(ofCrew).not.toContain("seen by owners");
  expect(await textAt(olga, "issues?q=repo:own")).not.toContain("elsewhere");
  expect(await textAt(olga, "pulls")).toContain("Pull requests");
});

test("milestones are those of its repositories", async () => {
  expect(await textAt(mia, "milestones")).toContain("first light");
  expect(await textAt(olga, "milestones/crew")).toContain("first light");
});

test("working time is summed by repository, milestone and person, for owners", async () => {
  expect(await textAt(olga, "worktime")).toContain("engine 1 hour 30 minutes");
  expect(await textAt(olga, "worktime?by=milestones")).toContain("engine: first light 1 hour 30 minutes");
  expect(await textAt(olga, "worktime?by=members")).toContain(`${olga.login} 1 hour 30 minutes`);
  expect(await textAt(olga, "worktime?from=2001-01-01&to=2001-12-31")).toContain("No time was tracked in this period");
  for (const odd of ["from=nonsense", "to=2020-13-40", "by=nothing", "from=9999-12-31&to=0000-01-01"])
    expect(typeof (await textAt(olga, `worktime?${odd}`))).toBe("string");
  expect(await textAt(mia, "worktime")).toBe(404);
});

test("strangers find none of these pages, visitors are asked to sign in", async () => {
  for (const path of ["issues", "pulls", "milestones", "worktime", "issues/crew"]) {
    expect(await textAt(eve, path)).toBe(404);
    const answer = await aPage(server).get(`/org/acme/${path}`);
    expect([answer.status, answer.location]).toEqual([
      303,
      `/user/login?redirect_to=${encodeURIComponent(`/org/acme/${path}`)}`,
    ]);
  }
});
