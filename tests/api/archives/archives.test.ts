import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32, gunzipSync } from "node:zlib";
import { asAccount, operator } from "../../../src/access/principal.ts";
import type { Repo } from "../../../src/repos/types.ts";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";
import { git, gitText, tempDir } from "../../git/objects/real-git.ts";

/** Archives over HTTP against `git archive` and `git bundle`; who gets them, in which parts, and what stays on disk. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let repo: Repo;
let dir: string;
let head: string;

const FILES: Record<string, string | Uint8Array> = {
  ".gitattributes": "secret.txt export-ignore\nprivate/ export-ignore\nversion export-subst\n*.crlf eol=crlf\n",
  "README.md": "read me\n",
  "secret.txt": "no one gets this\n",
  "private/key": "nor this\n",
  "docs/a.crlf": "one\ntwo\n",
  "docs/ünï ☃.txt": "far\n",
  version: "$Format:%H %cI$ $Format:%(describe:tags=true)$\n",
  "big.bin": Buffer.alloc(700_000, "0123456789abcdef"),
  "random.bin": crypto.getRandomValues(new Uint8Array(60_000)),
};

async function aSource(server: TestServer, owner: TestUser, isPrivate = false): Promise<Repo> {
  const made = aRepo(server, owner.user, { name: isPrivate ? "Vault" : "Engine", isPrivate, files: FILES });
  await server.services.refs.projected();
  return made;
}

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  repo = await aSource(server, ada);
  dir = server.services.storage.dirOf(repo.id);
  head = gitText(["-C", dir, "rev-parse", "main"]);
  server.services.refs.change(repo.id, {
    principal: asAccount(ada.user),
    changes: [
      { name: "refs/tags/v1.0", oldOid: null, newOid: head },
      { name: "refs/heads/feat/a", oldOid: null, newOid: head },
    ],
    atomic: true,
  });
  await server.services.refs.projected();
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const get = (path: string, headers: Record<string, string> = {}, who?: TestUser) =>
  fetch(`${server.url}${path}`, {
    headers: { ...headers, ...(who ? { authorization: `token ${who.token}` } : {}) },
    redirect: "manual",
  });
const bytes = async (path: string, headers: Record<string, string> = {}) =>
  new Uint8Array(await (await get(path, headers)).arrayBuffer());
const archive = "api/v1/repos/ada/engine/archive";

describe("what is in it", () => {
  test("a tar is git's, byte for byte", async () => {
    const prefix = "--prefix=engine/";
    const theirs = git(["-C", dir, "archive", "--format=tar", prefix, "v1.0"]).stdout;
    expect(Buffer.compare(Buffer.from(await bytes(`${archive}/v1.0.tar`)), theirs)).toBe(0);
    const packed = gunzipSync(await bytes(`${archive}/main.tar.gz`));
    expect(Buffer.compare(packed, theirs)).toBe(0);
    const some = git(["-C", dir, "archive", "--format=tar", prefix, "main", "docs", "README.md"]).stdout;
    const ours = await bytes(`${archive}/main.tar?path=README.md&path=docs/`);
    expect(Buffer.compare(Buffer.from(ours), some)).toBe(0);
  });

  test("a zip has git's entries", async () => {
    const theirs = git(["-C", dir, "archive", "--format=zip", "--prefix=engine/", "main"]).stdout;
    const facts = (zip: Uint8Array) => {
      const view = Buffer.from(zip);
      const found: unknown[] = [];
      for (let at = view.indexOf("PK\x01\x02"); at >= 0; at = view.indexOf("PK\x01\x02", at + 1)) {
        const length = view.readUInt16LE(at + 28);
        found.push([
          view.toString("utf8", at + 46, at + 46 + length),
          view.readUInt32LE(at + 16),
          view.readUInt32LE(at + 24),
        ]);
      }
      return found;
    };
    expect(facts(await bytes(`${archive}/main.zip`))).toEqual(facts(theirs));
    expect(crc32(Buffer.from("read me\n"))).toBe(
      (facts(theirs) as [string, number][]).find(([name]) => name === "engine/README.md")![1],
    );
  });

  test("names that files ask for are those of tags, and follow them", async () => {
    const version = async () => {
      const text = Buffer.from(await bytes(`${archive}/main.tar?path=version`)).toString("latin1");
      return /\$?[0-9a-f]{40} \S+ (\S*)\n/.exec(text)?.[1];
    };
    expect(await version()).toBe("v1.0");
    const { refs } = server.services;
    const tag = (oldOid: string | null, newOid: string | null) =>
      refs.change(repo.id, {
        principal: asAccount(ada.user),
        changes: [{ name: "refs/tags/v0.9", oldOid, newOid }],
        atomic: true,
      });
    tag(null, head);
    await refs.projected();
    expect(await version()).toBe(gitText(["-C", dir, "describe", "--tags", "main"]));
    tag(head, null);
    await refs.projected();
  });

  test("a bundle can be cloned from", async () => {
    using work = tempDir();
    const file = join(work.path, "a.bundle");
    writeFileSync(file, await bytes(`${archive}/feat/a.bundle`));
    expect(gitText(["bundle", "list-heads", file]).split("\n")).toEqual([`${head} HEAD`, `${head} refs/heads/bundle`]);
    const clone = join(work.path, "clone");
    git(["clone", "-q", "-b", "bundle", file, clone]);
    expect(gitText(["-C", clone, "rev-parse", "HEAD"])).toBe(head);
    git(["-C", clone, "fsck", "--strict"]);
  });
});

describe("how it is handed out", () => {
  test("once made it stands on disk and is the same; deleted there it is made again", async () => {
    const folder = join(server.dataDir, "cache", "archives", String(repo.id));
    const [one, other] = await Promise.all([bytes(`${archive}/main.zip`), bytes(`ada/engine/archive/feat/a.zip`)]);
    expect(Buffer.compare(one, other)).toBe(0);
    const made = readdirSync(folder);
    expect(made.every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
    const again = await get(`${archive}/v1.0.zip`);
    expect(again.headers.get("content-length")).toBe(String(one.length));
    expect(Buffer.compare(one, new Uint8Array(await again.arrayBuffer()))).toBe(0);
    rmSync(folder, { recursive: true });
    expect(Buffer.compare(one, await bytes(`${archive}/${head}.zip`))).toBe(0);
  });

  test("in parts, also of one that is not there yet", async () => {
    const whole = await bytes(`${archive}/main.tar.gz?path=random.bin`);
    rmSync(join(server.dataDir, "cache", "archives", String(repo.id)), { recursive: true });
    const part = await get(`${archive}/main.tar.gz?path=random.bin`, { range: "bytes=100-" });
    expect([part.status, part.headers.get("content-range")]).toEqual([
      206,
      `bytes 100-${whole.length - 1}/${whole.length}`,
    ]);
    expect(Buffer.compare(whole.subarray(100), new Uint8Array(await part.arrayBuffer()))).toBe(0);
    const last = await get(`${archive}/main.tar.gz?path=random.bin`, { range: "bytes=-5" });
    expect(Buffer.compare(whole.subarray(-5), new Uint8Array(await last.arrayBuffer()))).toBe(0);
    const behind = await get(`${archive}/main.tar.gz?path=random.bin`, { range: `bytes=${whole.length}-` });
    expect([behind.status, behind.headers.get("content-range")]).toEqual([416, `bytes */${whole.length}`]);
    const old = await get(`${archive}/main.tar.gz?path=random.bin`, { range: "bytes=0-1", "if-range": '"old"' });
    expect([old.status, (await old.arrayBuffer()).byteLength]).toEqual([200, whole.length]);
  });

  test("a tag says whether it changed; a bundle's is weak and it has no parts", async () => {
    const first = await get(`${archive}/main.zip`);
    const etag = first.headers.get("etag")!;
    await first.arrayBuffer();
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    for (const ref of ["main", "v1.0", head, head.slice(0, 8)])
      expect((await get(`${archive}/${ref}.zip`, { "if-none-match": `W/${etag}` })).status).toBe(304);
    const other = await get(`${archive}/main.tar.gz`, { "if-none-match": etag });
    expect(other.status).toBe(200);
    await other.arrayBuffer();
    const bundle = await get(`${archive}/main.bundle`, { range: "bytes=0-3" });
    expect([bundle.status, bundle.headers.get("accept-ranges")]).toEqual([200, "none"]);
    expect(bundle.headers.get("etag")).toStartWith('W/"');
    await bundle.arrayBuffer();
  });

  test("it can be made beforehand", async () => {
    const ask = async () =>
      (await call<{ complete: boolean }>(server, "POST", "/ada/engine/archive/main.zip?path=docs")).body.complete;
    expect(await ask()).toBe(false);
    await bytes("ada/engine/archive/main.zip?path=docs");
    expect(await ask()).toBe(true);
  });
});

describe("what is refused", () => {
  const refusals: [path: string, status: number, message: string | undefined][] = [
    ["archive/main.tar.xz", 400, "unknown format: main.tar.xz"],
    ["archive/.zip", 400, "unknown format: .zip"],
    ["archive/main~1.zip", 404, "unrecognized repository reference: main~1"],
    ["archive/refs/heads/nope.zip", 404, "unrecognized repository reference: refs/heads/nope"],
    ["archive/%2e%2e%2fx.zip", 404, undefined],
    [`archive/${"0".repeat(40)}.zip`, 404, `unrecognized repository reference: ${"0".repeat(40)}`],
    ["archive/main.zip?path=/docs", 400, "path doesn't exist or is invalid"],
    ["archive/main.zip?path=../docs", 400, "path doesn't exist or is invalid"],
    ["archive/main.zip?path=docs/../../docs", 400, "path doesn't exist or is invalid"],
    ["archive/main.zip?path=docs/../../x", 400, "path doesn't exist or is invalid"],
    ["archive/main.zip?path=", 400, "path doesn't exist or is invalid"],
    ["archive/main.zip?path=a%00b", 400, "path doesn't exist or is invalid"],
    [`archive/main.zip?${"path=docs&".repeat(101)}`, 400, "path doesn't exist or is invalid"],
    ["bundle/main?path=nope", 400, "cannot specify paths when requesting a bundle"],
    ["bundle/main?path=docs", 400, "cannot specify paths when requesting a bundle"],
  ];
  test.each(refusals)("%s", async (path, status, message) => {
    const answer = await get(`api/v1/repos/ada/engine/${path}`);
    const body = (await answer.json()) as { message: string };
    expect(answer.status).toBe(status);
    if (message) expect(body.message).toBe(message);
  });

  test("a private repository's for everyone else, and it goes with the repository", async () => {
    const vault = await aSource(server, ada, true);
    const paths = ["api/v1/repos/ada/vault/archive/main.zip", "ada/vault/archive/main.tar.gz"];
    for (const path of paths) {
      expect((await get(path)).status).toBe(404);
      expect((await get(path, {}, bob)).status).toBe(404);
      const mine = await get(path, {}, ada);
      expect(mine.status).toBe(200);
      expect(mine.headers.get("cache-control")).toBe("max-age=0, private, must-revalidate");
      await mine.arrayBuffer();
    }
    const folder = join(server.dataDir, "cache", "archives", String(vault.id));
    expect(existsSync(folder)).toBe(true);
    const gone = new Promise<void>((resolve) => {
      const watcher = watch(dirname(folder), () => {
        if (existsSync(folder)) return;
        watcher.close();
        resolve();
      });
    });
    server.services.repoRemoval.remove(operator, vault);
    await gone;
    expect((await get(paths[0]!, {}, ada)).status).toBe(404);
  });
});

test("the disk holds no more than the budget", async () => {
  await using small = await aServer({ "archives.cache_mib": 1 });
  const owner = await aUser(small, { login: "ada" });
  const source = await aSource(small, owner);
  const folder = join(small.dataDir, "cache", "archives", String(source.id));
  const read = async (path: string) => (await fetch(`${small.url}ada/engine/archive/${path}`)).arrayBuffer();
  const first = await read("main.tar");
  await read("main.tar?path=big.bin");
  const sizes = () => readdirSync(folder).map((name) => Bun.file(join(folder, name)).size);
  expect(sizes().length).toBe(1);
  expect(sizes().reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2 ** 20);
  expect(Buffer.compare(Buffer.from(await read("main.tar")), Buffer.from(first))).toBe(0);
});

test("switched off there are none, and tags do not speak of them", async () => {
  await using closed = await aServer({ "archives.enabled": false });
  const owner = await aUser(closed, { login: "ada" });
  const made = await aSource(closed, owner);
  const { refs, storage } = closed.services;
  const tip = gitText(["-C", storage.dirOf(made.id), "rev-parse", "main"]);
  const changes = [{ name: "refs/tags/v1", oldOid: null, newOid: tip }];
  refs.change(made.id, { principal: asAccount(owner.user), changes, atomic: true });
  for (const path of ["/ada/engine/archive/main.zip", "/api/v1/repos/ada/engine/archive/main.zip"])
    expect((await call(closed, "GET", path)).status).toBe(404);
  const tag = (await call<Record<string, unknown>>(closed, "GET", "/api/v1/repos/ada/engine/tags/v1")).body;
  expect(Object.keys(tag)).not.toContain("zipball_url");
  expect((await call(closed, "GET", "/ada/engine")).text).not.toContain("/archive/");
});
