import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, anOrganization, aRepo, aServer, aTeam, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor } from "./browser-calls.ts";

/** How items read: code in titles, what people are to the repository, how an item is referred to (contract web.md 2.9, 2.10). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let cleo: TestUser;
let anybody: Visitor;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  [ada, bob, cleo] = await Promise.all([
    aUser(server, { login: "ada" }),
    aUser(server, { login: "bob" }),
    aUser(server, { login: "cleo" }),
  ]);
  anybody = aPage(server);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

/** The badges in the head of the last comment that a person wrote. */
function badgesOf(page: string, login: string): string[] {
  const heads = page.split("<header").map((part) => part.split("</header>", 1)[0] ?? "");
  const own = heads.filter((head) => head.includes("card-actions") && head.includes(`href="/${login}"`)).at(-1) ?? "";
  return [...own.matchAll(/class="badge[^"]*">([^<]+)</g)].map(([, words = ""]) => words);
}

test("what stands between backticks in a title is code, on the page, in lists and where it is linked, and nothing else is markup", async () => {
  aRepo(server, ada.user, { name: "titles" });
  const at = "/repos/ada/titles/issues";
  await api("POST", at, ada, { title: "Read `a<b>.toml` & **more** `" });
  await api("POST", at, ada, { title: "Other" });
  await api("POST", `${at}/2/dependencies`, ada, { index: 1 });
  await api("POST", `${at}/1/pin`, ada);
  const title = "Read <code>a&lt;b&gt;.toml</code> &amp; **more** `";
  for (const path of ["issues", "issues/1", "issues/2"])
    expect((await anybody.get(`/ada/titles/${path}`)).text).toContain(title);
  expect((await anybody.get("/ada/titles/issues/1")).text).toContain("<title>Read `a&lt;b&gt;.toml`");
});

test("beside an item stands how it is referred to", async () => {
  aRepo(server, ada.user, { name: "references" });
  await api("POST", "/repos/ada/references/issues", ada, { title: "One" });
  expect((await anybody.get("/ada/references/issues/1")).text).toContain("<code>ada/references#1</code>");
});

test("who speaks is told from others: owner, collaborator, author", async () => {
  aRepo(server, ada.user, { name: "standing" });
  const at = "/repos/ada/standing";
  await api("PUT", `${at}/collaborators/bob`, ada, { permission: "write" });
  await api("POST", `${at}/issues`, cleo, { title: "One" });
  for (const who of [ada, bob, cleo]) await api("POST", `${at}/issues/1/comments`, who, { body: "Hm." });
  const page = (await anybody.get("/ada/standing/issues/1")).text;
  expect(["ada", "bob", "cleo"].map((login) => badgesOf(page, login))).toEqual([
    ["Owner"],
    ["Collaborator"],
    ["Author"],
  ]);
});

test("a member who conceals it is told to members alone", async () => {
  const guild = anOrganization(server, ada.user, { login: "guild" });
  aTeam(server, guild, { members: [bob.user] });
  aRepo(server, guild, { name: "hall", creator: ada.user });
  await api("POST", "/repos/guild/hall/issues", cleo, { title: "One" });
  await api("POST", "/repos/guild/hall/issues/1/comments", bob, { body: "Hm." });
  const asAda = await aPageOf(server, ada.user);
  const seenBy = async (who: Visitor) => badgesOf((await who.get("/guild/hall/issues/1")).text, "bob");
  expect([await seenBy(asAda), await seenBy(anybody)]).toEqual([["Member"], []]);
  await api("PUT", "/orgs/guild/public_members/bob", bob);
  expect(await seenBy(anybody)).toEqual(["Member"]);
});
