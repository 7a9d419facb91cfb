import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { operator } from "../../src/access/principal.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { parseRemoteAddress } from "../../src/remotes/address.ts";
import type { RefSelection } from "../../src/remotes/selection.ts";
import type { Fetched, PushFrom } from "../../src/remotes/service.ts";
import type { Repo } from "../../src/repos/types.ts";
import { aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { type HttpBackend, startHttpBackend } from "../git/hosts/http-backend.ts";
import { buildHistory, git, gitText, tempDir } from "../git/objects/real-git.ts";
import { startGitDaemon } from "./git-daemon.ts";

const EVERYTHING: RefSelection = { tags: true, others: true };

let here: TestServer;
let ada: TestUser;
let other: TestServer;
let bob: TestUser;
let folder: ReturnType<typeof tempDir>;
let backend: HttpBackend;
let daemon: Awaited<ReturnType<typeof startGitDaemon>>;

beforeAll(async () => {
  const settings = { "network.allow": ["loopback"] };
  [here, other] = await Promise.all([aServer(settings), aServer(settings)]);
  [ada, bob] = await Promise.all([aUser(here), aUser(other, { password: true })]);
  folder = tempDir();
  backend = await startHttpBackend(folder.path);
  daemon = await startGitDaemon(folder.path);
});
afterAll(async () => {
  await Promise.all([here.close(), other.close(), backend.close(), daemon.close()]);
  folder[Symbol.dispose]();
});

let count = 0;
const newName = () => `r${++count}`;

/** A repository of real git's on the other servers, with so many commits; and its folder. */
function aHistory(commits: number, format: "sha1" | "sha256" = "sha1"): { name: string; dir: string } {
  const name = newName();
  const dir = join(folder.path, `${name}.git`);
  buildHistory(dir, commits, commits, format);
  return { name, dir };
}

const emptyRepo = (): Repo => aRepo(here, ada.user, {});
const dirOf = (repo: Repo) => here.services.storage.dirOf(repo.id);
const refsIn = (dir: string) => gitText(["for-each-ref", "--format=%(objectname) %(refname)"], { cwd: dir });
const signal = () => new AbortController().signal;

function fetchInto(repo: Repo, url: string, more: Partial<{ select: RefSelection; prune: boolean }> = {}) {
  return here.services.remotes.fetch({
    address: parseRemoteAddress(url, "address"),
    signal: signal(),
    principal: operator,
    repo: here.services.repos.seeById(operator, repo.id)!.repo,
    select: EVERYTHING,
    prune: true,
    ...more,
  });
}

function pushFrom(repo: Repo, url: string, more: Partial<PushFrom> = {}) {
  return here.services.remotes.push({
    address: parseRemoteAddress(url, "address"),
    signal: signal(),
    repo,
    select: EVERYTHING,
    prune: true,
    force: true,
    ...more,
  });
}

/** The code and parameters of the failure it ends with. */
async function failureOf(work: Promise<unknown>): Promise<{ code: string; text: string }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw new Error(`expected a failure, not ${String(error)}`);
  return { code: error.code, text: `${error.message} ${JSON.stringify(error.params)} ${error.stack}` };
}

function expectSame(repo: Repo, dir: string): void {
  expect(refsIn(dirOf(repo))).toBe(refsIn(dir));
  git(["fsck", "--strict", "--connectivity-only"], { cwd: dirOf(repo) });
}

const ways = [
  { way: "git http-backend", urlOf: (name: string) => `${backend.origin}${name}.git` },
  { way: "git daemon", urlOf: (name: string) => `${daemon.url}${name}.git` },
];

