import { beforeAll, describe, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";
import { as, aThing, lfsOf, pointerTo, type Thing } from "../lfs/client.ts";
import type { Shown } from "../mirrors/shown.ts";
import { twoServers } from "./forge.ts";

/** Large files that imports and pull mirrors fetch, and push mirrors send: from a second Hearth, and from servers that lie. */

const servers = twoServers({ "lfs.max_object_mib": 1 });
let { here, there, ada, bob } = servers;
beforeAll(() => {
  ({ here, there, ada, bob } = servers);
});

const askHere = anApi(() => here);
const askThere = anApi(() => there);
const urlOf = (name: string) => `${there.url}bob/${name}.git`;
const isAt = async (server: TestServer, who: TestUser, at: string, { oid }: Thing) =>
  (await lfsOf(server, at).get(oid, as(who))).status === 200;
let count = 0;
const migrate = (body: Record<string, unknown>) =>
  askHere<Shown>("POST", "/repos/migrate", ada, { repo_name: `l${++count}`, service: "git", lfs: true, ...body });

async function aSource(things: readonly Thing[], more: Parameters<typeof aRepo>[2] = {}): Promise<string> {
  const files = Object.fromEntries(things.map((thing, at) => [`f${at}.bin`, pointerTo(thing)]));
  const { name } = aRepo(there, bob.user, { files, ...more });
  for (const thing of things)
    expect((await lfsOf(there, `bob/${name}`).put(thing, thing.bytes, as(bob))).status).toBe(200);
  return name;
}

describe("an import", () => {
  test("brings what its refs name when it is asked to, also of a private repository", async () => {
    const things = [aThing(), aThing(Buffer.alloc(100_000, 7))];
    const name = await aSource(things, { isPrivate: true });
    const asked = { clone_addr: urlOf(name), auth_token: bob.token };
    const made = await migrate(asked);
    expect([made.status, made.text]).toEqual([201, made.text]);
    for (const thing of things) expect(await isAt(here, ada, `ada/${made.body.name}`, thing)).toBe(true);
    const without = await migrate({ ...asked, lfs: false });
    for (const thing of things) expect(await isAt(here, ada, `ada/${without.body.name}`, thing)).toBe(false);
  });

  test("may find them elsewhere", async () => {
    const thing = aThing();
    const store = await aSource([thing]);
    const { name } = aRepo(there, bob.user, { files: { "a.bin": pointerTo(thing) } });
    const made = await migrate({ clone_addr: urlOf(name), lfs_endpoint: `${urlOf(store)}/info/lfs` });
    expect([made.status, made.text]).toEqual([201, made.text]);
    expect(await isAt(here, ada, `ada/${made.body.name}`, thing)).toBe(true);
  });

  test("leaves out what the source has lost, as a clone there would", async () => {
    const [lost, present] = [aThing(), aThing()];
    const name = await aSource([present]);
    const content = Buffer.from(pointerTo(lost)).toString("base64");
    await askThere("POST", `/repos/bob/${name}/contents/lost.bin`, bob, { content, branch: "main" });
    const made = await migrate({ clone_addr: urlOf(name) });
    expect(made.status).toBe(201);
    expect(await isAt(here, ada, `ada/${made.body.name}`, present)).toBe(true);
    expect(await isAt(here, ada, `ada/${made.body.name}`, lost)).toBe(false);
  });
});

/** A git LFS server that answers as it is told to. */
function aStore(answers: (path: string, oid: string) => Response) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const body = request.method === "POST" ? ((await request.json()) as { objects: { oid: string }[] }) : undefined;
      return answers(pathname, body?.objects[0]?.oid ?? "");
    },
  });
}

