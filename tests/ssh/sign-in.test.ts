import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BaseAgent, Client } from "ssh2";
import { operator } from "../../src/access/principal.ts";
import { fingerprintOf } from "../../src/keys/ssh/public-key.ts";
import { aRepo, aUser, call, type TestUser } from "../builders.ts";
import { until, untilHolds } from "../until.ts";
import {
  aKey,
  anSshServer,
  aUserKey,
  type Key,
  removeFolders,
  type Said,
  type SshServer,
  ssh,
  urlOf,
  Work,
} from "./scene.ts";

setDefaultTimeout(180_000);

let server: SshServer;
let ada: TestUser;
const authority = aKey();

beforeAll(async () => {
  server = await anSshServer({ "keys.authorities": [authority.line], "keys.principals": ["anything"] });
  ada = await aUser(server);
});
afterAll(async () => {
  await server.close();
  expect(server.errors).toEqual([]);
  removeFolders();
});

const greeting = (said: Said) => ({ code: said.code, greets: said.err.includes("You've successfully authenticated") });
const WELCOME = { code: 0, greets: true };
const REFUSED = { code: 255, greets: false };

test("keys of every kind open the door, RSA with SHA-2 only", async () => {
  for (const [type, ...options] of [
    ["ed25519"],
    ["rsa", "-b", "3072"],
    ["ecdsa", "-b", "256"],
    ["ecdsa", "-b", "384"],
    ["ecdsa", "-b", "521"],
  ] as const) {
    const key = await aUserKey(server, ada, {}, aKey(type, ...options));
    const said = await ssh(server, key);
    expect({ type, ...greeting(said) }).toEqual({ type, ...WELCOME });
    expect(said.err).toContain(
      `Hi there, ${ada.login}! You've successfully authenticated with the key named ${key.title},`,
    );
    if (type !== "rsa") continue;
    const hash = (name: string) => ssh(server, key, undefined, { options: ["-o", `PubkeyAcceptedAlgorithms=${name}`] });
    expect(greeting(await hash("rsa-sha2-256"))).toEqual(WELCOME);
    expect(greeting(await hash("ssh-rsa"))).toEqual(REFUSED);
  }
});

test("with each of the host keys, and with no SHA-1", async () => {
  const key = await aUserKey(server, ada);
  const by = (name: string) => ssh(server, key, undefined, { options: ["-o", `HostKeyAlgorithms=${name}`] });
  for (const name of ["ssh-ed25519", "ecdsa-sha2-nistp256", "rsa-sha2-512", "rsa-sha2-256"])
    expect({ name, ...greeting(await by(name)) }).toEqual({ name, ...WELCOME });
  expect(greeting(await by("ssh-rsa"))).toEqual(REFUSED);
  const weak = ["KexAlgorithms=diffie-hellman-group14-sha1", "Ciphers=aes128-cbc", "MACs=hmac-sha1"];
  for (const option of weak)
    expect({ option, ...greeting(await ssh(server, key, undefined, { options: ["-o", option] })) }).toEqual({
      option,
      ...REFUSED,
    });
});

test("a key of no one, another user name, and the public half alone open nothing", async () => {
  const key = await aUserKey(server, ada);
  expect((await ssh(server, aKey())).err).toContain("Permission denied (publickey)");
  for (const user of [ada.login, "root", ""])
    expect({ user, ...greeting(await ssh(server, key, undefined, { user })) }).toEqual({ user, ...REFUSED });
  const thief = aKey();
  writeFileSync(`${thief.file}.pub`, `${key.line}\n`);
  expect(greeting(await ssh(server, thief))).toEqual(REFUSED);
});

/** Shows someone's public key, and a signature that is none. */
function asForger({ line }: Key): Promise<unknown> {
  const client = new Client();
  const agent = new (class extends BaseAgent {
    override getIdentities(answer: (error: Error | undefined, keys: string[]) => void): void {
      answer(undefined, [line]);
    }
    override sign(...given: unknown[]): void {
      const answer = given.at(-1) as (error: Error | undefined, signature: Buffer) => void;
      answer(undefined, Buffer.alloc(64, 1));
    }
  })();
  const refused = new Promise((resolve) => client.on("error", resolve));
  client.connect({ host: "127.0.0.1", port: server.sshPort, username: "git", agent });
  return refused;
}

test("who was refused is in the record of security events: with whose key, or with one of no one", async () => {
  const bob = await aUser(server);
  const key = await aUserKey(server, bob);
  const events = () =>
    server.services.audit
      .list(operator, {}, { page: 1, limit: 50, offset: 0 })
      .items.map(({ accountId, action, address, details }) => ({ accountId, action, address, details }));
  const address = "127.0.0.1";
  await asForger(key);
  const refused = await until(() =>
    events().find(({ accountId, action }) => accountId === bob.user.id && action === "sign-in-failed"),
  );
  expect(refused).toEqual({
    accountId: bob.user.id,
    action: "sign-in-failed",
    address,
    details: { method: "key" },
  });
  const unknown = aKey();
  const fingerprint = fingerprintOf(Buffer.from(unknown.line.split(" ")[1] ?? "", "base64"));
  await ssh(server, unknown);
  await until(() => events().find(({ details }) => details["fingerprint"] === fingerprint));
  expect(events()).toContainEqual({
    accountId: undefined,
    action: "ssh-key-refused",
    address,
    details: { fingerprint },
  });
  const before = events().length;
  expect(greeting(await ssh(server, key))).toEqual(WELCOME);
  await untilHolds(() => server.services.ssh.state.connections === 0);
  expect(events()).toHaveLength(before);
});

