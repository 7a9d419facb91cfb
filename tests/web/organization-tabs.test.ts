import { afterAll, beforeAll, expect, test } from "bun:test";
import type { User } from "../../src/access/user.ts";
import { anApi, anOrganization, aRepo, aServer, aTeam, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** What leads through an organization, and from people to their organizations. */

let server: TestServer;
let olga: TestUser;
let mia: TestUser;
let asOlga: Visitor;
let asMia: Visitor;
let anybody: Visitor;
let acme: User;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  [olga, mia] = [await aUser(server, { login: "olga" }), await aUser(server, { login: "mia" })];
  [asOlga, asMia, anybody] = [await aPageOf(server, olga.user), await aPageOf(server, mia.user), aPage(server)];
  acme = anOrganization(server, olga.user, { login: "acme", fullName: "Acme" });
  aTeam(server, acme, { name: "crew", members: [mia.user] });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

test("packages and boards stand in the organization's frame, each under its own tab", async () => {
  for (const part of ["packages", "projects"]) {
    for (const visitor of [asOlga, anybody]) {
      const { status, text } = await visitor.get(`/acme/-/${part}`);
      expect([part, status]).toEqual([part, 200]);
      expect(text).toContain(`href="/acme/-/${part}" aria-current="page"`);
      expect(text).toContain('href="/org/acme/members"');
      expect(text.match(/<h1/g)).toHaveLength(1);
    }
    expect((await anybody.get("/acme")).text).toContain(`href="/acme/-/${part}"`);
    // A person's stand on the person's page, under the tab that leads there.
    const own = (await anybody.get(`/olga/-/${part}`)).text;
    expect(own).toContain('class="profile-card"');
    expect(own).toMatch(new RegExp(`href="/olga\\?tab=${part}" aria-current="page"`));
    expect(own.match(/<h1/g)).toHaveLength(1);
  }
});

test("an organization has no tab for packages where the site has none", async () => {
  const without = await aServer({ "packages.enabled": false });
  const owner = await aUser(without);
  anOrganization(without, owner.user, { login: "mill" });
  const { text } = await aPage(without).get("/mill");
  expect([text.includes("/mill/-/projects"), text.includes("/mill/-/packages")]).toEqual([true, false]);
  await without.close();
});

test("leaving a team asks first, since who is in no other leaves the organization", async () => {
  const { text } = await asMia.get("/org/acme/teams/crew");
  expect(text).toContain('href="#leave-team"');
  expect(wordsOf(text)).toContain("If you are in no other team, you leave the organization.");
});

test("owners are offered whom and what a team does not have; others are offered nothing", async () => {
  const offered = async (visitor: Visitor, path: string) =>
    [...(await visitor.get(`/org/acme/teams/crew${path}`)).text.matchAll(/<option value="([^"]+)"/g)].map(
      ([, name]) => name,
    );
  aTeam(server, acme, { name: "others", members: [(await aUser(server, { login: "nina" })).user] });
  expect((await offered(asOlga, "")).filter((name) => ["mia", "nina", "olga"].includes(name ?? ""))).toEqual([
    "nina",
    "olga",
  ]);
  for (const name of ["tool", "other"]) aRepo(server, acme, { name });
  await asOlga.post("/org/acme/teams/crew/action/repo/add", { repo_name: "tool" });
  expect((await offered(asOlga, "/repositories")).filter((name) => name === "tool" || name === "other")).toEqual([
    "other",
  ]);
  for (const path of ["", "/repositories"])
    expect((await offered(asMia, path)).filter((name) => ["nina", "other"].includes(name ?? ""))).toEqual([]);
});

test("owners are told on the list of members how one becomes a member", async () => {
  const hint = "People become members when they are added to a team";
  const words = async (visitor: Visitor) => wordsOf((await visitor.get("/org/acme/members")).text);
  expect([(await words(asOlga)).includes(hint), (await words(anybody)).includes(hint)]).toEqual([true, false]);
});

test("a person's page lists organizations, those of hidden membership to the person alone", async () => {
  anOrganization(server, olga.user, { login: "hush", visibility: "private" });
  const listed = async (visitor: Visitor, name: string) => {
    const { text } = await visitor.get(`/${name}?tab=organizations`);
    return ["acme", "hush"].filter((login) => text.includes(`href="/${login}"`));
  };
  expect(await listed(asOlga, "olga")).toEqual(["acme", "hush"]);
  expect(await listed(anybody, "olga")).toEqual([]);
  expect((await anybody.get("/olga")).text).not.toContain("tab=organizations");
  expect((await api("PUT", "/orgs/acme/public_members/olga", olga)).status).toBe(204);
  expect((await api("PUT", "/orgs/hush/public_members/olga", olga)).status).toBe(204);
  expect(await listed(anybody, "olga")).toEqual(["acme"]);
  expect((await anybody.get("/olga")).text).toContain("tab=organizations");
});
