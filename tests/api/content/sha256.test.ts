/** A SHA-256 repository through every door: made over the API, filled and read by real git, browsed and edited. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  aServer,
  aSession,
  aUser,
  type CallOptions,
  call,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { buildHistory, git, gitText, tempDir } from "../../git/objects/real-git.ts";
import { ok, git as run } from "../../git/transport/server.ts";
import { newSeed } from "../../random.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

let server: TestServer;
let ada: TestUser;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server);
});
afterAll(() => server.close());

const api = <Body = Json>(method: string, path: string, body?: unknown, more: CallOptions = {}) =>
  call<Body>(server, method, `/api/v1${path}`, { token: ada.token, ...(body === undefined ? {} : { body }), ...more });
const base64 = (text: string) => Buffer.from(text).toString("base64");
const SHA = /^[0-9a-f]{64}$/;

async function aRepo(fields: Json = {}) {
  const name = `r${crypto.randomUUID().slice(0, 8)}`;
  const made = await api("POST", "/user/repos", { name, object_format_name: "sha256", ...fields });
  expect(made.status).toBe(201);
  expect(made.body["object_format_name"]).toBe("sha256");
  const path = `/repos/${ada.login}/${name}`;
  const dir = server.services.storage.dirOf(Number(made.body["id"]));
  const url = `${server.url.replace("://", `://${ada.login}:${ada.token}@`)}${ada.login}/${name}.git`;
  return { name, path, dir, url, page: `/${ada.login}/${name}` };
}

const isSound = (dir: string) => {
  expect(git(["-C", dir, "fsck", "--strict", "--no-dangling"]).stderr).toBe("");
};

test("it is made with a first commit, and is read by real git", async () => {
  using dir = tempDir();
  const repo = await aRepo({ auto_init: true, license: "MIT", gitignores: "Node" });
  expect((await api("GET", repo.path)).body["object_format_name"]).toBe("sha256");
  expect(gitText(["-C", repo.dir, "rev-parse", "--show-object-format"])).toBe("sha256");
  await ok(dir.path, "clone", "-q", repo.url, "c");
  expect(gitText(["-C", join(dir.path, "c"), "rev-parse", "HEAD"])).toMatch(SHA);
  expect(gitText(["-C", join(dir.path, "c"), "ls-files"]).split("\n")).toEqual([".gitignore", "LICENSE", "README.md"]);
  isSound(repo.dir);
  for (const [format, wanted] of [
    ["", "sha1"],
    ["sha1", "sha1"],
  ]) {
    const made = await api("POST", "/user/repos", { name: `p${wanted}${format}`, object_format_name: format });
    expect([made.status, made.body["object_format_name"]]).toEqual([201, wanted]);
  }
  const refused = await api("POST", "/user/repos", { name: "nope", object_format_name: "md5" });
  expect(refused.status).toBe(422);
});

test("real git pushes a history, fetches it in every way, and pushes again", async () => {
  using dir = tempDir();
  const repo = await aRepo();
  const source = join(dir.path, "source.git");
  buildHistory(source, 80, newSeed(), "sha256");
  await ok(source, "push", "-q", repo.url, "main~20:refs/heads/main");
  const clone = join(dir.path, "clone");
  await ok(dir.path, "clone", "-q", repo.url, "clone");
  await ok(source, "push", "-q", repo.url, "main", "v1", "main~5:refs/heads/side");
  await ok(clone, "fetch", "-q");
  expect(gitText(["-C", clone, "rev-parse", "origin/main"])).toBe(gitText(["-C", source, "rev-parse", "main"]));
  for (const [at, option] of ["--depth=2", "--filter=blob:none", "--bare"].entries()) {
    await ok(dir.path, "clone", "-q", option, repo.url, `${at}`);
    await ok(join(dir.path, `${at}`), "log", "-p", "-2", "--format=%H");
  }
  git(["-C", clone, "reset", "-q", "--hard", "origin/main"]);
  git(["-C", clone, "commit", "-q", "--allow-empty", "-m", "one more"]);
  await ok(clone, "push", "-q", "origin", "HEAD:main");
  await ok(clone, "push", "-q", "origin", "--delete", "side");
  isSound(repo.dir);
  expect(gitText(["-C", repo.dir, "rev-parse", "main"])).toBe(gitText(["-C", clone, "rev-parse", "HEAD"]));

  const old = join(dir.path, "old");
  git(["init", "-q", "-b", "main", old]);
  git(["-C", old, "commit", "-q", "--allow-empty", "-m", "of SHA-1"]);
  const refused = await run(old, ["push", repo.url, "main:refs/heads/old"]);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain("the receiving end does not support this repository's hash algorithm");
});

test("it is browsed, edited and tagged over the API, and real git agrees", async () => {
  using dir = tempDir();
  const repo = await aRepo();
  const source = join(dir.path, "source.git");
  buildHistory(source, 30, 4, "sha256");
  await ok(source, "push", "-q", repo.url, "main", "v1");
  const real = (...words: string[]) => gitText(["-C", repo.dir, ...words]);
  const head = real("rev-parse", "main");
  const file = real("ls-tree", "-r", "--name-only", "main").split("\n")[0]!;
  const blob = real("rev-parse", `main:${file}`);

  const branch = await api<{ commit: { id: string } }>("GET", `${repo.path}/branches/main`);
  expect(branch.body.commit.id).toBe(head);
  const commits = await api<{ sha: string }[]>("GET", `${repo.path}/commits?limit=5`);
  expect(commits.body.map(({ sha }) => sha)).toEqual(real("rev-list", "-5", "main").split("\n"));
  const one = await api<{ sha: string; parents: { sha: string }[]; files: Json[] }>(
    "GET",
    `${repo.path}/git/commits/${head}`,
  );
  expect(one.body.parents.map(({ sha }) => sha)).toEqual(real("log", "-1", "--format=%P", "main").split(" "));
  expect(one.body.files.length).toBeGreaterThan(0);
  const patch = await api("GET", `${repo.path}/git/commits/${head}.diff`);
  expect(patch.text).toBe(git(["-C", repo.dir, "show", "--format=", "--first-parent", "-m", "main"]).stdout.toString());
  const tree = await api<{ tree: { path: string; sha: string }[] }>(
    "GET",
    `${repo.path}/git/trees/${head}?recursive=1`,
  );
  expect(tree.body.tree.find(({ path }) => path === file)?.sha).toBe(blob);
  expect((await api("GET", `${repo.path}/git/blobs/${blob}`)).body["sha"]).toBe(blob);
  expect((await api("GET", `${repo.path}/contents/${file}?ref=${head.slice(0, 45)}`)).body["sha"]).toBe(blob);
  const content = git(["-C", repo.dir, "show", `main:${file}`]).stdout.toString();
  expect((await api("GET", `${repo.path}/raw/${file}?ref=${head}`)).text).toBe(content);
  const span = await api<{ total_commits: number }>(
    "GET",
    `${repo.path}/compare/${real("rev-parse", "main~3")}...main`,
  );
  expect(span.body.total_commits).toBe(Number(real("rev-list", "--count", "main~3..main")));
  const refs = await api<{ object: { sha: string } }[]>("GET", `${repo.path}/git/refs/heads/main`);
  expect(refs.body[0]?.object.sha).toBe(head);
  const tag = await api<{ object: { sha: string } }>("GET", `${repo.path}/git/tags/${real("rev-parse", "v1")}`);
  expect(tag.body.object.sha).toBe(real("rev-parse", "v1^{commit}"));

  const edited = await api<{ commit: { sha: string }; content: { sha: string } }>(
    "PUT",
    `${repo.path}/contents/${file}`,
    {
      content: base64("new\n"),
      sha: blob,
      message: "by the API",
    },
  );
  expect(edited.status).toBe(200);
  expect(edited.body.commit.sha).toMatch(SHA);
  expect(real("rev-parse", `main:${file}`)).toBe(edited.body.content.sha);
  const many = await api("POST", `${repo.path}/contents`, {
    files: [
      { operation: "create", path: "new/a.txt", content: base64("a\n") },
      { operation: "delete", path: file, sha: edited.body.content.sha },
    ],
    new_branch: "more",
  });
  expect(many.status).toBe(201);
  const tagged = await api("POST", `${repo.path}/tags`, { tag_name: "v2", message: "two", target: "more" });
  expect(tagged.status).toBe(201);
  expect((await api("POST", `${repo.path}/branches`, { new_branch_name: "third", old_ref_name: "v2" })).status).toBe(
    201,
  );
  expect((await api("DELETE", `${repo.path}/branches/third`)).status).toBe(204);
  expect(real("show", "more:new/a.txt")).toBe("a");
  expect(real("cat-file", "-t", "v2")).toBe("tag");
  isSound(repo.dir);
  await ok(dir.path, "clone", "-q", repo.url, "after");
  expect(readFileSync(join(dir.path, "after", file), "utf8")).toBe("new\n");
  isSound(join(dir.path, "after"));
});

test("its pages are shown, and its files are edited by them", async () => {
  using dir = tempDir();
  const repo = await aRepo();
  const source = join(dir.path, "source.git");
  buildHistory(source, 30, 4, "sha256");
  const cookie = await aSession(server, ada.user);
  const show = async (path: string) => {
    const page = await call(server, "GET", repo.page + path, { cookie });
    expect([path, page.status]).toEqual([path, 200]);
    return page.text;
  };
  expect(await show("")).toContain("git init --object-format=sha256");
  await ok(source, "push", "-q", repo.url, "main", "v1");
  const head = gitText(["-C", source, "rev-parse", "main"]);
  const file = gitText(["-C", source, "ls-tree", "-r", "--name-only", "main"]).split("\n")[0]!;
  const blob = gitText(["-C", source, "rev-parse", `main:${file}`]);
  expect(await show("")).toContain("SHA-256 object IDs");
  expect(await show("/commits/branch/main")).toContain(head);
  expect(await show(`/commits/commit/${head}`)).toContain(head);
  expect(await show(`/commit/${head}`)).toContain(head);
  expect(await show(`/src/commit/${head}/${file}`)).toContain("line");
  expect(await show(`/src/branch/main/${file.split("/")[0]}`)).toContain(file.split("/")[1]!);
  expect(await show(`/raw/commit/${head}/${file}`)).toBe(git(["-C", source, "show", `main:${file}`]).stdout.toString());
  expect(await show(`/raw/blob/${blob}`)).toBe(git(["-C", source, "cat-file", "blob", blob]).stdout.toString());
  await show("/branches");
  expect(await show("/tags")).toContain("v1");
  const form = await show(`/_edit/main/${file}`);
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? "";
  const fields = new URLSearchParams({
    tree_path: file,
    content: "by the page\n",
    commit_choice: "direct",
    last_commit: hidden("last_commit"),
  });
  const saved = await call(server, "POST", `${repo.page}/_edit/main/${file}`, {
    cookie,
    headers: { "content-type": "application/x-www-form-urlencoded", origin: server.url.replace(/\/$/, "") },
    body: fields.toString(),
  });
  expect(saved.status).toBe(303);
  expect(gitText(["-C", repo.dir, "show", `main:${file}`])).toBe("by the page");
  const short = await call(server, "GET", `${repo.page}/commit/${head.slice(0, 41)}`, { cookie });
  expect([200, 301, 302, 303, 307]).toContain(short.status);
  isSound(repo.dir);
});

test("a repository made by the form has the format chosen there", async () => {
  const cookie = await aSession(server, ada.user);
  const page = await call(server, "GET", "/repo/create", { cookie });
  expect(page.text).toContain('name="object_format_name"');
  const post = (fields: Record<string, string>) =>
    call(server, "POST", "/repo/create", {
      cookie,
      headers: { "content-type": "application/x-www-form-urlencoded", origin: server.url.replace(/\/$/, "") },
      body: new URLSearchParams(fields).toString(),
    });
  expect((await post({ repo_name: "formed", object_format_name: "sha256", auto_init: "on" })).status).toBe(303);
  expect((await api("GET", `/repos/${ada.login}/formed`)).body["object_format_name"]).toBe("sha256");
  const refused = await post({ repo_name: "formed2", object_format_name: "sha3" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('aria-invalid="true"');
  expect((await api("GET", `/repos/${ada.login}/formed2`)).status).toBe(404);
});

test("maintenance leaves no errors", async () => {
  const repo = await aRepo({ auto_init: true });
  for (let at = 0; at < 3; at++)
    await api("POST", `${repo.path}/contents/f${at}.txt`, { content: base64(`${at}\n`), message: `add ${at}` });
  const { db, outbox, jobs } = server.core;
  outbox.dispatch();
  db.query("UPDATE jobs SET run_at = 0 WHERE state = 'waiting'").run();
  await jobs.drain();
  isSound(repo.dir);
  expect(server.errors).toEqual([]);
});