describe.each(ways)("with $way", ({ urlOf }) => {
  test("the refs are told as ls-remote tells them, with what HEAD names", async () => {
    const { name, dir } = aHistory(20);
    const { refs, head } = await here.services.remotes.list({
      address: parseRemoteAddress(urlOf(name), "address"),
      signal: signal(),
    });
    expect(refs.map((ref) => `${ref.oid} ${ref.name}`).join("\n")).toBe(refsIn(dir));
    expect(head).toBe("refs/heads/main");
  });

  test("a fetch brings everything, a second one nothing, a third what is new, and prunes", async () => {
    const { name, dir } = aHistory(120);
    const repo = emptyRepo();
    const first = await fetchInto(repo, urlOf(name));
    expect(first.results.every(({ ok }) => ok)).toBe(true);
    expectSame(repo, dir);
    expect((await fetchInto(repo, urlOf(name))).results).toEqual([]);

    const tree = gitText(["rev-parse", "main^{tree}"], { cwd: dir });
    const next = gitText(["commit-tree", tree, "-p", "main", "-m", "next"], { cwd: dir });
    git(["update-ref", "refs/heads/main", next], { cwd: dir });
    git(["update-ref", "refs/heads/side", `${next}~3`], { cwd: dir });
    for (const tag of gitText(["tag"], { cwd: dir }).split("\n")) git(["tag", "-d", tag], { cwd: dir });
    await fetchInto(repo, urlOf(name));
    expectSame(repo, dir);
  });

  test("a branch that was rewritten is followed, and little is sent again", async () => {
    const { name, dir } = aHistory(300);
    const repo = emptyRepo();
    await fetchInto(repo, urlOf(name));
    const tree = gitText(["rev-parse", "main~5^{tree}"], { cwd: dir });
    const rewritten = gitText(["commit-tree", tree, "-p", "main~6", "-m", "another way"], { cwd: dir });
    git(["update-ref", "refs/heads/main", rewritten], { cwd: dir });
    const said: string[] = [];
    await here.services.remotes.fetch({
      address: parseRemoteAddress(urlOf(name), "address"),
      signal: signal(),
      principal: operator,
      repo,
      select: EVERYTHING,
      prune: true,
      onProgress: (line) => said.push(line),
    });
    expectSame(repo, dir);
    const total = said.map((line) => /Total (\d+)/.exec(line)?.[1]).find((text) => text !== undefined);
    expect(Number(total)).toBeLessThan(10);
  });

  test("an empty repository gives nothing", async () => {
    const name = newName();
    git(["init", "-q", "--bare", join(folder.path, `${name}.git`)]);
    const fetched: Fetched = await fetchInto(emptyRepo(), urlOf(name));
    expect(fetched.results).toEqual([]);
  });

  test("only the branches that are asked for come, without tags", async () => {
    const { name, dir } = aHistory(20);
    git(["update-ref", "refs/heads/release/1", "main~2"], { cwd: dir });
    git(["update-ref", "refs/heads/wip", "main~1"], { cwd: dir });
    const repo = emptyRepo();
    await fetchInto(repo, urlOf(name), { select: { branches: ["release/*"], tags: false, others: false } });
    expect(gitText(["for-each-ref", "--format=%(refname)"], { cwd: dirOf(repo) })).toBe("refs/heads/release/1");
  });

  test("refs of pull requests do not come along", async () => {
    const { name, dir } = aHistory(5);
    git(["update-ref", "refs/pull/1/head", "main"], { cwd: dir });
    git(["update-ref", "refs/notes/commits", "main"], { cwd: dir });
    const repo = emptyRepo();
    await fetchInto(repo, urlOf(name));
    const names = gitText(["for-each-ref", "--format=%(refname)"], { cwd: dirOf(repo) }).split("\n");
    expect(names).toContain("refs/notes/commits");
    expect(names).not.toContain("refs/pull/1/head");
  });

  test("names that are not UTF-8 come as they are", async () => {
    const { name, dir } = aHistory(6);
    const [tip] = gitText(["rev-parse", "main"], { cwd: dir }).split("\n");
    const input = Buffer.from(`create refs/heads/caf\xe9 ${tip}\ncreate refs/tags/\xff ${tip}\n`, "latin1");
    git(["update-ref", "--stdin"], { cwd: dir, input });
    const repo = emptyRepo();
    await fetchInto(repo, urlOf(name));
    expectSame(repo, dir);
    expect(here.services.refs.find(repo.id, "refs/heads/caf\\xe9")?.oid).toBe(tip);
  });

  test("SHA-256 comes into a repository of SHA-256 and no other", async () => {
    const { name, dir } = aHistory(12, "sha256");
    const repo = await here.services.repoRegistration.create(operator, {
      owner: ada.user,
      name: newName(),
      objectFormat: (
        await here.services.remotes.list({ address: parseRemoteAddress(urlOf(name), "a"), signal: signal() })
      ).format,
    });
    await fetchInto(repo, urlOf(name));
    expectSame(repo, dir);
    expect((await failureOf(fetchInto(emptyRepo(), urlOf(name)))).code).toBe("remote.object-format");
  });

  test("a source whose history is cut off is refused, and nothing of it stays", async () => {
    const { dir } = aHistory(10);
    const name = newName();
    git(["clone", "-q", "--bare", "--depth", "2", `file://${dir}`, join(folder.path, `${name}.git`)]);
    const repo = emptyRepo();
    expect((await failureOf(fetchInto(repo, urlOf(name)))).code).toBe("remote.shallow");
    expect(refsIn(dirOf(repo))).toBe("");
    expect(gitText(["count-objects"], { cwd: dirOf(repo) })).toBe("0 objects, 0 kilobytes");
  });

  test("a push mirrors everything there, and later what changed", async () => {
    const { name: source } = aHistory(80);
    const repo = emptyRepo();
    await fetchInto(repo, urlOf(source));
    const name = newName();
    const target = join(folder.path, `${name}.git`);
    git(["init", "-q", "--bare", target]);
    const results = await pushFrom(repo, urlOf(name));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expectSame(repo, target);
    git(["fsck", "--strict"], { cwd: target });
    expect(await pushFrom(repo, urlOf(name))).toEqual([]);

    git(["update-ref", "refs/heads/old", "main"], { cwd: target });
    git(["update-ref", "refs/heads/main", "main~4"], { cwd: target });
    await pushFrom(repo, urlOf(name));
    expectSame(repo, target);
  });

  test("without force nothing is overwritten, and the reason is told for each ref", async () => {
    const { name: source } = aHistory(30);
    const repo = emptyRepo();
    await fetchInto(repo, urlOf(source));
    const name = newName();
    const target = join(folder.path, `${name}.git`);
    git(["init", "-q", "--bare", target]);
    await pushFrom(repo, urlOf(name));
    const tree = gitText(["rev-parse", "main^{tree}"], { cwd: target });
    const foreign = gitText(["commit-tree", tree, "-p", "main", "-m", "foreign"], { cwd: target });
    git(["update-ref", "refs/heads/main", foreign], { cwd: target });
    expect(await pushFrom(repo, urlOf(name), { force: false, prune: false })).toEqual([
      { name: "refs/heads/main", ok: false, reason: "fetch first" },
    ]);
    expect(gitText(["rev-parse", "main"], { cwd: target })).toBe(foreign);
  });

  test("what the other side refuses is told with its reason", async () => {
    const { name: source } = aHistory(10);
    const repo = emptyRepo();
    await fetchInto(repo, urlOf(source));
    const name = newName();
    const target = join(folder.path, `${name}.git`);
    git(["init", "-q", "--bare", target]);
    const hook = join(target, "hooks", "update");
    await Bun.write(hook, "#!/bin/sh\n[ $1 = refs/heads/main ] && exit 1\nexit 0\n");
    Bun.spawnSync(["chmod", "+x", hook]);
    const results = await pushFrom(repo, urlOf(name));
    expect(results.find((result) => result.name === "refs/heads/main")).toMatchObject({
      ok: false,
      reason: "hook declined",
    });
    expect(results.filter(({ ok }) => ok).length).toBe(results.length - 1);
  });

  test("no repository there is told without a trace of the credentials", async () => {
    const address = parseRemoteAddress(urlOf("missing").replace("://", "://eve:S3cret-9@"), "address");
    const failure = await failureOf(here.services.remotes.list({ address, signal: signal() }));
    expect(["remote.not-found", "remote.refused", "remote.broken"]).toContain(failure.code);
    expect(failure.text).not.toContain("S3cret-9");
  });

  test("a fetch that is cancelled changes nothing and leaves no file", async () => {
    const { name } = aHistory(200);
    const repo = emptyRepo();
    const controller = new AbortController();
    const work = here.services.remotes.fetch({
      address: parseRemoteAddress(urlOf(name), "address"),
      signal: controller.signal,
      principal: operator,
      repo,
      select: EVERYTHING,
      prune: true,
      onProgress: () => controller.abort(),
    });
    await work.catch(() => {});
    expect(controller.signal.aborted).toBe(true);
    expect(refsIn(dirOf(repo))).toBe("");
    expect(gitText(["count-objects", "-v"], { cwd: dirOf(repo) })).toContain("packs: 0");
    expect([...new Bun.Glob("objects/tmp_objdir-*").scanSync({ cwd: dirOf(repo), onlyFiles: false })]).toEqual([]);
  });
});

