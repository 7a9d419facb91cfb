import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { gitEnvironment, tempDir } from "../git/objects/real-git.ts";

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let reader: TestUser;
const api = anApi(() => server);
const fork = "/repos/bob/engine";

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  reader = await aUser(server, { login: "rea" });
  aRepo(server, ada.user, { name: "engine", files: { "a.txt": "a\n" } });
  expect((await api("POST", "/repos/ada/engine/forks", bob, {})).status).toBe(202);
  for (const branch of ["open", "closed", "shut"]) {
    const made = { content: "", branch: "main", new_branch: branch };
    expect((await api("POST", `${fork}/contents/${branch}.txt`, bob, made)).status).toBe(201);
  }
});
afterAll(() => server.close());

const pullFrom = (branch: string, allows: boolean, base = "main") =>
  api("POST", "/repos/ada/engine/pulls", bob, {
    head: `bob:${branch}`,
    base,
    title: branch,
    allow_maintainer_edit: allows,
  });

/** Real git, beside the server in this process: what it prints of a push by bob. */
async function pushed(...refspecs: string[]): Promise<string> {
  using dir = tempDir();
  const url = new URL(`${server.url}bob/engine.git`);
  url.username = "bob";
  url.password = bob.token;
  const work = join(dir.path, "work");
  const git = async (args: string[], cwd: string) => {
    const env = { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" };
    const child = Bun.spawn(["git", ...args], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const err = await new Response(child.stderr).text();
    expect([await child.exited, err]).toEqual([0, err]);
    return err;
  };
  await git(["clone", "-q", url.href, work], dir.path);
  await git(["commit", "-q", "--allow-empty", "-m", crypto.randomUUID()], work);
  return await git(["push", url.href, ...refspecs], work);
}

test("maintainers write through the API to the branch of a pull request that lets them, and to no other", async () => {
  const files = { files: [{ operation: "create", path: "by-ada.txt", content: "" }] };
  const write = (branch: string, who = ada) => api("POST", `${fork}/contents`, who, { ...files, branch });
  expect((await write("open")).status).toBe(403);
  expect((await pullFrom("open", true)).status).toBe(201);
  expect((await pullFrom("shut", false)).status).toBe(201);
  expect((await write("open")).status).toBe(201);
  for (const [branch, who] of [
    ["shut", ada],
    ["main", ada],
    ["open", reader],
  ] as const) {
    const refused = await write(branch, who);
    expect([refused.status, refused.body["message"]]).toEqual([
      403,
      "user should have a permission to write to the target branch",
    ]);
  }
  const elsewhere = await api("POST", `${fork}/contents`, ada, { ...files, branch: "open", new_branch: "another" });
  expect(elsewhere.status).toBe(403);
  const one = `${fork}/contents/by-ada.txt`;
  const { body } = await api("GET", `${one}?ref=open`, ada);
  const changed = { branch: "open", content: "YQ==", sha: body["sha"] };
  expect((await api("PUT", one, ada, changed)).status).toBe(200);
  const patch = "--- /dev/null\n+++ b/patched.txt\n@@ -0,0 +1 @@\n+a\n";
  expect((await api("POST", `${fork}/diffpatch`, ada, { branch: "open", content: patch })).status).toBe(201);
  const { body: pull } = await api("GET", "/repos/ada/engine/pulls/1", ada);
  expect(pull).toMatchObject({ title: "open", state: "open", head: { ref: "open" } });
  const { body: tip } = await api("GET", `${fork}/branches/open`, ada);
  expect(pull["head"]).toMatchObject({ sha: (tip["commit"] as { id: string }).id });
});

test("a push to a fork names the pull request into the default branch of where it came from", async () => {
  expect(await pushed("HEAD:refs/heads/fresh")).toContain(
    `remote: Create a new pull request for 'fresh':        \nremote:   ${server.url}bob/engine/pulls/new/fresh`,
  );
  expect((await pullFrom("fresh", false)).body["number"]).toBe(3);
  expect(await pushed("+HEAD:refs/heads/fresh")).toContain(
    `remote: Visit the existing pull request:        \nremote:   ${server.url}ada/engine/pulls/3`,
  );
  // Into another branch it is not the one that is meant.
  expect((await api("POST", "/repos/ada/engine/branches", ada, { new_branch_name: "old" })).status).toBe(201);
  expect((await pullFrom("closed", false, "old")).status).toBe(201);
  expect(await pushed("+HEAD:refs/heads/closed")).toContain("Create a new pull request for 'closed':");
  await api("PATCH", "/repos/ada/engine", ada, { has_pull_requests: false });
  expect(await pushed("+HEAD:refs/heads/fresh")).toContain("Create a new pull request for 'fresh':");
});
