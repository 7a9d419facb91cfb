import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, anOrganization, aRepo, aServer, aTeam, aUser, type TestServer, type TestUser } from "../../builders.ts";
import { plansDuring, scans } from "../../plans.ts";

/** What is asked often finds its rows by index, however many organizations, teams and accounts there are. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  [ada, bob] = [await aUser(server, { login: "ada" }), await aUser(server, { login: "bob" })];
  const guild = anOrganization(server, ada.user, { login: "guild" });
  const tool = aRepo(server, guild, { name: "tool", creator: ada.user, isPrivate: true });
  const team = aTeam(server, guild, { name: "crew", members: [bob.user] });
  expect((await api("PUT", `/teams/${team.id}/repos/guild/${tool.name}`, ada)).status).toBe(204);
});
afterAll(() => server.close());

for (const [what, path] of [
  ["a repository", "/repos/guild/tool"],
  ["an organization", "/orgs/guild"],
  ["its members", "/orgs/guild/members"],
  ["its public members", "/orgs/guild/public_members"],
  ["its teams", "/orgs/guild/teams"],
  ["its repositories", "/orgs/guild/repos"],
  ["its feed", "/orgs/guild/activities/feeds"],
  ["one's organizations", "/user/orgs"],
  ["one's teams", "/user/teams"],
  ["one's repositories", "/user/repos"],
  ["someone's organizations", "/users/bob/orgs"],
  ["the teams of a repository", "/repos/guild/tool/teams"],
  ["a search of people", "/users/search?q=bob"],
  ["a list of people", "/users/search"],
  ["a list of organizations", "/orgs"],
  ["a search of repositories", "/repos/search?q=tool"],
  ["a search by owner and name", "/repos/search?q=guild/tool"],
  ["a search of what one may see, by time", "/repos/search?q=tool&private=true&sort=updated"],
] as const)
  test(`${what}: no table is walked`, async () => {
    const plans = await plansDuring(server, async () => {
      const answer = await api("GET", path, ada);
      expect([path, answer.status]).toEqual([path, 200]);
    });
    expect(plans.length).toBeGreaterThan(0);
    expect(scans(plans)).toEqual([]);
  });
