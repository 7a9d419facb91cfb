import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tokenUnits } from "../../../src/actions/tokens/permissions.ts";
import type { PermissionText } from "../../../src/actions/workflows/types.ts";
import type { Repo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";
import { aPageOf } from "../../web/browser-calls.ts";
import type { GivenJob, MadeRunner } from "./made-runner.ts";
import { aRun, aRunner, type RunRequest, seen } from "./world.ts";

/** What the tokens of jobs may do, and for how long (contract actions.md 3.9, 7.1). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let vault: Repo;
let runner: MadeRunner;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer({ require_signin: true });
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  const files = { "README.md": "hello\n" };
  vault = aRepo(server, ada.user, { name: "vault", isPrivate: true, files });
  aRepo(server, ada.user, { name: "other", isPrivate: true, files });
  aRepo(server, bob.user, { name: "open", files });
  runner = await aRunner(server, seen(server, vault, ada));
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const FLOW = "on: push\njobs:\n  b:\n    runs-on: self\n    steps: [{run: a}]\n";

async function running(request: RunRequest = {}, permissions = ""): Promise<GivenJob> {
  await aRun(server, vault, `${permissions}${FLOW}`, request);
  return runner.take();
}

const statusOf = async (job: GivenJob, method: string, path: string, body?: unknown) =>
  (await api(method, path, job, body)).status;

test("a job acts as gitea-actions, in whatever way its token comes, on a closed site too", async () => {
  const job = await running();
  expect((await api("GET", "/user", job)).body).toMatchObject({
    id: -2,
    login: "gitea-actions",
    full_name: "Gitea Actions",
  });
  const path = "/api/v1/repos/ada/vault";
  const ways = [
    { headers: { authorization: `Bearer ${job.token}` } },
    { headers: { authorization: `bearer ${job.runtimeToken}` } },
    { basic: ["anyone", job.token] as const },
    { basic: ["x-access-token", job.token] as const },
  ];
  for (const way of ways) expect((await call(server, "GET", path, way)).status).toBe(200);
});

describe("what it writes is gitea-actions' own", () => {
  test("issues, comments, statuses, files", async () => {
    const job = await running();
    const issue = await api<{ number: number; user: { login: string } }>("POST", "/repos/ada/vault/issues", job, {
      title: "x",
    });
    expect([issue.status, issue.body.user.login]).toEqual([201, "gitea-actions"]);
    const at = `/repos/ada/vault/issues/${issue.body.number}`;
    const comment = await api<{ user: { login: string } }>("POST", `${at}/comments`, job, { body: "hello @ada" });
    expect([comment.status, comment.body.user.login]).toEqual([201, "gitea-actions"]);
    expect((await api<{ user: { login: string } }>("GET", at, ada)).body.user.login).toBe("gitea-actions");
    const status = await api<{ creator: { login: string } }>("POST", "/repos/ada/vault/statuses/main", job, {
      state: "success",
    });
    expect([status.status, status.body.creator.login]).toEqual([201, "gitea-actions"]);
    const file = { content: "eA==", message: "by a job", branch: "main" };
    const made = await api<{ commit: { author: { name: string; email: string } } }>(
      "POST",
      "/repos/ada/vault/contents/x",
      job,
      file,
    );
    expect([made.status, made.body.commit.author]).toMatchObject([
      201,
      { name: "Gitea Actions", email: "teabot@gitea.io" },
    ]);
    const { body: watchers } = await api<{ login: string }[]>("GET", "/repos/ada/vault/subscribers", ada);
    expect(watchers.map(({ login }) => login)).not.toContain("gitea-actions");
  });

  test("and it is in no list of accounts", async () => {
    const found = await api<{ data: unknown[] }>("GET", "/users/search?q=gitea-actions", ada);
    expect(found.body.data).toEqual([]);
    expect((await api("GET", "/users/gitea-actions", ada)).status).toBe(404);
    expect((await call(server, "GET", "/api/v1/user", { basic: ["gitea-actions", ""] })).status).toBe(401);
  });
});

test("it reads what is public, and nothing else of other repositories", async () => {
  const job = await running();
  expect(await statusOf(job, "GET", "/repos/ada/other")).toBe(404);
  expect(await statusOf(job, "GET", "/repos/ada/other/contents/README.md")).toBe(404);
  expect(await statusOf(job, "GET", "/repos/bob/open/contents/README.md")).toBe(200);
  const file = { content: "eA==", message: "m", branch: "main" };
  expect(await statusOf(job, "POST", "/repos/bob/open/contents/x", file)).toBe(403);
});

describe("a private repository lets in jobs of others", () => {
  const page = async (user: TestUser) => aPageOf(server, user.user);
  const readers = (repo: string) => `/${repo}/settings/actions/general/collaborative_owner`;
  const readme = (repo: string) => `/repos/${repo}/contents/README.md`;
  const write = { content: "eA==", message: "m", branch: "main" };

  test("its owner's, to read, until it is another's", async () => {
    aRepo(server, ada.user, { name: "shared", isPrivate: true, files: { "README.md": "hello\n" } });
    const own = await page(ada);
    const added = await own.post(`${readers("ada/shared")}/add`, { collaborative_owner: "Ada" });
    expect([added.status, added.location]).toEqual([303, "/ada/shared/settings/actions/general"]);
    expect((await own.get("/ada/shared/settings/actions/general")).text).toContain(`name="id" value="${ada.user.id}"`);
    const job = await running();
    expect(await statusOf(job, "GET", readme("ada/shared"))).toBe(200);
    expect(await statusOf(job, "GET", "/repos/ada/shared/issues")).toBe(404);
    expect(await statusOf(job, "POST", "/repos/ada/shared/contents/x", write)).toBe(403);
    const { body } = await api<{ data: { name: string }[] }>("GET", "/repos/search?q=shared", job);
    expect(body.data.map(({ name }) => name)).toEqual(["shared"]);
    const limited = await running({}, "permissions: {issues: read}\n");
    expect(await statusOf(limited, "GET", readme("ada/shared"))).toBe(404);
    const stranger = await running({ isOfFork: true });
    expect(await statusOf(stranger, "GET", readme("ada/shared"))).toBe(404);
    expect((await api("POST", "/repos/ada/shared/transfer", ada, { new_owner: "bob" })).status).toBe(201);
    expect((await api("POST", "/repos/ada/shared/transfer/accept", bob)).status).toBe(202);
    expect(await statusOf(job, "GET", readme("bob/shared"))).toBe(404);
    expect((await api("GET", readme("bob/shared"), bob)).status).toBe(200);
  });

  test("those of private repositories of an account that it works with", async () => {
    aRepo(server, bob.user, { name: "tools", isPrivate: true, files: { "README.md": "hello\n" } });
    const his = await page(bob);
    await his.post(`${readers("bob/tools")}/add`, { collaborative_owner: "ada" });
    const job = await running();
    expect(await statusOf(job, "GET", readme("bob/tools"))).toBe(200);
    await api("PATCH", "/repos/ada/vault", ada, { private: false });
    expect(await statusOf(job, "GET", readme("bob/tools"))).toBe(404);
    await api("PATCH", "/repos/ada/vault", ada, { private: true });
    const removed = await his.post(`${readers("bob/tools")}/delete`, { id: String(ada.user.id) });
    expect(removed.location).toBe("/bob/tools/settings/actions/general");
    expect(await statusOf(job, "GET", readme("bob/tools"))).toBe(404);
    expect((await his.post(`${readers("bob/tools")}/delete`, { id: String(ada.user.id) })).status).toBe(404);
  });

  test("an account that is not there is refused beside the field", async () => {
    const own = await page(ada);
    for (const name of ["nobody-here", "", "ghost", "x".repeat(3000)])
      expect((await own.post(`${readers("ada/vault")}/add`, { collaborative_owner: name })).status).toBe(422);
    expect((await (await page(bob)).post(`${readers("ada/vault")}/add`, { collaborative_owner: "bob" })).status).toBe(
      404,
    );
  });
});

test("it administers nothing, and reaches no account", async () => {
  const job = await running();
  const refused: readonly (readonly [string, string, unknown?])[] = [
    ["DELETE", "/repos/ada/vault"],
    ["PATCH", "/repos/ada/vault", { private: false }],
    ["PUT", "/repos/ada/vault/actions/secrets/X", { data: "d" }],
    ["GET", "/repos/ada/vault/actions/secrets"],
    ["GET", "/repos/ada/vault/actions/runners"],
    ["POST", "/repos/ada/vault/actions/runners/registration-token"],
    ["GET", "/repos/ada/vault/hooks"],
    ["PUT", "/repos/ada/vault/collaborators/bob", { permission: "admin" }],
    ["POST", "/repos/bob/open/forks", {}],
    ["POST", "/user/repos", { name: "z" }],
    ["GET", "/user/repos"],
    ["GET", "/user/keys"],
    ["POST", "/user/keys", { title: "k", key: "x" }],
    ["GET", "/user/actions/runners"],
    ["GET", "/user/actions/runs"],
    ["GET", "/user/actions/jobs"],
    ["PUT", "/user/starred/ada/vault"],
    ["PUT", "/repos/ada/vault/subscription"],
    ["GET", "/notifications"],
    ["GET", "/admin/users"],
    ["POST", "/orgs", { username: "o" }],
  ];
  for (const [method, path, body] of refused) {
    const status = await statusOf(job, method, path, body);
    expect([method, path, status >= 400 && status < 500]).toEqual([method, path, true]);
  }
});

test("`permissions` say what it may", async () => {
  const file = { content: "eA==", message: "m", branch: "main" };
  const job = await running({}, "permissions: {contents: read, issues: write}\n");
  expect(await statusOf(job, "GET", "/repos/ada/vault/contents/README.md")).toBe(200);
  expect(await statusOf(job, "POST", "/repos/ada/vault/contents/y", file)).toBe(403);
  expect(await statusOf(job, "POST", "/repos/ada/vault/issues", { title: "x" })).toBe(201);
  expect(await statusOf(job, "GET", "/repos/ada/vault/pulls")).toBe(404);
  const none = await running({}, "permissions: {}\n");
  expect(await statusOf(none, "GET", "/repos/ada/vault")).toBe(404);
});

test("of a stranger's code it reads", async () => {
  const job = await running({ isOfFork: true, event: "pull_request" });
  const file = { content: "eA==", message: "m", branch: "main" };
  expect(await statusOf(job, "GET", "/repos/ada/vault/contents/README.md")).toBe(200);
  expect(await statusOf(job, "POST", "/repos/ada/vault/contents/z", file)).toBe(403);
});

test("git fetches and pushes with it, until the job ends", async () => {
  const job = await running();
  const dir = mkdtempSync(join(tmpdir(), "hearth-job-"));
  const url = `${server.url.replace("//", `//x-access-token:${job.token}@`)}ada/vault.git`;
  const who = ["-c", "user.name=CI", "-c", "user.email=ci@example.org"];
  const git = async (...args: string[]) => {
    const run = Bun.spawn(["git", ...who, ...args], {
      cwd: dir,
      stdout: "pipe",
      stderr: "pipe",
      env: { ...process.env, GIT_TERMINAL_PROMPT: "0" },
    });
    return {
      code: await run.exited,
      text: (await new Response(run.stdout).text()) + (await new Response(run.stderr).text()),
    };
  };
  try {
    expect((await git("clone", "-q", url, ".")).code).toBe(0);
    await git("commit", "-q", "--allow-empty", "-m", "by the job");
    const pushed = await git("push", "-q", "origin", "HEAD:main");
    expect(pushed).toMatchObject({ code: 0 });
    await runner.finish(job);
    expect((await git("ls-remote", url)).code).not.toBe(0);
    expect((await git("push", "-q", "origin", "HEAD:late")).code).not.toBe(0);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("both tokens end with the job, though they were in use", async () => {
  const job = await running();
  const { actionsTokens } = server.services;
  const claim = () => actionsTokens.claimOf(`Bearer ${job.runtimeToken}`);
  expect(await claim()).toMatchObject({ taskId: job.id, runId: job.runId, attempt: 1, repoId: vault.id });
  expect(await actionsTokens.claimOf(`Bearer ${job.token}`)).toMatchObject({ taskId: job.id });
  expect(await statusOf(job, "GET", "/user")).toBe(200);
  await runner.finish(job);
  expect(await statusOf(job, "GET", "/user")).toBe(401);
  expect(await statusOf(job, "GET", "/repos/ada/vault")).toBe(401);
  expect(await claim()).toMatchObject({ taskId: job.id, isOver: true });
  const forged = `${job.runtimeToken.slice(0, -4)}AAAA`;
  expect(await actionsTokens.claimOf(`Bearer ${forged}`)).toBeUndefined();
});

describe("units of a token", () => {
  const cases: readonly (readonly [PermissionText | undefined, boolean, boolean, object])[] = [
    [undefined, false, false, { code: "write", issues: "write", actions: "write", packages: "write" }],
    [undefined, true, false, { code: "read", packages: "read", releases: "read" }],
    ["read-all", false, false, { code: "read", issues: "read", wiki: "read" }],
    ["write-all", false, true, { code: "read", packages: "read", releases: "read" }],
    [{ contents: "write", "id-token": "write" }, true, false, { code: "write", releases: "write" }],
    [{ contents: "write", issues: "write" }, false, true, { code: "read", releases: "read" }],
    [{ "pull-requests": "read", contents: "none" }, false, false, { pulls: "read" }],
    [{}, false, false, {}],
  ];
  test.each(cases)("%j, restricted %p, of a fork %p", (permissions, isRestricted, isOfFork, units) => {
    const made = Object.entries(tokenUnits(permissions, { isRestricted, isOfFork })).filter(
      ([, level]) => level !== "none",
    );
    if (permissions === undefined && !isRestricted) expect(Object.fromEntries(made)).toMatchObject(units);
    else expect(Object.fromEntries(made)).toEqual(permissions === "read-all" ? expect.objectContaining(units) : units);
  });
});