describe("a server of large files that is not what it should be", () => {
  const thing = aThing("what it should be");
  const batch = (download: unknown) => (path: string, oid: string) =>
    path.endsWith("/objects/batch")
      ? Response.json({ objects: [{ oid, size: thing.size, actions: { download } }] })
      : new Response("what it is not..");

  test.each([
    ["has none", () => new Response("none", { status: 404 }), "has no git LFS"],
    ["sends no JSON", () => new Response("<html>"), "could not be read"],
    ["sends a list of nothing", () => Response.json({ objects: 3 }), "could not be read"],
    ["wants credentials", () => new Response("no", { status: 401 }), "asks for credentials"],
    ["refuses", () => new Response("no", { status: 403 }), "does not accept the credentials"],
    ["sends to a private address", batch({ href: "http://10.0.0.1/x" }), "disallowed hosts"],
    ["sends to no address", batch({ href: "file:///etc/passwd" }), "URL is invalid"],
  ] as const)("and %s leaves nothing", async (_name, answer, message) => {
    using store = aStore(answer);
    const { name } = aRepo(there, bob.user, { files: { "a.bin": pointerTo(thing) } });
    const before = here.services.repos.ownedBy(ada.user).length;
    const made = await migrate({ clone_addr: urlOf(name), lfs_endpoint: store.url.href });
    expect([made.status, made.body.message]).toEqual([422, expect.stringContaining(message)]);
    expect(here.services.repos.ownedBy(ada.user).length).toBe(before);
  });

  test.each([
    ["other bytes", "what it shouldn't!", "does not match"],
    ["fewer bytes", "what", "does not match"],
    ["more bytes", "x".repeat(1_000_000), "too large"],
  ] as const)("and sends %s leaves nothing", async (_name, bytes, message) => {
    const own = aThing("what it should be!");
    using store: ReturnType<typeof aStore> = aStore((path, oid) =>
      path.endsWith("/objects/batch")
        ? Response.json({ objects: [{ oid, actions: { download: { href: `${store.url.href}file` } } }] })
        : new Response(bytes),
    );
    const { name } = aRepo(there, bob.user, { files: { "a.bin": pointerTo(own) } });
    const made = await migrate({ clone_addr: urlOf(name), lfs_endpoint: store.url.href });
    expect([made.status, made.body.message]).toEqual([422, expect.stringContaining(message)]);
  });

  test("is not asked for more than an object may have here, nor for more than the owner may store", async () => {
    const huge = { oid: aThing().oid, size: 2 ** 21 };
    using store = aStore((path, oid) =>
      path.endsWith("/objects/batch")
        ? Response.json({ objects: [{ oid, actions: { download: { href: "http://127.0.0.1:1/" } } }] })
        : new Response("no"),
    );
    const { name } = aRepo(there, bob.user, { files: { "a.bin": pointerTo(huge) } });
    const made = await migrate({ clone_addr: urlOf(name), lfs_endpoint: store.url.href });
    expect([made.status, made.body.message]).toEqual([422, expect.stringContaining("less than or equal to 1048576")]);
  });

  test("never hears what was given for the repository", async () => {
    const heard: string[] = [];
    using store = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        heard.push(request.headers.get("authorization") ?? "");
        return new Response("no", { status: 403 });
      },
    });
    const name = await aSource([thing], { isPrivate: true });
    const asked = { clone_addr: urlOf(name), auth_token: bob.token, lfs_endpoint: store.url.href };
    expect((await migrate(asked)).status).toBe(422);
    expect(heard.every((header) => header === "") && heard.length > 0).toBe(true);
    const own = store.url.href.replace("://", "://eve:Geheim-7@");
    const refused = await migrate({ ...asked, lfs_endpoint: own });
    expect(refused.text).not.toContain("Geheim");
    expect(heard).toContain(`Basic ${btoa("eve:Geheim-7")}`);
  });
});

describe("mirrors", () => {
  test("that pull fetch what comes later, too", async () => {
    const [first, later] = [aThing(), aThing()];
    const name = await aSource([first]);
    const made = await migrate({ clone_addr: urlOf(name), mirror: true, mirror_interval: "0" });
    const at = `ada/${made.body.name}`;
    expect(await isAt(here, ada, at, first)).toBe(true);
    expect((await lfsOf(there, `bob/${name}`).put(later, later.bytes, as(bob))).status).toBe(200);
    const content = Buffer.from(pointerTo(later)).toString("base64");
    await askThere("POST", `/repos/bob/${name}/contents/later.bin`, bob, { content, branch: "main" });
    await askHere("POST", `/repos/${at}/mirror-sync`, ada);
    await settled(here);
    expect(await isAt(here, ada, at, later)).toBe(true);
  });

  test("that push send them before the refs that name them, and each once", async () => {
    const thing = aThing();
    const from = aRepo(here, ada.user, { name: "sends", files: { "a.bin": pointerTo(thing) } });
    expect((await lfsOf(here, "ada/sends").put(thing, thing.bytes, as(ada))).status).toBe(200);
    const to = aRepo(there, bob.user, { name: "takes" });
    const mirror = {
      remote_address: urlOf(to.name),
      remote_username: "bob",
      remote_password: bob.token,
      interval: "0",
    };
    expect((await askHere("POST", "/repos/ada/sends/push_mirrors", ada, mirror)).status).toBe(200);
    const sync = () => askHere("POST", "/repos/ada/sends/push_mirrors-sync", ada);
    const first = await sync();
    expect([first.status, first.text]).toEqual([200, ""]);
    expect(await isAt(there, bob, "bob/takes", thing)).toBe(true);
    expect(there.services.refs.list(to.id).map(({ oid }) => oid)).toEqual(
      here.services.refs.list(from.id).map(({ oid }) => oid),
    );
    expect((await sync()).status).toBe(200);
  });

  test("that push to a server without large files send the refs", async () => {
    const thing = aThing();
    aRepo(here, ada.user, { name: "plain", files: { "a.bin": pointerTo(thing) } });
    expect((await lfsOf(here, "ada/plain").put(thing, thing.bytes, as(ada))).status).toBe(200);
    await using without = await aServer({ "network.allow": ["loopback"], "lfs.enabled": false });
    const eve = await aUser(without, { login: "eve" });
    const to = aRepo(without, eve.user, { name: "plain" });
    const address = `${without.url}eve/plain.git`;
    const mirror = { remote_address: address, remote_username: "eve", remote_password: eve.token, interval: "0" };
    await askHere("POST", "/repos/ada/plain/push_mirrors", ada, mirror);
    const sync = await askHere("POST", "/repos/ada/plain/push_mirrors-sync", ada);
    expect([sync.status, sync.text]).toEqual([200, ""]);
    expect(without.services.refs.list(to.id)).toHaveLength(1);
  });
});
