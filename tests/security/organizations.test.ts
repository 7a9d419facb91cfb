import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import type { Route } from "../../src/http/route.ts";
import { allRoutes } from "../../src/routes.ts";
import { anOrganization, aRepo, aTeam, aToken, call } from "../builders.ts";
import { bare, eachOf } from "./compare.ts";
import { aPerson, aWorld, type Person, type World } from "./world.ts";

/** Hidden organizations and teams answer like ones that are not there, on every route that names one (security rules C6, C9). */

let world: World;
let owner: Person;
let routes: Route[];
const hidden = "veiled";
const absent = "absent";
let teamId = 0;

beforeAll(async () => {
  world = await aWorld();
  const { server } = world;
  owner = await aPerson(server, { login: "otto" });
  const organization = anOrganization(server, owner.user, { login: hidden, visibility: "private" });
  teamId = aTeam(server, organization, { name: "crew", visibility: "public" }).id;
  const repo = aRepo(server, organization, { name: "open", creator: owner.user });
  // Who works on one of its repositories is not told of the organization.
  const { collaborators, repos } = server.services;
  const seen = repos.seeById(asAccount(owner.user), repo.id);
  if (!seen) throw new Error("the owner does not see the repository");
  collaborators.put(seen, world.people.writer.user, "write");
  routes = (await allRoutes(server.services)).filter(
    ({ path }) => path.includes(":org") || path.includes("/teams/:id"),
  );
});
afterAll(() => world.server.close());

function addressOf(route: Route, organization: string, team: number): string {
  const values: Record<string, string> = {
    ":org": organization,
    ":id": String(team),
    ":username": "otto",
    ":team": "crew",
    ":repo": "open",
  };
  return route.path
    .split("/")
    .map((part) => values[part] ?? part)
    .join("/");
}

test("a private organization and its teams are not there for outsiders", async () => {
  const { people, server } = world;
  const askers: [string, Person | undefined, string | undefined][] = [
    ["anonymous", undefined, undefined],
    ["stranger", people.stranger, people.stranger.token],
    ["restricted", people.restricted, people.restricted.token],
    ["a collaborator on one of its repositories", people.writer, people.writer.token],
    ["public-only of a member of another", people.reader, aToken(server, people.reader.user, ["public-only", "all"])],
  ];
  const different: string[] = [];
  const work = routes.flatMap((route) => askers.map(([name, person, token]) => ({ route, name, person, token })));
  await eachOf(work, async ({ route, name, person, token }) => {
    const isPage = route.surface === "page";
    const options = {
      ...(isPage ? { cookie: person?.cookie } : { token }),
      ...(route.method === "GET" ? {} : isPage ? { body: "a=1", headers: form } : { body: {} }),
    };
    const [there, missing] = await Promise.all([
      call<unknown>(server, route.method, addressOf(route, hidden, teamId), options),
      call<unknown>(server, route.method, addressOf(route, absent, 999_999), options),
    ]);
    const a = bare(there, [
      [hidden, "<org>"],
      [`teams/${teamId}`, "teams/<id>"],
    ]);
    const b = bare(missing, [
      [absent, "<org>"],
      ["teams/999999", "teams/<id>"],
    ]);
    if (!Bun.deepEquals(a, b))
      different.push(`${route.method} ${route.path} as ${name}: ${a.status} ${a.text} | ${b.status} ${b.text}`);
    if (there.status < 400 && there.status !== 303) different.push(`${route.method} ${route.path} let ${name} in`);
  });
  expect(different.slice(0, 20)).toEqual([]);
  expect(routes.length).toBeGreaterThan(40);
});

const form = { "content-type": "application/x-www-form-urlencoded" };

test("no list, search or feed names a private organization to an outsider", async () => {
  const { people, server } = world;
  const paths = [
    "/api/v1/orgs?limit=50",
    "/api/v1/users/otto/orgs",
    "/api/v1/users/otto/orgs/veiled/permissions",
    "/api/v1/users/search?q=veiled",
    "/api/v1/users/veiled",
    "/api/v1/users/veiled/repos",
    "/api/v1/repos/search?q=open&limit=50",
    `/api/v1/repos/search?team_id=${teamId}`,
    "/explore/organizations",
    "/explore/repos?q=open",
    "/veiled",
    "/veiled/open",
  ];
  for (const path of paths)
    for (const person of [undefined, people.stranger, people.restricted]) {
      const answer = await call<unknown>(
        server,
        "GET",
        path,
        path.startsWith("/api") ? { token: person?.token } : { cookie: person?.cookie },
      );
      const echoed = answer.text
        .replaceAll(/(redirect_to=|name: |value=")[^"\s]*veiled[^"\s]*/g, "")
        .replaceAll(path, "");
      expect([
        path,
        answer.status < 500,
        echoed.includes("veiled/open"),
        /"(name|login)":"veiled"/.test(echoed),
      ]).toEqual([path, true, false, false]);
    }
  const own = await call<{ name: string }[]>(server, "GET", "/api/v1/orgs?limit=50", { token: owner.token });
  expect(own.body.map(({ name }) => name)).toContain(hidden);
});
