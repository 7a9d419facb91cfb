import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import type { User } from "../../src/access/user.ts";
import { anOrganization, aRepo, aServer, aTeam, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Organizations and teams in the browser, every form as it is sent without JavaScript (contract web.md 2.5). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
let asAda: Visitor;
let asBob: Visitor;
let asEve: Visitor;
let anybody: Visitor;
let guild: User;

beforeAll(async () => {
  server = await aServer();
  [ada, bob, eve] = (await Promise.all(["ada", "bob", "eve"].map((login) => aUser(server, { login })))) as [
    TestUser,
    TestUser,
    TestUser,
  ];
  const pageOf = async (who: TestUser) => {
    return aPageOf(server, who.user);
  };
  [asAda, asBob, asEve, anybody] = [await pageOf(ada), await pageOf(bob), await pageOf(eve), aPage(server)];
  guild = anOrganization(server, ada.user, { login: "guild", fullName: "The Guild" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const leadsTo = (answer: { status: number; headers: Headers }) => [answer.status, answer.headers.get("location")];

describe("making an organization", () => {
  test("leads to its page; what is wrong is said beside the field", async () => {
    const made = await asBob.post("/org/create", {
      org_name: "Bobs",
      visibility: "2",
      repo_admin_change_team_access: "on",
    });
    expect(leadsTo(made)).toEqual([303, "/Bobs"]);
    expect(wordsOf((await asBob.get("/Bobs")).text)).toContain("Private");
    expect((await anybody.get("/Bobs")).status).toBe(404);
    expect((await asEve.get("/Bobs")).status).toBe(404);
    const taken = await asEve.post("/org/create", { org_name: "bobs", visibility: "0" });
    expect(taken.status).toBe(422);
    expect(taken.text).toContain('id="f-org_name-error"');
  });

  test("is refused to who may not, before and after the form", async () => {
    const { identity } = server.services;
    const barred = await aUser(server);
    const root = await aUser(server, { isAdmin: true });
    const { asAccount } = await import("../../src/access/principal.ts");
    await identity.edit(asAccount(root.user), barred.user, { allowCreateOrganization: false });
    const visitor = await aPageOf(server, barred.user);
    expect(wordsOf((await visitor.get("/org/create")).text)).toContain("You may not create organizations.");
    expect((await visitor.post("/org/create", { org_name: "theirs" })).status).toBe(422);
    expect((await visitor.get("/theirs")).status).toBe(404);
  });
});

describe("a team", () => {
  test("is made with a level for each unit, given people and a repository, changed and deleted", async () => {
    const repo = aRepo(server, guild, { name: "tool", creator: ada.user, isPrivate: true });
    aRepo(server, ada.user, { name: "private-of-ada", isPrivate: true });
    const fields = {
      team_name: "crew",
      description: "The crew",
      permission: "read",
      repo_access: "specified",
      visibility: "limited",
    };
    const empty = await asAda.post("/org/guild/teams/new", fields);
    expect([empty.status, empty.text.includes("Choose what the team can do.")]).toEqual([422, true]);
    const made = await asAda.post("/org/guild/teams/new", {
      ...fields,
      unit_code: "write",
      unit_issues: "read",
      unit_wiki: "none",
    });
    expect(leadsTo(made)).toEqual([303, "/org/guild/teams/crew"]);
    const page = wordsOf((await asAda.get("/org/guild/teams/crew")).text);
    expect(page).toContain("Code: Write");
    expect(page).toContain("Issues: Read");
    expect(page).not.toContain("Wiki");
    expect((await asBob.get("/guild/tool")).status).toBe(404);
    expect((await asAda.post("/org/guild/teams/crew/action/add", { uname: "nobody-there" })).status).toBe(422);
    expect(leadsTo(await asAda.post("/org/guild/teams/crew/action/add", { uname: "bob" }))).toEqual([
      303,
      "/org/guild/teams/crew",
    ]);
    expect((await asAda.post("/org/guild/teams/crew/action/repo/add", { repo_name: "none" })).status).toBe(422);
    const added = await asAda.post("/org/guild/teams/crew/action/repo/add", { repo_name: "tool" });
    expect(leadsTo(added)).toEqual([303, "/org/guild/teams/crew/repositories"]);
    expect((await asBob.get("/guild/tool")).status).toBe(200);
    // All at once, to it and from it; another owner's repositories stay out of it.
    const other = aRepo(server, guild, { isPrivate: true });
    const all = await asAda.post("/org/guild/teams/crew/action/repo/addall", {});
    expect(leadsTo(all)).toEqual([303, "/org/guild/teams/crew/repositories"]);
    expect((await asBob.get(`/guild/${other.name}`)).status).toBe(200);
    expect((await asBob.get("/ada/private-of-ada")).status).toBe(404);
    expect((await asBob.post("/org/guild/teams/crew/action/repo/removeall", {})).status).toBe(404);
    await asAda.post("/org/guild/teams/crew/action/repo/removeall", {});
    expect((await asBob.get("/guild/tool")).status).toBe(404);
    expect(wordsOf((await asAda.get("/org/guild/teams/crew/repositories")).text)).toContain("no repositories yet");
    await asAda.post("/org/guild/teams/crew/action/repo/add", { repo_name: "tool" });
    // The repository's own settings show the team, and take it away again.
    const access = await asAda.get("/guild/tool/settings/collaboration");
    expect(wordsOf(access.text)).toContain("Teams with access");
    const id = server.services.teams.repos.ofRepoNamed(
      server.services.repos.see(asAccount(ada.user), "guild", "tool", () => ""),
      "crew",
    ).id;
    await asAda.post("/guild/tool/settings/collaboration/team/delete", { id: String(id) });
    expect((await asBob.get("/guild/tool")).status).toBe(404);
    await asAda.post("/guild/tool/settings/collaboration/team", { team: "crew" });
    expect((await asBob.get("/guild/tool")).status).toBe(200);
    const edited = await asAda.post("/org/guild/teams/crew/edit", { ...fields, team_name: "band", unit_wiki: "read" });
    expect(leadsTo(edited)).toEqual([303, "/org/guild/teams/band"]);
    expect(wordsOf((await asAda.get("/org/guild/teams/band")).text)).not.toContain("Code: Write");
    expect(leadsTo(await asAda.post("/org/guild/teams/band/delete", { team_name: "wrong" }))).toEqual([
      303,
      "/org/guild/teams/band",
    ]);
    expect(leadsTo(await asAda.post("/org/guild/teams/band/delete", { team_name: "band" }))).toEqual([
      303,
      "/org/guild/teams",
    ]);
    expect((await asBob.get(`/guild/${repo.name}`)).status).toBe(404);
  });

  test("is not there for who is not shown it", async () => {
    aTeam(server, guild, { name: "secret" });
    aTeam(server, guild, { name: "known", visibility: "limited", members: [eve.user] });
    const paths = ["", "/repositories", "/edit"];
    for (const path of paths) expect((await asEve.get(`/org/guild/teams/secret${path}`)).status).toBe(404);
    expect((await asBob.get("/org/guild/teams/known")).status).toBe(404);
    expect((await asEve.get("/org/guild/teams/known")).status).toBe(200);
    expect((await asEve.get("/org/guild/teams/known/edit")).status).toBe(404);
    expect((await asEve.post("/org/guild/teams/known/action/add", { uname: "bob" })).status).toBe(404);
    expect(wordsOf((await asEve.get("/org/guild/teams")).text)).not.toContain("secret");
    expect(leadsTo(await anybody.get("/org/guild/teams/secret"))[0]).toBe(303);
    expect(leadsTo(await anybody.get("/org/guild/teams/never-was"))[0]).toBe(303);
  });
});

describe("members", () => {
  test("show themselves, are removed, and leave; the last owner stays", async () => {
    const organization = anOrganization(server, ada.user, { login: "club" });
    aTeam(server, organization, { members: [bob.user, eve.user] });
    const uid = String(bob.user.id);
    expect(wordsOf((await anybody.get("/org/club/members")).text)).not.toContain("bob");
    await asBob.post("/org/club/members/action/public", { uid });
    expect(wordsOf((await anybody.get("/org/club/members")).text)).toContain("bob");
    // Not another's.
    await asEve.post("/org/club/members/action/private", { uid });
    expect(wordsOf((await anybody.get("/org/club/members")).text)).toContain("bob");
    expect((await asAda.post("/org/club/members/action/remove", { uid: "999999" })).status).toBe(404);
    await asEve.post("/org/club/members/action/remove", { uid });
    expect(wordsOf((await asAda.get("/org/club/members")).text)).toContain("bob");
    await asAda.post("/org/club/members/action/remove", { uid });
    expect(wordsOf((await anybody.get("/org/club/members")).text)).not.toContain("bob");
    expect(leadsTo(await asEve.post("/org/club/members/action/leave", {}))).toEqual([303, "/"]);
    await asAda.post("/org/club/members/action/leave", {});
    expect(wordsOf((await asAda.get("/org/club/members")).text)).toContain("An organization needs an owner");
  });
});

describe("settings", () => {
  test("keep what was typed when it is refused, ask for the name before a rename, and a deletion needs an empty organization", async () => {
    const organization = anOrganization(server, ada.user, { login: "works" });
    const refused = await asAda.post("/org/works/settings", { full_name: "The Works", website: "javascript:1" });
    expect([refused.status, refused.text.includes('value="The Works"')]).toEqual([422, true]);
    expect(leadsTo(await asAda.post("/org/works/settings", { full_name: "The Works", email: "" }))).toEqual([
      303,
      "/org/works/settings",
    ]);
    expect(wordsOf((await anybody.get("/works")).text)).toContain("The Works");
    aRepo(server, organization, { name: "anvil", creator: ada.user });
    expect(leadsTo(await asAda.post("/org/works/settings/delete", { org_name: "works" }))).toEqual([
      303,
      "/org/works/settings",
    ]);
    expect(wordsOf((await asAda.get("/org/works/settings")).text)).toContain("still has repositories");
    await asAda.post("/org/works/settings/rename", { org_name: "wrong", new_org_name: "mill" });
    expect((await anybody.get("/works")).status).toBe(200);
    expect(
      leadsTo(await asAda.post("/org/works/settings/rename", { org_name: "works", new_org_name: "mill" })),
    ).toEqual([303, "/org/mill/settings"]);
    expect(leadsTo(await anybody.get("/works?tab=x"))).toEqual([307, "/mill?tab=x"]);
    expect(leadsTo(await asAda.get("/org/works/teams"))).toEqual([307, "/org/mill/teams"]);
    await asAda.post("/org/mill/settings/visibility", { visibility: "2" });
    expect((await anybody.get("/mill")).status).toBe(404);
    expect((await asBob.get("/org/mill/settings")).status).toBe(404);
  });

  test("block and unblock", async () => {
    anOrganization(server, ada.user, { login: "gate" });
    const page = "/org/gate/settings/blocked_users";
    expect((await asAda.post(page, { action: "block", blockee: "ada" })).status).toBe(422);
    expect(leadsTo(await asAda.post(page, { action: "block", blockee: "eve", note: "noise" }))).toEqual([303, page]);
    expect((await asAda.get(page)).text).toContain(`value="noise"`);
    await asAda.post(page, { action: "unblock", blockee: "eve" });
    expect(wordsOf((await asAda.get(page)).text)).toContain("No one is blocked");
  });
});

describe("the page of an organization", () => {
  test("shows members their own README first, and others never", async () => {
    const organization = anOrganization(server, ada.user, { login: "faces" });
    aRepo(server, organization, { name: ".profile", creator: ada.user, files: { "README.md": "Hello everyone" } });
    // Public in error: still not for others.
    aRepo(server, organization, {
      name: ".profile-private",
      creator: ada.user,
      files: { "README.md": "Hello members" },
    });
    expect(wordsOf((await asAda.get("/faces")).text)).toContain("Hello members");
    expect(wordsOf((await asAda.get("/faces?view_as=public")).text)).toContain("Hello everyone");
    for (const visitor of [asBob, anybody])
      for (const view of ["", "?view_as=member"]) {
        const words = wordsOf((await visitor.get(`/faces${view}`)).text);
        expect([words.includes("Hello everyone"), words.includes("Hello members")]).toEqual([true, false]);
      }
  });

  test("is among those to explore, owners choose it for a new repository, and members find it on their start page", async () => {
    expect(wordsOf((await anybody.get("/explore/organizations")).text)).toContain("guild");
    expect(wordsOf((await asAda.get("/")).text)).toContain("guild");
    expect((await asAda.get("/repo/create?org=guild")).text).toContain(`<option value="${guild.id}" selected`);
    const made = await asAda.post("/repo/create", { uid: String(guild.id), repo_name: "by-form", auto_init: "on" });
    expect(leadsTo(made)).toEqual([303, "/guild/by-form"]);
    expect((await asBob.post("/repo/create", { uid: String(guild.id), repo_name: "theirs" })).status).toBe(422);
  });
});

describe("a transfer", () => {
  test("is offered in the settings, answered on the start page, or taken back", async () => {
    aRepo(server, bob.user, { name: "gift" });
    const settings = "/bob/gift/settings";
    const give = (fields: Record<string, string>) => asBob.post(settings, { action: "transfer", ...fields });
    expect((await give({ repo_name: "wrong", new_owner_name: "guild" })).status).toBe(422);
    expect((await give({ repo_name: "bob/gift", new_owner_name: "nobody-there" })).status).toBe(422);
    expect(leadsTo(await give({ repo_name: "bob/gift", new_owner_name: "guild" }))).toEqual([303, settings]);
    expect(wordsOf((await asBob.get(settings)).text)).toContain("offered to guild");
    expect(leadsTo(await asBob.post(settings, { action: "cancel_transfer" }))).toEqual([303, settings]);
    expect(wordsOf((await asAda.get("/")).text)).not.toContain("Offered to you");
    await give({ repo_name: "gift", new_owner_name: "guild" });
    expect(wordsOf((await asAda.get("/")).text)).toContain("bob offers it to guild");
    expect(leadsTo(await asEve.post("/bob/gift/action/accept_transfer", {}))).toEqual([303, "/bob/gift"]);
    expect((await asAda.get("/bob/gift")).status).toBe(200);
    expect(leadsTo(await asAda.post("/bob/gift/action/accept_transfer", {}))).toEqual([303, "/guild/gift"]);
    expect(leadsTo(await anybody.get("/bob/gift"))).toEqual([301, "/guild/gift"]);
    server.core.outbox.dispatch();
    expect(wordsOf((await asAda.get("/org/guild/dashboard")).text)).toContain("transferred bob/gift to guild/gift");
    const ofTeam = async (name: string) => wordsOf((await asAda.get(`/org/guild/dashboard/${name}`)).text);
    expect(await ofTeam("Owners")).toContain("transferred bob/gift to guild/gift");
    expect((await anybody.get("/org/guild/dashboard/Owners")).status).toBe(303);
    expect((await asBob.get("/org/guild/dashboard/Owners")).status).toBe(404);
    for (const form of ["rss", "atom"])
      expect((await anybody.get(`/guild/gift.${form}`)).text).toContain("transferred bob/gift to guild/gift");
  });
});

test("the tab of repositories has an address of its own, for those who see the organization", async () => {
  const repo = aRepo(server, guild, { name: "listed" });
  expect(wordsOf((await anybody.get("/guild/-/repositories?q=listed")).text)).toContain(repo.name);
  expect(leadsTo(await anybody.get("/ada/-/repositories"))).toEqual([303, "/ada?tab=repositories"]);
  anOrganization(server, ada.user, { login: "cellar", visibility: "private" });
  expect((await asAda.get("/cellar/-/repositories")).status).toBe(200);
  for (const visitor of [anybody, asEve]) {
    const hidden = await visitor.get("/cellar/-/repositories");
    const missing = await visitor.get("/absent/-/repositories");
    expect([hidden.status, wordsOf(hidden.text).replaceAll("cellar", "absent")]).toEqual([404, wordsOf(missing.text)]);
  }
});

test("the feed of an organization is at its name, and not there for who does not see it", async () => {
  for (const form of ["rss", "atom"]) {
    expect((await anybody.get(`/guild.${form}`)).status).toBe(200);
    anOrganization(server, ada.user, { login: `vault-${form}`, visibility: "private" });
    for (const visitor of [anybody, asEve]) {
      expect((await visitor.get(`/vault-${form}.${form}`)).status).toBe(404);
      expect((await visitor.get(`/absent.${form}`)).status).toBe(404);
    }
  }
});

describe("programs of an organization", () => {
  const list = "/org/guild/settings/applications";

  test("are registered, changed and removed by its owners, and by no one else", async () => {
    const form = {
      application_name: "Ledger",
      redirect_uris: "https://ledger.example.org/back",
      confidential_client: "on",
    };
    for (const visitor of [asEve, anybody]) {
      expect((await visitor.get(list)).status).not.toBe(200);
      expect((await visitor.post(`${list}/oauth2`, form)).status).not.toBe(200);
    }
    const refused = await asAda.post(`${list}/oauth2`, { ...form, redirect_uris: "nowhere" });
    expect(refused.status).toBe(422);
    const made = await asAda.post(`${list}/oauth2`, form);
    const [status, place = ""] = leadsTo(made) as [number, string];
    expect([status, place.startsWith(`${list}/oauth2/`)]).toEqual([303, true]);
    expect((await asAda.get(place)).text).toContain("gto_");
    expect((await asAda.get(place)).text).not.toContain("gto_");
    expect(wordsOf((await asAda.get(list)).text)).toContain("Ledger");
    // It is the organization's: not among those of whoever made it.
    expect(wordsOf((await asAda.get("/user/settings/applications")).text)).not.toContain("Ledger");
    const own = place.replace(list, "/user/settings/applications");
    expect((await asAda.get(own)).status).toBe(404);
    const others = anOrganization(server, bob.user, { login: "others" });
    expect((await asBob.get(place.replace("guild", others.login))).status).toBe(404);
    expect(
      (await asBob.post(`${place.replace("guild", others.login)}/delete`, { application_name: "Ledger" })).status,
    ).toBe(404);
    expect(leadsTo(await asAda.post(place, { ...form, application_name: "Books" }))).toEqual([303, place]);
    expect(leadsTo(await asAda.post(`${place}/regenerate_secret`))).toEqual([303, place]);
    expect(leadsTo(await asAda.post(`${place}/delete`, { application_name: "Books" }))).toEqual([303, list]);
    expect(wordsOf((await asAda.get(list)).text)).not.toContain("Books");
  });
});
