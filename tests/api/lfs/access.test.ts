import { afterAll, beforeAll, expect, test } from "bun:test";
import { SignJWT } from "jose";
import { operator } from "../../../src/access/principal.ts";
import { hmacSha256, randomBytes } from "../../../src/kernel/ids.ts";
import type { Repo } from "../../../src/repos/types.ts";
import {
  aRepo,
  aServer,
  aSession,
  aUser,
  type CallOptions,
  call,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { as, aThing, LFS, lfsOf } from "./client.ts";

/** Who may have large files (contract git-content.md 16.2, 16.6). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada", password: true });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const share = (repo: Repo, who: TestUser, permission: string) =>
  call(server, "PUT", `/api/v1/repos/ada/${repo.name}/collaborators/${who.login}`, {
    token: ada.token,
    body: { permission },
  });
const unshare = (repo: Repo, who: TestUser) =>
  call(server, "DELETE", `/api/v1/repos/ada/${repo.name}/collaborators/${who.login}`, { token: ada.token });
const bearer = (token: string): CallOptions => ({ headers: { authorization: `Bearer ${token}` } });

/** What a client that came over SSH is told. */
async function granted(repo: Repo, who: TestUser, operation: "upload" | "download", deployKey?: string) {
  const seen = server.services.repos.seeById({ ...operator, via: "session", user: who.user }, repo.id);
  if (!seen) throw new Error("it is not seen");
  return server.services.lfs.authenticate(seen, operation, deployKey);
}
const tokenOf = async (...asked: Parameters<typeof granted>) =>
  (await granted(...asked)).header["Authorization"]?.replace("Bearer ", "") ?? "";

function anEd25519Line(): string {
  const field = (data: Uint8Array) => Buffer.concat([Buffer.of(0, 0, 0, data.length), data]);
  const key = Buffer.concat([field(Buffer.from("ssh-ed25519")), field(randomBytes(32))]);
  return `ssh-ed25519 ${key.toString("base64")}`;
}

/** Statuses of reading and writing. */
async function statuses(at: string, who: CallOptions): Promise<number[]> {
  const lfs = lfsOf(server, at);
  const thing = aThing();
  return [(await lfs.batch("download", [thing], who)).status, (await lfs.put(thing, thing.bytes, who)).status];
}

test("a session and a password do as tokens do", async () => {
  const repo = aRepo(server, ada.user, { isPrivate: true });
  const at = `ada/${repo.name}`;
  expect(await statuses(at, { cookie: await aSession(server, ada.user) })).toEqual([200, 200]);
  expect(await statuses(at, { basic: ["ada", ada.password] })).toEqual([200, 200]);
  const foreign = { cookie: await aSession(server, ada.user), headers: { origin: "https://elsewhere.example" } };
  expect(await statuses(at, foreign)).toEqual([403, 403]);
});

test("what is hidden and what is not there look the same, but to the owner", async () => {
  const repo = aRepo(server, ada.user, { isPrivate: true });
  for (const who of [{}, as(bob)]) {
    for (const method of ["download", "upload"]) {
      const [hidden, missing] = await Promise.all(
        [repo.name, "nothing"].map((name) => lfsOf(server, `ada/${name}`).batch(method, [aThing()], who)),
      );
      expect([hidden?.status, missing?.status]).toEqual([401, 401]);
      expect(hidden?.body.message).toBe(missing?.body.message ?? "");
      expect(hidden?.headers.get("www-authenticate")).toBe('Basic realm="gitea-lfs"');
    }
    expect((await lfsOf(server, "nobody/nothing").batch("download", [], who)).status).toBe(401);
  }
  expect((await lfsOf(server, "ada/nothing").batch("download", [], as(ada))).status).toBe(404);
  expect((await lfsOf(server, "ada/nothing").ask("GET", "locks", as(ada))).status).toBe(401);
});

test("a renamed repository leads on", async () => {
  const repo = aRepo(server, ada.user);
  await call(server, "PATCH", `/api/v1/repos/ada/${repo.name}`, { token: ada.token, body: { name: `${repo.name}-2` } });
  const answer = await lfsOf(server, `ada/${repo.name}`).get("a".repeat(64));
  expect(answer.headers.get("location")).toBe(`/ada/${repo.name}-2.git/info/lfs/objects/${"a".repeat(64)}`);
});

test("a token given over SSH is of one repository, one operation and its account's rights", async () => {
  const [repo, other] = [aRepo(server, ada.user, { isPrivate: true }), aRepo(server, ada.user, { isPrivate: true })];
  const at = `ada/${repo.name}`;
  await share(repo, bob, "write");
  await share(other, bob, "write");
  const grant = await granted(repo, bob, "upload");
  expect(grant.href).toBe(`${server.url.replace(/\/$/, "")}/${at}.git/info/lfs`);
  expect(grant.expires_in).toBe(86_400);
  const [uploading, downloading] = [await tokenOf(repo, bob, "upload"), await tokenOf(repo, bob, "download")];
  expect(await statuses(at, bearer(uploading))).toEqual([200, 200]);
  expect(await statuses(at, bearer(downloading))).toEqual([200, 401]);
  for (const token of [uploading, await tokenOf(repo, ada, "upload")])
    expect(await statuses(`ada/${other.name}`, bearer(token))).toEqual([401, 401]);
  // Nothing but large files is open to it.
  for (const path of ["/api/v1/user", `/api/v1/repos/${at}`, `/${at}/raw/branch/main/a`])
    expect([path, (await call(server, "GET", path, bearer(uploading))).status]).toEqual([path, 401]);
  expect((await call(server, "GET", `/${at}.git/info/refs?service=git-upload-pack`, bearer(uploading))).status).toBe(
    401,
  );
  await share(repo, bob, "read");
  expect(await statuses(at, bearer(uploading))).toEqual([200, 401]);
  await unshare(repo, bob);
  expect(await statuses(at, bearer(uploading))).toEqual([401, 401]);
});

test("a token ends with its time and its account, and no one makes one", async () => {
  const repo = aRepo(server, ada.user, { isPrivate: true });
  const carol = await aUser(server);
  await share(repo, carol, "write");
  const at = `ada/${repo.name}`;
  const token = await tokenOf(repo, carol, "upload");
  expect(await statuses(at, bearer(token))).toEqual([200, 200]);
  const claims = { RepoID: repo.id, Op: "upload", UserID: ada.user.id };
  const now = Math.floor(Date.now() / 1000);
  const signed = (key: string, exp: number) =>
    new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).setExpirationTime(exp).sign(new TextEncoder().encode(key));
  const key = hmacSha256(server.core.secret, "lfs-tokens", "hex");
  const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.`;
  for (const bad of [await signed("another", now + 60), await signed(key, now - 60), none, `${token}x`])
    expect(await statuses(at, bearer(bad))).toEqual([401, 401]);
  await call(server, "PATCH", `/api/v1/admin/users/${carol.login}`, {
    token: (await aUser(server, { isAdmin: true })).token,
    body: { prohibit_login: true, source_id: 0, login_name: carol.login },
  });
  expect(await statuses(at, bearer(token))).toEqual([403, 403]);
});

test("a deploy key's token does what the key may, for as long as it is there", async () => {
  const repo = aRepo(server, ada.user, { isPrivate: true });
  const at = `ada/${repo.name}`;
  const line = anEd25519Line();
  const seen = server.services.repos.seeById({ ...operator, via: "session", user: ada.user }, repo.id);
  if (!seen) throw new Error("it is not seen");
  const key = await server.services.deployKeys.add(seen, { title: "ci", key: line, isReadOnly: true });
  const token = await tokenOf(repo, ada, "upload", key.content);
  expect(await statuses(at, bearer(token))).toEqual([200, 401]);
  server.services.deployKeys.remove(seen, key.id);
  const writing = await server.services.deployKeys.add(seen, { title: "ci", key: line, isReadOnly: false });
  expect(await statuses(at, bearer(token))).toEqual([200, 200]);
  const locked = await lfsOf(server, at).ask<{ lock: { owner: object } }>("POST", "locks", bearer(token), {
    path: "a",
  });
  expect([locked.status, locked.body.lock.owner]).toEqual([201, { name: "ada" }]);
  server.services.deployKeys.remove(seen, writing.id);
  expect(await statuses(at, bearer(token))).toEqual([401, 401]);
});

test("whoever loses the right to write while the bytes come has sent them in vain", async () => {
  const repo = aRepo(server, ada.user);
  const carol = await aUser(server);
  await share(repo, carol, "write");
  const thing = aThing("0123456789");
  let goOn = () => {};
  const gone = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(thing.bytes.subarray(0, 5));
      await gone;
      controller.enqueue(thing.bytes.subarray(5));
      controller.close();
    },
  });
  const authorization = `Basic ${Buffer.from(`${carol.login}:${carol.token}`).toString("base64")}`;
  const url = `${server.url}ada/${repo.name}.git/info/lfs/objects/${thing.oid}/10`;
  const sent = fetch(url, { method: "PUT", headers: { authorization }, body });
  const incoming = new Bun.Glob("*");
  const folder = `${server.house.core.config.data}/blobs/incoming`;
  while ([...incoming.scanSync({ cwd: folder })].length === 0) await new Promise((resolve) => setImmediate(resolve));
  await unshare(repo, carol);
  goOn();
  expect((await sent).status).toBe(401);
  expect((await lfsOf(server, `ada/${repo.name}`).get(thing.oid)).status).toBe(404);
  expect([...incoming.scanSync({ cwd: folder })]).toEqual([]);
});

test("switched off, none of it is there", async () => {
  const off = await aServer({ "lfs.enabled": false });
  try {
    const owner = await aUser(off);
    const { name } = aRepo(off, owner.user);
    const path = `/${owner.login}/${name}.git/info/lfs/objects/batch`;
    const asked = { operation: "download", objects: [] };
    const headers = { accept: LFS, "content-type": LFS };
    expect((await call(off, "POST", path, { ...as(owner), headers, body: asked })).status).toBe(404);
    const settings = await call<{ lfs_disabled: boolean }>(off, "GET", "/api/v1/settings/repository");
    expect(settings.body.lfs_disabled).toBe(true);
    expect(off.errors).toEqual([]);
  } finally {
    await off.close();
  }
});
