import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asAccount } from "../../src/access/principal.ts";
import { aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { gitEnvironment, gitText } from "../git/objects/real-git.ts";

/** What a forced push or a deleted branch took away is stored for days; by its ids no one is shown it, in no way. */

let server: TestServer;
let work: string;
let owner: TestUser;
const SECRET = "the password is swordfish\n";
/** Ids of what is secret, and of the same kinds of things that may be seen. */
interface Ids {
  readonly commit: string;
  readonly tree: string;
  readonly blob: string;
  readonly tag: string;
}
let secret: Ids;
let open: Ids;
let packs: string[];

async function git(...args: string[]): Promise<{ code: number; text: string }> {
  const child = Bun.spawn(["git", ...args], {
    cwd: work,
    env: { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, text: `${out}${err}` };
}

async function ok(...args: string[]): Promise<string> {
  const { code, text } = await git(...args);
  if (code !== 0) throw new Error(`git ${args.join(" ")}: ${text}`);
  return text.trim();
}

async function commit(name: string, content: string): Promise<void> {
  writeFileSync(join(work, name), content);
  appendFileSync(join(work, "log.txt"), `${name}\n`);
  await ok("add", ".");
  await ok("commit", "-qm", `add ${name}`);
}

function idsOf(revision: string, file: string, tag: string): Ids {
  const parse = (text: string) => gitText(["rev-parse", text], { cwd: work });
  return {
    commit: parse(revision),
    tree: parse(`${revision}^{tree}`),
    blob: parse(`${revision}:${file}`),
    tag: parse(tag),
  };
}

beforeAll(async () => {
  server = await aServer();
  owner = await aUser(server, { login: "ada" });
  work = mkdtempSync(join(tmpdir(), "hearth-unreachable-"));
  const url = server.url.replace("://", `://ada:${owner.token}@`);
  await ok("init", "-q", "-b", "main");
  await ok("remote", "add", "origin", `${url}ada/engine.git`);
  await commit("a.txt", "alpha\n");
  await ok("tag", "-am", "one", "v1");
  await ok("push", "-q", "origin", "main", "v1");
  await commit("secret.txt", SECRET);
  await ok("tag", "-am", "leaks", "leak");
  secret = idsOf("HEAD", "secret.txt", "leak");
  await ok("push", "-q", "origin", "main", "leak");
  await ok("reset", "-q", "--hard", "HEAD~1");
  await commit("b.txt", "beta\n");
  await ok("push", "-qf", "origin", "main", ":refs/tags/leak");
  open = idsOf("HEAD~1", "a.txt", "v1");
  const [repo] = server.services.repos.ownedBy(owner.user);
  if (!repo) throw new Error("the push made no repository");
  const seen = server.services.repos.seeById(asAccount(owner.user), repo.id);
  if (seen) server.services.repos.edit(seen, { isPrivate: false });
  const objects = server.services.storage.objects(repo.id);
  expect(Object.values(secret).map((oid) => objects.has(oid))).toEqual([true, true, true, true]);
  packs = readdirSync(join(server.services.storage.dirOf(repo.id), "objects/pack"));
});
afterAll(async () => {
  await server.close();
  rmSync(work, { recursive: true, force: true });
});

const api = "/api/v1/repos/ada/engine";
/** Every way in that takes an id. */
const ways: readonly ((ids: Ids, file: string) => string)[] = [
  ({ commit }) => `${api}/git/commits/${commit}`,
  ({ commit }) => `${api}/git/commits/${commit.slice(0, 12)}`,
  ({ commit }) => `${api}/git/commits/${commit}.diff`,
  ({ commit }) => `${api}/git/commits/${commit}.patch`,
  ({ tree }) => `${api}/git/trees/${tree}?recursive=true`,
  ({ tree }) => `${api}/git/trees/${tree.slice(0, 10)}`,
  ({ commit }) => `${api}/git/trees/${commit}`,
  ({ blob }) => `${api}/git/blobs/${blob}`,
  ({ tag }) => `${api}/git/tags/${tag}`,
  ({ commit }) => `${api}/commits?sha=${commit}`,
  ({ commit }, file) => `${api}/contents/${file}?ref=${commit}`,
  ({ commit }, file) => `${api}/raw/${file}?ref=${commit}`,
  ({ commit }, file) => `${api}/raw/${commit}/${file}`,
  ({ commit }, file) => `${api}/media/${commit}/${file}`,
  ({ commit }) => `${api}/archive/${commit}.tar.gz`,
  ({ commit }) => `${api}/compare/main...${commit}`,
  ({ commit }, file) => `/ada/engine/src/commit/${commit}/${file}`,
  ({ commit }) => `/ada/engine/commit/${commit}`,
  ({ commit }) => `/ada/engine/commit/${commit.slice(0, 10)}`,
  ({ commit }) => `/ada/engine/commit/${commit}.diff`,
  ({ commit }, file) => `/ada/engine/raw/commit/${commit}/${file}`,
  ({ commit }, file) => `/ada/engine/media/commit/${commit}/${file}`,
  ({ commit }) => `/ada/engine/commits/commit/${commit}`,
  ({ blob }) => `/ada/engine/objects/${blob.slice(0, 2)}/${blob.slice(2)}`,
  ({ commit }) => `/ada/engine/objects/${commit.slice(0, 2)}/${commit.slice(2)}`,
];

test.each(ways.map((way) => [way({ commit: "COMMIT", tree: "TREE", blob: "BLOB", tag: "TAG" }, "FILE"), way] as const))(
  "%s",
  async (_, way) => {
    for (const token of [owner.token, undefined]) {
      const shown = await call(server, "GET", way(open, "a.txt"), { token });
      expect([way(open, "a.txt"), shown.status]).toEqual([way(open, "a.txt"), 200]);
      const hidden = await call(server, "GET", way(secret, "secret.txt"), { token });
      expect(hidden.status === 404 || hidden.status === 400 || hidden.status === 422).toBe(true);
      expect(hidden.text).not.toContain("swordfish");
      expect(hidden.text).not.toContain("add secret.txt");
    }
  },
);

test("packs that hold it are not had over the plain protocol, which clones what may be seen all the same", async () => {
  const statuses: number[] = [];
  for (const name of packs) statuses.push((await call(server, "GET", `/ada/engine/objects/pack/${name}`)).status);
  expect(statuses).toContain(404);
  const listed = await call(server, "GET", "/ada/engine/objects/info/packs");
  const served = packs.filter((name) => name.endsWith(".pack") && listed.text.includes(name));
  for (const name of served) expect((await call(server, "GET", `/ada/engine/objects/pack/${name}`)).status).toBe(200);
  expect(served.length).toBeLessThan(packs.length / 2);
  const clone = join(work, "..", `${work}-clone`);
  await ok("-c", "protocol.version=0", "clone", "-q", "--bare", `${server.url}ada/engine.git`, clone);
  rmSync(clone, { recursive: true });
  const child = Bun.spawn(["git", "clone", "-q", "--bare", `${server.url}ada/engine.git`, clone], {
    env: { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_SMART_HTTP: "0" },
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  expect([await child.exited, said]).toEqual([0, ""]);
  expect(gitText(["rev-parse", "main"], { cwd: clone })).toBe(gitText(["rev-parse", "HEAD"], { cwd: work }));
  expect(gitText(["fsck", "--strict"], { cwd: clone })).toBe("");
  const stored = gitText(["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"], { cwd: clone });
  for (const oid of Object.values(secret)) expect(stored).not.toContain(oid);
  rmSync(clone, { recursive: true });
});

test("a fetch by id is refused, and no branch or tag can be made there", async () => {
  await ok("init", "-q", "fresh");
  for (const oid of Object.values(secret))
    expect((await git("-C", "fresh", "fetch", "-q", `${server.url}ada/engine.git`, oid)).text).toContain("not our ref");
  const make = (path: string, body: object, method = "POST") =>
    call(server, method, `${api}${path}`, { token: owner.token, body });
  expect((await make("/branches", { new_branch_name: "x", old_ref_name: secret.commit })).status).toBe(404);
  expect((await make("/tags", { tag_name: "x", target: secret.commit })).status).toBe(404);
  expect((await make("/branches", { new_branch_name: "x", old_ref_name: open.commit })).status).toBe(201);
  expect((await make("/tags", { tag_name: "x", target: open.commit.slice(0, 9) })).status).toBe(201);
});

test("a text that names it has no link, and one that names another has", async () => {
  const body = {
    content: Buffer.from(`${open.commit} and ${secret.commit} and ${secret.commit.slice(0, 9)}\n`).toString("base64"),
  };
  await call(server, "POST", `${api}/contents/README.md`, {
    token: owner.token,
    body: { ...body, message: `see ${secret.commit}` },
  });
  const page = await call(server, "GET", "/ada/engine");
  expect(page.text).toContain(`/commit/${open.commit}`);
  expect(page.text).not.toContain(`/commit/${secret.commit}`);
});

test("what a ref leads to again is shown again", async () => {
  await ok("push", "-q", "origin", `${secret.commit}:refs/heads/back`);
  expect((await call(server, "GET", `${api}/git/blobs/${secret.blob}`)).status).toBe(200);
  await ok("push", "-q", "origin", ":refs/heads/back");
  expect((await call(server, "GET", `${api}/git/blobs/${secret.blob}`)).status).toBe(400);
  expect(server.errors).toEqual([]);
});
