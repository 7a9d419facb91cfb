import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import { anOrganization, aRepo, aServer, aTeam, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** What forms answer to whoever may not send them, and to what cannot be done (contract web.md 0.1, 0.2). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let asAda: Visitor;
let asBob: Visitor;
let asCora: Visitor;

beforeAll(async () => {
  server = await aServer();
  const aNamed = (login: string) => aUser(server, { login, password: true });
  const cora = await aNamed("cora");
  bob = await aNamed("bob");
  ada = await aNamed("ada");
  const repo = aRepo(server, ada.user, { name: "engine" });
  [asAda, asBob, asCora] = await Promise.all([
    aPageOf(server, ada.user),
    aPageOf(server, bob.user),
    aPageOf(server, cora.user),
  ]);
  const seen = server.services.repos.seeById(asAccount(ada.user), repo.id);
  if (!seen) throw new Error("the repository is there");
  server.services.collaborators.put(seen, cora.user, "admin");
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function anIssue(who: Visitor): Promise<string> {
  const made = await who.post("/ada/engine/issues/new", { title: "It leaks", content: "Really" });
  expect(made.status).toBe(303);
  return made.headers.get("location") ?? "";
}

test("what a page offers only to those who hold a right is missing for others", async () => {
  const page = await anIssue(asAda);
  const said = (await asAda.post(`${page}/comments`, { content: "Mine" })).headers.get("location") ?? "";
  const comment = `/ada/engine/comments/${said.split("issuecomment-")[1]}`;
  const forms: [string, Record<string, string>][] = [
    [`${page}/pin`, {}],
    [`${page}/delete`, {}],
    [`${page}/time_estimate`, { time_estimate: "1h" }],
    [`${page}/times/add`, { hours: "1" }],
    [`${page}/times/stopwatch/start`, {}],
    [comment, { content: "Not mine", content_version: "0" }],
    [comment, { content: "Not mine" }],
    [`${comment}/delete`, {}],
  ];
  for (const [path, fields] of forms) expect([path, (await asBob.post(path, fields)).status]).toEqual([path, 404]);
  const shown = wordsOf((await asBob.get(page)).text);
  expect(shown).toContain("Mine");
  expect(shown).not.toContain("Not mine");
});

test("what owners alone do is missing for administrators of the repository", async () => {
  for (const action of ["delete", "transfer", "delete-wiki", "convert"]) {
    const sent = { action, repo_name: "engine", new_owner_name: "cora" };
    expect([action, (await asCora.post("/ada/engine/settings", sent)).status]).toEqual([action, 404]);
  }
  expect((await asCora.get("/ada/engine")).status).toBe(200);
});

test("a comment that would close what depends on something open stays in its form, with the reason", async () => {
  const [page, other] = [await anIssue(asAda), await anIssue(asAda)];
  const index = (address: string) => Number(address.split("/").at(-1));
  const to = `/api/v1/repos/ada/engine/issues/${index(page)}/dependencies`;
  const made = await call(server, "POST", to, {
    basic: ["ada", ada.password],
    body: { owner: "ada", repo: "engine", index: index(other) },
  });
  expect(made.status).toBe(201);
  const refused = await asAda.post(`${page}/comments`, { content: "Done with it", status: "close" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("Done with it");
  expect(wordsOf(refused.text)).toContain("It depends on something that is still open.");
});

test("who says that it is htmx gets what htmx can use, whatever the version", async () => {
  const page = await anIssue(asAda);
  const told = await asAda.post(`${page}/title`, { title: "It drips" }, { "hx-request": "true" });
  expect([told.status, told.headers.get("hx-redirect")]).toEqual([204, page]);
  const whole = await asAda.post(
    `${page}/title`,
    { title: "It drips" },
    {
      "hx-request": "true",
      "hx-request-type": "full",
    },
  );
  expect([whole.status, whole.headers.get("location")]).toEqual([303, page]);
});

test("what a form asks for is done, or refused with words that say why", async () => {
  const refusals: [string, Record<string, string>, number, string][] = [
    ["/user/settings/blocked_users", { action: "greet", blockee: "bob" }, 404, "not found"],
    [
      "/user/settings/account",
      { old_password: "wrong", password: "another-1", retype: "another-1" },
      422,
      "The password is incorrect.",
    ],
    ["/ada/engine/projects/new", { title: "x".repeat(101) }, 422, "At most 100 characters."],
    [
      "/ada/engine/settings/issues",
      { tracker: "elsewhere", tracker_url: "nowhere" },
      422,
      "This is not a web address.",
    ],
    ["/ada/engine/settings/wiki", { wiki: "elsewhere", wiki_url: "nowhere" }, 422, "This is not a web address."],
  ];
  for (const [path, fields, status, words] of refusals) {
    const answer = await asAda.post(path, fields);
    expect([path, answer.status, wordsOf(answer.text).includes(words)]).toEqual([path, status, true]);
  }
  expect((await asAda.get("/user/settings/blocked_users")).text).not.toContain('value="bob"');
});

test("who belongs to an organization and does not own it removes and shows no one else", async () => {
  const org = anOrganization(server, ada.user, { login: "gate" });
  aTeam(server, org, { name: "crew", members: [bob.user] });
  for (const action of ["remove", "public"]) {
    const answer = await asBob.post(`/org/gate/members/action/${action}`, { uid: String(ada.user.id) });
    expect([action, answer.status]).toEqual([action, 404]);
  }
});

test("words that repeat what was typed fit into a cookie, however long it was", async () => {
  const page = await anIssue(asAda);
  const answer = await asAda.post(`${page}/assignees`, { assignees: "ü".repeat(20_000) });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("set-cookie")?.length).toBeLessThan(4096);
  expect(wordsOf((await asAda.get(page)).text)).toContain("There is no account üüü");
});