describe("with another Hearth", () => {
  const urlOf = (repo: Repo, credentials = "") =>
    `${other.url.replace("://", `://${credentials}`)}${bob.login}/${repo.name}.git`;

  test("a private repository comes with the owner's credentials and with no others", async () => {
    const secret = aRepo(other, bob.user, { isPrivate: true, files: { "a.txt": "a\n" } });
    const repo = emptyRepo();
    expect((await failureOf(fetchInto(repo, urlOf(secret)))).code).toBe("remote.credentials-needed");
    const wrong = await failureOf(fetchInto(repo, urlOf(secret, `${bob.login}:Falsch-7@`)));
    expect(wrong.code).toBe("remote.bad-credentials");
    expect(wrong.text).not.toContain("Falsch-7");
    await fetchInto(repo, urlOf(secret, `${bob.login}:${bob.password}@`));
    expectSame(repo, other.services.storage.dirOf(secret.id));
    await fetchInto(emptyRepo(), urlOf(secret, `oauth2:${bob.token}@`));
  });

  test("a push goes there and back", async () => {
    const { name, dir } = aHistory(60);
    const repo = emptyRepo();
    await fetchInto(repo, `${backend.origin}${name}.git`);
    const target = aRepo(other, bob.user, {});
    const results = await pushFrom(repo, urlOf(target, `${bob.login}:${bob.token}@`));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(refsIn(other.services.storage.dirOf(target.id))).toBe(refsIn(dir));
  });
});

