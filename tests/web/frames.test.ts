import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { User } from "../../src/access/user.ts";
import type { Repo } from "../../src/repos/types.ts";
import { contributionsOf } from "../../web/area.ts";
import { WEB_AREAS } from "../../web/areas.ts";
import { aRepo, aServer, aUser, type TestServer } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** What every page has around its content, and how it helps when there is none. */

const files = { "README.md": "# Engine\n", "src/mill/columns.ts": "export {}\n", "docs/guide.md": "# Guide\n" };
let server: TestServer;
let ada: User;
let repo: Repo;
let asAda: Visitor;
let anybody: Visitor;

beforeAll(async () => {
  server = await aServer({ registration: "open" });
  ada = (await aUser(server, { login: "ada" })).user;
  repo = aRepo(server, ada, { name: "engine", files });
  aRepo(server, ada, { name: "vault", files, isPrivate: true });
  [asAda, anybody] = [await aPageOf(server, ada), aPage(server)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

describe("a 404 inside a repository", () => {
  test.each([
    [
      "/src/branch/main/columns.ts",
      "There is no columns.ts at main",
      "/ada/engine/src/branch/main/src/mill/columns.ts",
    ],
    [
      "/src/branch/main/src/mill/rows.ts",
      "There is no src/mill/rows.ts at main",
      "/ada/engine/src/branch/main/src/mill",
    ],
    ["/src/branch/mai/README.md", "There is no branch mai/README.md", "/ada/engine/src/branch/main/README.md"],
    ["/commit/0123456789abcdef", "There is no commit 0123456789abcdef", "/ada/engine/commits/branch/main"],
    ["/nothing/of/this", "This repository has no such page", "/ada/engine"],
  ])("%s keeps the frame and says where the thing may be", async (path, words, suggested) => {
    const answer = await anybody.get(`/ada/engine${path}`);
    expect(answer.status).toBe(404);
    expect(wordsOf(answer.text)).toContain(words);
    expect(answer.text).toContain(`href="${suggested}"`);
    expect(answer.text).toContain('aria-label="Repository"');
  });

  test("of a private one is the same page as of a missing one", async () => {
    const of = async (name: string) => wordsOf((await anybody.get(`/ada/${name}/src/branch/main/x`)).text);
    const text = await of("vault");
    expect(text.replace(/[\d.]+ ms/, "")).toBe((await of("nowhere")).replace(/[\d.]+ ms/, ""));
    expect(text).not.toContain("default branch");
    expect(wordsOf((await asAda.get("/ada/vault/src/branch/main/guide.md")).text)).toContain("docs/guide.md");
  });
});

test("a new branch that exists already keeps the dialog, the name and where it starts", async () => {
  await asAda.post("/ada/engine/branches/_new/branch/main", { new_branch_name: "taken" });
  const answer = await asAda.post("/ada/engine/branches/_new/branch/taken", { new_branch_name: "taken" });
  expect(answer.status).toBe(422);
  expect(answer.text).toMatch(/<dialog[^>]* id="new-branch"[^>]* data-open=""/);
  expect(answer.text).toContain('action="/ada/engine/branches/_new/branch/taken"');
  expect(answer.text).toMatch(/<input[^>]* name="new_branch_name"[^>]* value="taken"/);
  expect(wordsOf(answer.text)).toContain("There is a branch of that name already.");
  expect((await asAda.get("/ada/engine/branches?from=taken")).text).toContain("_new/branch/taken");
  expect((await asAda.get("/ada/engine/branches?from=no-such")).text).toContain("_new/branch/main");
});

test("registration says everything that is wrong at once", async () => {
  const answer = await anybody.post("/user/sign_up", {
    user_name: "ada",
    email: "nonsense",
    password: "x",
    retype: "y",
  });
  expect(answer.status).toBe(422);
  const words = wordsOf(answer.text);
  for (const each of ["This name is taken.", "This is not an e-mail address.", "The two passwords are not the same."])
    expect(words).toContain(each);
  expect(answer.text).toMatch(/id="f-password-error"/);
});

test("a saved form says so beside its button, once, and moves nothing", async () => {
  const saved = await asAda.post("/ada/engine/settings", { action: "update", repo_name: "engine", description: "d" });
  const page = await asAda.get(saved.location);
  expect(page.text).toMatch(/class="form-actions"[\s\S]{0,400}class="saved" role="status"/);
  expect(page.text).not.toContain('class="toast"');
  expect(page.text).not.toContain('class="flash-line"');
  expect((await asAda.get(saved.location)).text).not.toContain('class="saved"');
});

test("a part of a page that is refreshed meanwhile leaves the message to the next whole page", async () => {
  const saved = await asAda.post("/ada/engine/settings", { action: "update", repo_name: "engine", description: "e" });
  const part = await asAda.get(saved.location, { "hx-request": "true" });
  expect([part.status, part.text.includes('class="saved"')]).toEqual([200, false]);
  expect((await asAda.get(saved.location)).text).toContain('class="saved" role="status"');
});

test("a licence chosen without JavaScript makes the first commit, too", async () => {
  const made = await asAda.post("/repo/create", { uid: String(ada.id), repo_name: "licensed", license: "MIT" });
  expect(made.status).toBe(303);
  expect(wordsOf((await asAda.get("/ada/licensed")).text)).toContain("LICENSE");
});

test("the tabs are the same on every page of a repository, with their counts", async () => {
  const tabs = (html: string) =>
    (/<nav class="tabs" aria-label="Repository">[\s\S]*?<\/nav>/.exec(html)?.[0] ?? "").replace(
      / aria-current="page"/,
      "",
    );
  const first = tabs((await asAda.get("/ada/engine")).text);
  expect(first).toContain("Commits");
  for (const path of ["/branches", "/tags", "/settings", "/settings/collaboration", "/settings/branches", "/no-such"])
    expect(tabs((await asAda.get(`/ada/engine${path}`)).text)).toBe(first);
});

test("the branch menu keeps branches and tags apart, the newest tag first", async () => {
  const tip = server.services.refs.find(repo.id, "refs/heads/main")?.oid ?? "";
  for (const name of ["v1.9", "v1.10"])
    await asAda.post(`/ada/engine/branches/_new/commit/${tip}`, { new_branch_name: name, create_tag: "true" });
  const { text } = await asAda.get("/ada/engine");
  const menu = /<div class="menu-list" id="ref-list">[\s\S]*?<\/div>/.exec(text)?.[0] ?? "";
  const order = ["Branches", ">main", "Tags", ">v1.9", ">v1.10"].map((each) =>
    menu.replace(/<span[^>]*><\/span>/g, "").indexOf(each),
  );
  expect(order.every((at) => at >= 0)).toBe(true);
  expect(order.slice(0, 3)).toEqual(order.slice(0, 3).toSorted((a, b) => a - b));
});

test("areas contribute to frames by data; two of the same id are refused", () => {
  const tab = { id: "mill", label: () => "Mill", icon: "file", order: 15, href: () => "/mill" } as const;
  const mill = { name: "mill", routes: async () => () => [], repoTabs: [tab] };
  const { repoTabs } = contributionsOf([...WEB_AREAS, mill]);
  expect(repoTabs.map((each) => each.id)).toEqual([
    "code",
    "issues",
    "pulls",
    "mill",
    "commits",
    "branches",
    "tags",
    "actions",
    "releases",
    "wiki",
    "packages",
    "projects",
    "activity",
    "settings",
  ]);
  expect(() => contributionsOf([mill, mill])).toThrow("mill");
});
