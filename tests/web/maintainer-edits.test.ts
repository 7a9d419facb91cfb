import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPageOf, type Visitor } from "./browser-calls.ts";

/** Whoever writes to the base changes files of a pull request's branch in the browser, where its author lets them. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let asAda: Visitor;
let asReader: Visitor;
const api = anApi(() => server);
const fork = "/bob/engine";

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  const reader = await aUser(server, { login: "rea" });
  aRepo(server, ada.user, { name: "engine", files: { "a.txt": "a\n", "docs/b.txt": "b\n" } });
  expect((await api("POST", "/repos/ada/engine/forks", bob, {})).status).toBe(202);
  for (const [branch, allows] of [
    ["fix/open", true],
    ["shut", false],
    ["ruled", true],
  ] as const) {
    const made = {
      branch: "main",
      new_branch: branch,
      files: [{ operation: "update", path: "a.txt", content: "YmI=" }],
    };
    expect((await api("POST", "/repos/bob/engine/contents", bob, made)).status).toBe(201);
    const asked = { head: `bob:${branch}`, base: "main", title: branch, allow_maintainer_edit: allows };
    expect((await api("POST", "/repos/ada/engine/pulls", bob, asked)).status).toBe(201);
  }
  asAda = await aPageOf(server, ada.user);
  asReader = await aPageOf(server, reader.user);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const tipOf = async (branch: string) =>
  ((await api("GET", `/repos/bob/engine/branches/${encodeURIComponent(branch)}`, bob)).body["commit"] as { id: string })
    .id;

test("the files of the pull request lead a maintainer to the editor of its branch, and nobody else", async () => {
  const link = `href="${fork}/_edit/fix/open/a.txt"`;
  expect((await asAda.get("/ada/engine/pulls/1/files")).text).toContain(link);
  expect((await (await aPageOf(server, bob.user)).get("/ada/engine/pulls/1/files")).text).toContain(link);
  expect((await asReader.get("/ada/engine/pulls/1/files")).text).not.toContain("/_edit/");
  expect((await asAda.get("/ada/engine/pulls/2/files")).text).not.toContain("/_edit/");
});

test("a maintainer edits, adds, uploads and deletes files of the branch, and gets no other one there", async () => {
  const form = await asAda.get(`${fork}/_edit/fix/open/a.txt`);
  expect(form.text).toContain("whose pull request lets maintainers edit it");
  expect(form.text).not.toContain("new_branch_name");
  const saved = await asAda.post(`${fork}/_edit/fix/open/a.txt`, {
    tree_path: "a.txt",
    content: "by ada\n",
    last_commit: await tipOf("fix/open"),
    commit_summary: "Say who",
  });
  expect([saved.status, saved.location]).toEqual([303, `${fork}/src/branch/fix/open/a.txt`]);
  expect((await asAda.post(`${fork}/_preview/fix/open/a.txt`, { tree_path: "a.txt", content: "x" })).status).toBe(200);
  const added = await asAda.post(`${fork}/_new/fix/open`, { tree_path: "new.txt", content: "n\n" });
  expect([added.status, added.location]).toEqual([303, `${fork}/src/branch/fix/open/new.txt`]);
  const upload = new FormData();
  upload.append("tree_path", "docs");
  upload.append("files", new Blob(["up\n"]), "up.txt");
  const origin = server.url.replace(/\/$/, "");
  const cookie = [...asAda.jar].map((pair) => pair.join("=")).join("; ");
  const options = { method: "POST", body: upload, redirect: "manual", headers: { cookie, origin } } as const;
  expect((await fetch(`${origin}${fork}/_upload/fix/open/docs`, options)).status).toBe(303);
  const patch = "--- /dev/null\n+++ b/patched.txt\n@@ -0,0 +1 @@\n+p\n";
  expect((await asAda.post(`${fork}/_diffpatch/fix/open`, { content: patch })).status).toBe(303);
  const gone = await asAda.post(`${fork}/_delete/fix/open/docs/b.txt`, { last_commit: await tipOf("fix/open") });
  expect(gone.status).toBe(303);
  const { body: tree } = await api("GET", "/repos/bob/engine/git/trees/fix%2Fopen?recursive=1", bob);
  const files = (tree["tree"] as unknown as { path: string }[]).map(({ path }) => path);
  expect(files).toEqual(["a.txt", "docs", "docs/up.txt", "new.txt", "patched.txt"]);
  const commit = (await api("GET", "/repos/bob/engine/git/commits/fix%2Fopen", bob)).body["author"];
  expect(commit).toMatchObject({ login: "ada" });
  const elsewhere = { commit_choice: "commit-to-new-branch", new_branch_name: "mine" };
  const refused = await asAda.post(`${fork}/_new/fix/open`, { tree_path: "m.txt", content: "", ...elsewhere });
  expect(refused.status).toBe(422);
  expect((await api("GET", "/repos/bob/engine/branches/mine", bob)).status).toBe(404);
});

test("pages of the branch offer its forms to a maintainer, those of other branches a change in a fork", async () => {
  const directory = await asAda.get(`${fork}/src/branch/fix/open`);
  for (const word of ["_new", "_upload", "_diffpatch"]) expect(directory.text).toContain(`${fork}/${word}/fix/open`);
  expect((await asAda.get(`${fork}/src/branch/fix/open/a.txt`)).text).toContain(`${fork}/_delete/fix/open/a.txt`);
  expect((await asReader.get(`${fork}/src/branch/fix/open/a.txt`)).text).not.toContain("/_delete/");
  for (const branch of ["main", "shut"]) {
    expect((await asAda.get(`${fork}/src/branch/${branch}`)).text).not.toContain("/_upload/");
    expect((await asAda.get(`${fork}/_edit/${branch}/a.txt`)).text).toContain(`${fork}/_fork/${branch}/a.txt`);
    const sent = await asAda.post(`${fork}/_edit/${branch}/a.txt`, { tree_path: "a.txt", content: "mine" });
    expect([branch, sent.status]).toEqual([branch, 404]);
  }
  expect((await asReader.post(`${fork}/_edit/fix/open/a.txt`, { tree_path: "a.txt", content: "x" })).status).toBe(404);
});

test("a rule of the fork keeps maintainers off its branch, and a closed pull request opens nothing", async () => {
  const rule = {
    rule_name: "ruled",
    enable_push: true,
    enable_push_whitelist: true,
    push_whitelist_usernames: ["bob"],
  };
  expect((await api("POST", "/repos/bob/engine/branch_protections", bob, rule)).status).toBe(201);
  const before = await tipOf("ruled");
  expect((await asAda.get("/ada/engine/pulls/3/files")).text).not.toContain("/_edit/");
  expect((await asAda.get(`${fork}/_edit/ruled/a.txt`)).text).toContain("/_fork/ruled/a.txt");
  expect((await asAda.post(`${fork}/_new/ruled`, { tree_path: "r.txt", content: "" })).status).toBe(404);
  expect(await tipOf("ruled")).toBe(before);
  expect((await api("PATCH", "/repos/ada/engine/pulls/1", bob, { state: "closed" })).status).toBe(201);
  expect((await asAda.get("/ada/engine/pulls/1/files")).text).not.toContain("/_edit/");
  expect((await asAda.get(`${fork}/_edit/fix/open/a.txt`)).text).toContain("/_fork/fix/open/a.txt");
  const cookie = [...asAda.jar].map((pair) => pair.join("=")).join("; ");
  const form = { "content-type": "application/x-www-form-urlencoded", origin: server.url.replace(/\/$/, "") };
  const late = await call(server, "POST", `${fork}/_delete/fix/open/a.txt`, { headers: { cookie, ...form }, body: "" });
  expect(late.status).toBe(404);
});
