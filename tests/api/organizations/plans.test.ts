import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, anOrganization, aRepo, aServer, aTeam, aUser, type TestServer, type TestUser } from "../../builders.ts";

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

/** The plans of all that is asked of the database while `ask` runs. */
async function plansDuring(ask: () => Promise<unknown>): Promise<string[]> {
  const { db } = server.core;
  const query = db.query;
  const asked = new Set<string>();
  db.query = function <Row>(this: typeof db, sql: string) {
    asked.add(sql);
    return query.call(db, sql) as ReturnType<typeof query<Row>>;
  } as typeof query;
  try {
    await ask();
  } finally {
    db.query = query;
  }
  return [...asked]
    .filter((sql) => /^\s*(SELECT|WITH)/i.test(sql))
    .flatMap((sql) =>
      query
        .call(db, `EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => (row as { detail: string }).detail),
    );
}

/** Walks of a whole table, by index or not; lists that came as JSON and what a query made itself are none, and names of topics are few. */
const scans = (plans: readonly string[]) =>
  plans.filter((line) => /^SCAN (?!\(|CONSTANT|topics USING COVERING INDEX|.*VIRTUAL TABLE)/.test(line));

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
    const plans = await plansDuring(async () => {
      const answer = await api("GET", path, ada);
      expect([path, answer.status]).toEqual([path, 200]);
    });
    expect(plans.length).toBeGreaterThan(0);
    expect(scans(plans)).toEqual([]);
  });
