import { afterAll, beforeAll, expect, test } from "bun:test";
import type { User } from "../../src/access/user.ts";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aPageOf, type Visitor } from "./browser-calls.ts";

/** Whoever may only read changes files in a fork, and pages of what is switched off are gone for everybody. */

let server: TestServer;
let ada: User;
let bob: User;
let keeper: Pick<TestUser, "token">;
let forker: Pick<TestUser, "token">;
const api = anApi(() => server);
let asAda: Visitor;
let asBob: Visitor;

beforeAll(async () => {
  server = await aServer();
  const [one, other] = [await aUser(server, { login: "ada" }), await aUser(server, { login: "bob" })];
  [ada, bob, keeper, forker] = [one.user, other.user, one, other];
  const signedIn = async (user: User) => {
    return aPageOf(server, user);
  };
  [asAda, asBob] = [await signedIn(one.user), await signedIn(other.user)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

test("a reader's change begins in a fork, where the same form opens", async () => {
  aRepo(server, ada, { name: "engine", files: { "docs/a b.md": "text\n" } });
  const page = await asBob.get("/ada/engine/src/branch/main/docs/a%20b.md");
  expect(page.text).toContain('href="/ada/engine/_edit/main/docs/a%20b.md"');
  expect(page.text).not.toContain("/_delete/");
  const offer = await asBob.get("/ada/engine/_edit/main/docs/a%20b.md");
  expect([offer.status, offer.text.includes('action="/ada/engine/_fork/main/docs/a%20b.md"')]).toEqual([200, true]);
  expect((await asBob.post("/ada/engine/_edit/main/docs/a%20b.md", { content: "mine" })).status).toBe(404);
  const made = await asBob.post("/ada/engine/_fork/main/docs/a%20b.md", { editor: "_edit" });
  expect([made.status, made.location]).toEqual([303, "/bob/engine/_edit/main/docs/a%20b.md"]);
  expect((await asBob.get(made.location)).status).toBe(200);
  // The second time the fork is there.
  expect((await asBob.get("/ada/engine/_new/main")).text).toContain('href="/bob/engine/_new/main"');
  const again = await asBob.post("/ada/engine/_fork/main", { editor: "../../settings" });
  expect(again.location).toBe("/bob/engine/_edit/main");
});

test("a fork that cannot be made is refused with the reason", async () => {
  aRepo(server, ada, { name: "taken", files: { "a.md": "a\n" } });
  aRepo(server, bob, { name: "taken" });
  const refused = await asBob.post("/ada/taken/_fork/main/a.md", { editor: "_edit" });
  expect([refused.status, refused.text.includes("taken")]).toEqual([422, true]);
});

test("pages of a unit that is switched off are gone, for the owner too", async () => {
  aRepo(server, ada, { name: "quiet", files: { "a.md": "a\n" } });
  const { status } = await api("PATCH", "/repos/ada/quiet", keeper, { has_code: false, has_projects: false });
  expect(status).toBe(200);
  for (const path of ["/src/branch/main", "/raw/branch/main/a.md", "/projects", "/tags"])
    expect([path, (await asAda.get(`/ada/quiet${path}`)).status]).toEqual([path, 404]);
  const home = await asAda.get("/ada/quiet");
  expect([home.status, home.location]).toEqual([303, "/ada/quiet/issues"]);
  const issues = await asAda.get("/ada/quiet/issues");
  for (const gone of ["/ada/quiet/projects", "/ada/quiet/tags"]) expect(issues.text).not.toContain(`href="${gone}"`);
  expect((await asAda.get("/ada/quiet/settings")).status).toBe(200);
});

test("a branch that was just pushed is offered as a pull request to whoever pushed it, also from their fork", async () => {
  aRepo(server, ada, { name: "fresh", files: { "a.md": "a\n" } });
  const push = async (who: Pick<TestUser, "token">, owner: string, branch: string, from = "main") => {
    const change = { content: btoa(branch), branch: from, ...(branch === from ? {} : { new_branch: branch }) };
    const { status } = await api(
      "POST",
      `/repos/${owner}/fresh/contents/${branch.replaceAll("/", "-")}.md`,
      who,
      change,
    );
    expect(status).toBe(201);
  };
  const offers = async (page: Visitor, path: string) =>
    [...(await page.get(path)).text.matchAll(/href="([^"]+\/pulls\/new\/[^"]+)"/g)].map(([, href]) => href ?? "");
  await push(keeper, "ada", "main");
  expect(await offers(asAda, "/ada/fresh")).toEqual([]);
  await push(keeper, "ada", "fix/it");
  expect(await offers(asAda, "/ada/fresh")).toEqual(["/ada/fresh/pulls/new/fix/it"]);
  expect(await offers(asBob, "/ada/fresh")).toEqual([]);
  const { location } = await asAda.get("/ada/fresh/pulls/new/fix/it");
  expect(location).toBe("/ada/fresh/compare/main...fix/it?expand=1");

  const fork = await api("POST", "/repos/ada/fresh/forks", forker, {});
  expect(fork.status).toBe(202);
  await push(forker, "bob", "mine");
  for (const path of ["/ada/fresh", "/bob/fresh"])
    expect(await offers(asBob, path)).toEqual(["/bob/fresh/pulls/new/mine"]);
  expect(await offers(asAda, "/ada/fresh")).toEqual(["/ada/fresh/pulls/new/fix/it"]);

  // Not once it was proposed, nor when that was closed, but again with what comes after.
  const made = { title: "Fix", head: "fix/it", base: "main" };
  const pull = await api<{ number: number }>("POST", "/repos/ada/fresh/pulls", keeper, made);
  expect(await offers(asAda, "/ada/fresh")).toEqual([]);
  await api("PATCH", `/repos/ada/fresh/pulls/${pull.body.number}`, keeper, { state: "closed" });
  expect(await offers(asAda, "/ada/fresh")).toEqual([]);
  await push(keeper, "ada", "more", "fix/it");
  await api("DELETE", "/repos/ada/fresh/branches/more", keeper);
  expect(await offers(asAda, "/ada/fresh")).toEqual([]);
  const later = { content: btoa("later"), branch: "fix/it" };
  expect((await api("POST", "/repos/ada/fresh/contents/later.md", keeper, later)).status).toBe(201);
  expect(await offers(asAda, "/ada/fresh")).toEqual(["/ada/fresh/pulls/new/fix/it"]);
});

test("badges count open and closed items", async () => {
  aRepo(server, ada, { name: "counted", files: { "a.md": "a\n" } });
  for (const name of ["issues", "issues/open", "issues/closed", "pulls/open", "pulls/closed"]) {
    const { status, text } = await asBob.get(`/ada/counted/badges/${name}.svg`);
    expect([name, status, text.includes("0 ")]).toEqual([name, 200, true]);
  }
  expect((await asBob.get("/ada/counted/badges/issues/none.svg")).status).toBe(404);
});