test("a key that was removed, and an account that was switched off, get nothing more", async () => {
  const bob = await aUser(server);
  aRepo(server, bob.user, { name: "shed", files: { a: "a" } });
  const key = await aUserKey(server, bob);
  expect((await ssh(server, key, `git-upload-pack '${bob.login}/shed.git'`, { input: "0000" })).code).toBe(0);
  await server.services.identity.edit(operator, bob.user, { prohibitLogin: true });
  const refused = await ssh(server, key, `git-upload-pack '${bob.login}/shed.git'`);
  expect({ ...refused, out: "" }).toEqual({
    code: 1,
    out: "",
    err: "error:\nerror: Your account is disabled.\nerror:\n",
  });
  await server.services.identity.edit(operator, bob.user, { prohibitLogin: false });
  expect(greeting(await ssh(server, key))).toEqual(WELCOME);
  expect((await call(server, "DELETE", `/api/v1/user/keys/${key.id}`, { token: bob.token })).status).toBe(204);
  expect(greeting(await ssh(server, key))).toEqual(REFUSED);
});

test("an open connection ends with its key, at its next command", async () => {
  const key = await aUserKey(server, ada);
  const socket = join(key.file, "..", "control");
  const options = ["-o", "ControlMaster=auto", "-o", `ControlPath=${socket}`, "-o", "ControlPersist=60"];
  expect((await ssh(server, key, "ssh_info", { options })).code).toBe(0);
  expect((await ssh(server, key, "ssh_info", { options })).code).toBe(0);
  await call(server, "DELETE", `/api/v1/user/keys/${key.id}`, { token: ada.token });
  const refused = await ssh(server, key, "ssh_info", { options });
  expect({ code: refused.code, err: refused.err }).toEqual({
    code: 1,
    err: "error:\nerror: Your key is not known any more.\nerror:\n",
  });
  await ssh(server, key, undefined, { options: ["-o", `ControlPath=${socket}`, "-O", "exit"] });
});

test("a key that only reads does", async () => {
  const repo = aRepo(server, ada.user, { name: "reading", files: { a: "a" }, isPrivate: true });
  const key = await aUserKey(server, ada, { read_only: true });
  const work = new Work(join(key.file, ".."), server, key);
  await work.ok("clone", "-q", urlOf(server, `${ada.login}/${repo.name}`), "c");
  const clone = new Work(join(work.dir, "c"), server, key);
  await clone.commit("b");
  const refused = await clone.git("push", "origin", "HEAD");
  expect(refused.err).toContain(
    `error: User: ${ada.user.id}:${ada.login} with Key: ${key.id}:${key.title} is not authorized to write to ${ada.login}/reading.`,
  );
});

test("a certificate of a trusted authority counts for the principal that was registered, while it is valid", async () => {
  const eve = await aUser(server);
  server.services.principals.add(operator, eve.user, "eve@work");
  const certified = (by = authority.file, ...more: string[]) => {
    const key = aKey();
    const made = Bun.spawnSync(["ssh-keygen", "-q", "-s", by, "-I", "id", "-n", "other,eve@work", ...more, key.file]);
    if (made.exitCode !== 0) throw new Error(made.stderr.toString());
    writeFileSync(`${key.file}.pub`, key.line);
    return { ...key, options: ["-o", `CertificateFile=${key.file}-cert.pub`] };
  };
  const come = async ({ options, ...key }: ReturnType<typeof certified>) => ssh(server, key, undefined, { options });
  const welcome = await come(certified());
  expect(welcome.err).toContain("Hi there! You've successfully authenticated with the principal eve@work,");
  expect(greeting(welcome)).toEqual(WELCOME);
  expect(greeting(await come(certified(authority.file, "-V", "-2d:-1d")))).toEqual(REFUSED);
  expect(greeting(await come(certified(aKey().file)))).toEqual(REFUSED);
  expect(greeting(await come(certified(authority.file, "-O", "force-command=true")))).toEqual(REFUSED);
  const [principal] = server.services.principals.list(operator, eve.user);
  server.services.principals.remove(operator, eve.user, principal?.id ?? 0);
  expect(greeting(await come(certified()))).toEqual(REFUSED);
});

test("the time of use is noted", async () => {
  const key = await aUserKey(server, ada);
  expect(server.services.sshKeys.get(key.id).lastUsedAt).toBeUndefined();
  await ssh(server, key);
  expect(server.services.sshKeys.get(key.id).lastUsedAt).toBeNumber();
});