describe("addresses", () => {
  test.each([
    ["ssh://git@example.org/a.git", "remote.unknown-scheme"],
    ["file:///etc", "remote.local-path"],
    ["/etc", "remote.local-path"],
    ["https://", "remote.bad-address"],
    ["https://example.org", "remote.bad-address"],
    ["https://example.org/a\nb", "remote.bad-address"],
    ["https://example.org\\@evil.org/a", "remote.bad-address"],
  ])("%s is refused", (address, code) => {
    expect(() => parseRemoteAddress(address, "clone_addr")).toThrow(code);
  });

  test("a host that the policy does not allow is not called", async () => {
    await using closed = await aServer({ "network.allow": ["external"] });
    for (const url of [`${backend.origin}x.git`, `${daemon.url}x.git`, "git://[::1]/x.git", "http://0x7f.1/x.git"]) {
      const work = closed.services.remotes.list({ address: parseRemoteAddress(url, "address"), signal: signal() });
      expect(["remote.forbidden-host", "remote.bad-url"]).toContain((await failureOf(work)).code);
    }
  });

  test("a line break cannot be smuggled into the request of git://", async () => {
    const address = () => parseRemoteAddress(`${daemon.url}x%0d%0aset%20y%00version=1`, "address");
    expect(address).toThrow("remote.bad-address");
  });
});

describe("servers that are none", () => {
  async function against(answer: (request: Request) => Response | Promise<Response>): Promise<string> {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
    try {
      return (await failureOf(fetchInto(emptyRepo(), `${server.url}a.git`))).code;
    } finally {
      await server.stop(true);
    }
  }
  const advertised = { headers: { "content-type": "application/x-git-upload-pack-advertisement" } };

  test("a page is no repository", async () => {
    expect(await against(() => new Response("<html>"))).toBe("remote.not-git");
    expect(await against(() => new Response("", { status: 500 }))).toBe("remote.bad-status");
    expect(await against(() => new Response("", { status: 403 }))).toBe("remote.forbidden");
  });

  test("broken packets, lists that end too early and refusals are told", async () => {
    expect(await against(() => new Response("zzzz", advertised))).toBe("remote.broken");
    expect(await against(() => new Response("000eversion 2\n", advertised))).toBe("remote.broken");
    expect(await against(() => new Response("0010ERR go away\n", advertised))).toBe("remote.refused");
  });

  test("a redirect to another host does not take the credentials along", async () => {
    const seen: (string | null)[] = [];
    const thief = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        seen.push(request.headers.get("authorization"));
        return new Response("", { status: 401 });
      },
    });
    const honest = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => Response.redirect(`${thief.url}${new URL(request.url).pathname.slice(1)}`, 302),
    });
    await failureOf(fetchInto(emptyRepo(), `${honest.url.href.replace("://", "://eve:secret@")}a.git`));
    expect(seen).toEqual([null]);
    await Promise.all([thief.stop(true), honest.stop(true)]);
  });

  test("a pack that is damaged on its way is refused, and nothing of it stays", async () => {
    const { name } = aHistory(30);
    const code = await against(async (request) => {
      const url = new URL(request.url);
      const passed = await fetch(`${backend.origin}${name}.git${url.pathname.replace("/a.git", "")}${url.search}`, {
        method: request.method,
        headers: request.headers,
        body: request.method === "POST" ? await request.arrayBuffer() : null,
      });
      const bytes = new Uint8Array(await passed.arrayBuffer());
      const pack = Buffer.from(bytes).indexOf("PACK");
      if (pack > 0) bytes[pack + 200]! ^= 1;
      return new Response(bytes, { headers: { "content-type": passed.headers.get("content-type") ?? "" } });
    });
    expect(code).toBe("remote.bad-pack");
  });
});
