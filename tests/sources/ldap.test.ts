import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { anonymous, asAccount, operator } from "../../src/access/principal.ts";
import { Secret } from "../../src/secrets/secret.ts";
import type { SourceEdit } from "../../src/sources/types.ts";
import { anOrganization, aServer, aSession, aTeam, aUser, call, type TestServer } from "../builders.ts";
import { aPage } from "../web/browser-calls.ts";
import { aDirectory, aGroup, aPerson, type TestDirectory } from "./a-directory.ts";

let server: TestServer;
let directory: TestDirectory;
let sourceId = 0;
const BIND = "cn=hearth,dc=example,dc=org";

const settings = () => ({
  host: "127.0.0.1",
  port: directory.port,
  bindDn: BIND,
  userBase: "ou=people,dc=example,dc=org",
  userFilter: "(&(objectClass=person)(|(uid=%s)(mail=%s)))",
  usernameAttribute: "uid",
  firstNameAttribute: "givenName",
  surnameAttribute: "sn",
  emailAttribute: "mail",
});

beforeAll(async () => {
  directory = await aDirectory();
  directory.entries.set(BIND, { objectClass: ["device"], userPassword: ["bind-secret"] });
  server = await aServer({ "network.allow": ["loopback"] });
  await aUser(server, { login: "root", isAdmin: true });
  const source = await server.services.sources.add(operator, "ldap", {
    name: "directory",
    isSynchronized: true,
    settings: settings(),
    secret: new Secret("bind-secret"),
  });
  sourceId = source.id;
});
afterAll(async () => {
  await server.close();
  await directory.close();
});

let counter = 0;
const aName = () => `person${++counter}`;
const edit = (changes: SourceEdit) => server.services.sources.edit(operator, sourceId, changes);
const signIn = (name: string, secret: string) => call(server, "GET", "/api/v1/user", { basic: [name, secret] });
const account = (login: string) => {
  const user = server.services.identity.byLogin(login);
  if (!user) throw new Error(`there is no ${login}`);
  return user;
};
const synchronize = async () => {
  server.services.background.runSchedule(operator, "sync_external_users");
  await server.core.jobs.drain();
};

describe("a password that a directory knows", () => {
  test("signs in by page and by Basic, and makes the account the first time", async () => {
    const name = aName();
    aPerson(directory, name, { givenName: ["Ada"], sn: ["Lovelace"] });
    const visitor = aPage(server);
    const answer = await visitor.post("/user/login", { user_name: name, password: `${name}-password` });
    expect([answer.status, answer.location]).toEqual([303, "/"]);
    const made = account(name);
    expect([made.fullName, made.email, made.sourceId, made.loginName, made.hasPassword]).toEqual([
      "Ada Lovelace",
      `${name}@example.org`,
      sourceId,
      name,
      false,
    ]);
    expect((await signIn(name, `${name}-password`)).body["login"]).toBe(name);
    expect((await signIn(`${name}@example.org`, `${name}-password`)).body["login"]).toBe(name);
    expect((await signIn(name, "wrong")).status).toBe(401);
    expect(JSON.stringify(server.core.db.query("SELECT * FROM sign_in_sources").all())).not.toContain("bind-secret");
  });

  test.each(["", "*", "a*)(uid=*", "\\2a", "x)(|(uid=*", "\u0000"])(
    "is not %p, as the name or as the password",
    async (bad) => {
      const name = aName();
      aPerson(directory, name);
      const before = server.services.identity.countPeople();
      expect((await signIn(name, bad)).status).toBe(401);
      expect((await signIn(bad, `${name}-password`)).status).toBe(401);
      expect(server.services.identity.countPeople()).toBe(before);
    },
  );

  test("makes one account, however many connections bring it first", async () => {
    const name = aName();
    aPerson(directory, name);
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn(name, `${name}-password`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test("is asked for again when the minute is over, and not in between", async () => {
    const name = aName();
    const dn = aPerson(directory, name);
    await signIn(name, `${name}-password`);
    await signIn(name, `${name}-password`);
    const before = directory.binds.length;
    await signIn(name, `${name}-password`);
    expect(directory.binds.length).toBe(before);
    expect(directory.binds).toContain(dn);
  });

  test("of a local account's name opens nothing of it", async () => {
    const { login } = await aUser(server, { password: "local-password" });
    aPerson(directory, login);
    expect((await signIn(login, `${login}-password`)).status).toBe(401);
    expect((await signIn(login, "local-password")).status).toBe(200);
    // Nor does one whose address is that of an account here.
    const other = aName();
    aPerson(directory, other, { mail: [`${login}@example.org`] });
    expect((await signIn(other, `${other}-password`)).status).toBe(401);
  });

  test("is the only one: none is kept, changed, recovered or set here", async () => {
    const name = aName();
    aPerson(directory, name);
    await signIn(name, `${name}-password`);
    const { accountPasswords, identity } = server.services;
    const own = asAccount(account(name));
    const attempt = { address: "127.0.0.1" };
    expect(accountPasswords.change(own, `${name}-password`, "another-password", attempt)).rejects.toMatchObject({
      code: "account.password-elsewhere",
    });
    expect(identity.edit(operator, account(name), { password: "another-password" })).rejects.toMatchObject({
      code: "account.password-elsewhere",
    });
    expect(identity.edit(own, account(name), { login: "else" })).rejects.toMatchObject({
      code: "account.name-elsewhere",
    });
    expect(await accountPasswords.isOwn(own, `${name}-password`, attempt)).toBe(true);
    await identity.edit(operator, account(name), { mustChangePassword: true });
    expect((await signIn(name, `${name}-password`)).status).toBe(200);
  });

  test("opens no account that an administrator switched off", async () => {
    const name = aName();
    aPerson(directory, name);
    await signIn(name, `${name}-password`);
    await server.services.identity.edit(operator, account(name), { isActive: false });
    expect((await signIn(name, `${name}-password`)).status).toBe(403);
    await synchronize();
    expect(account(name).isActive).toBe(false);
  });

  test("goes with the second factor, unless the directory has asked for it", async () => {
    const name = aName();
    aPerson(directory, name);
    await signIn(name, `${name}-password`);
    server.core.db
      .query("INSERT INTO passcode_secrets (user_id, secret, created_at) VALUES (?, 'x', 0)")
      .run(account(name).id);
    expect((await signIn(name, `${name}-password`)).status).toBe(401);
    await edit({ skipsSecondFactor: true });
    expect((await signIn(name, `${name}-password`)).status).toBe(200);
    await edit({ skipsSecondFactor: false });
  });

  test("that cannot be asked for is no wrong password", async () => {
    const name = aName();
    aPerson(directory, name);
    await signIn(name, `${name}-password`);
    await edit({ settings: { port: 1 } });
    const answer = await aPage(server).post("/user/login", { user_name: name, password: "any" });
    expect([answer.status, answer.text.includes("does not answer")]).toEqual([503, true]);
    expect((await signIn("nobody-at-all", "any")).status).toBe(401);
    await edit({ settings: { port: directory.port } });
  });
});

describe("an administrator", () => {
  test("gives an account to the directory over REST, and its password here is gone", async () => {
    const { token } = await aUser(server, { isAdmin: true });
    const name = aName();
    const { login } = await aUser(server, { password: "local-password" });
    aPerson(directory, name);
    const body = { source_id: sourceId, login_name: name };
    const edited = await call(server, "PATCH", `/api/v1/admin/users/${login}`, { token, body });
    expect([edited.status, edited.body["source_id"], edited.body["login_name"]]).toEqual([200, sourceId, name]);
    expect((await signIn(login, "local-password")).status).toBe(401);
    expect((await signIn(login, `${name}-password`)).body["login"]).toBe(login);
    expect((await signIn(name, `${name}-password`)).body["login"]).toBe(login);
    // Clients that say nothing of it send 0.
    await call(server, "PATCH", `/api/v1/admin/users/${login}`, {
      token,
      body: { source_id: 0, login_name: "", full_name: "X" },
    });
    expect(account(login).sourceId).toBe(sourceId);
    const admin = aPage(
      server,
      new Map([["hearth_session", (await aSession(server, account("root"))).split("=")[1] ?? ""]]),
    );
    const edit = `/-/admin/users/${account(login).id}`;
    expect((await admin.get(`${edit}/edit`)).text).toContain(`value="${name}"`);
    expect((await admin.post(`${edit}/source`, { source: "0" })).status).toBe(303);
    expect([account(login).sourceId, account(login).loginName]).toEqual([0, ""]);
    expect(server.services.outsideAccounts.of(operator, account(login))).toEqual([]);
    expect((await signIn(login, `${name}-password`)).status).toBe(401);
    expect((await admin.post(`${edit}/source`, { source: "99" })).status).toBe(404);
    await admin.post(`${edit}/source`, { source: String(sourceId), login_name: name });
    expect((await signIn(login, `${name}-password`)).status).toBe(200);
    const unknown = await call(server, "PATCH", `/api/v1/admin/users/${login}`, { token, body: { source_id: 99 } });
    expect([unknown.status, unknown.body["message"]]).toEqual([422, "login source does not exist [id: 99]"]);
    const made = await call(server, "POST", "/api/v1/admin/users", {
      token,
      body: { username: `n-${name}`, email: `n-${name}@example.com`, source_id: sourceId, login_name: "later" },
    });
    expect([made.status, made.body["source_id"]]).toEqual([201, sourceId]);
  });
});

describe("groups and filters", () => {
  test("decide who comes in, who administers, and which teams one is in", async () => {
    const { user: owner } = await aUser(server);
    const organization = anOrganization(server, owner);
    const team = aTeam(server, organization, { name: "crew" });
    const [name, stranger] = [aName(), aName()];
    const dn = aPerson(directory, name, { title: ["captain"] });
    aPerson(directory, stranger);
    const group = aGroup(directory, "sailors", [dn]);
    await edit({
      settings: {
        usesGroups: true,
        groupBase: "ou=groups,dc=example,dc=org",
        groupFilter: "(objectClass=groupOfNames)",
        groupMemberAttribute: "member",
        adminFilter: "(title=captain)",
        restrictedFilter: "(title=guest)",
        teamMap: JSON.stringify({ [group.toUpperCase()]: { [organization.login]: ["crew"] } }),
        removesFromTeams: true,
      },
    });
    expect((await signIn(stranger, `${stranger}-password`)).status).toBe(401);
    expect((await signIn(name, `${name}-password`)).status).toBe(200);
    const isIn = () => server.services.teams.ofMember(organization, account(name)).some(({ id }) => id === team.id);
    expect([account(name).isAdmin, account(name).isRestricted, isIn()]).toEqual([true, false, true]);
    aPerson(directory, name, { title: ["guest"] });
    const other = aGroup(directory, "farmers", [dn]);
    directory.entries.delete(group);
    await synchronize();
    expect([account(name).isAdmin, account(name).isRestricted, isIn()]).toEqual([false, true, false]);
    directory.entries.delete(other);
    await edit({
      settings: { usesGroups: false, groupFilter: "", adminFilter: "", restrictedFilter: "", teamMap: "" },
    });
  });
});

describe("synchronizing", () => {
  test("makes, updates, deactivates and brings back", async () => {
    const name = aName();
    const dn = aPerson(directory, name);
    const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKVqkbFcGXHFlDaLWYfdnTT0KsFn1e6sQYjjFYCzNkRQ a@b";
    await edit({ settings: { sshKeyAttribute: "sshPublicKey", sshKeysAreVerified: true } });
    await synchronize();
    expect(account(name).fullName).toBe("Given Name");
    directory.entries.set(dn, {
      ...directory.entries.get(dn),
      sn: ["Changed"],
      mail: [`new-${name}@example.org`],
      sshPublicKey: [key, "nonsense"],
    });
    await synchronize();
    expect([account(name).fullName, account(name).email]).toEqual(["Given Changed", `new-${name}@example.org`]);
    const keys = () => server.services.sshKeys.listOf(account(name), undefined, { limit: 9, offset: 0 }).items;
    expect(keys()).toMatchObject([{ isVerified: true, sourceId }]);
    expect(() => server.services.sshKeys.remove(asAccount(account(name)), keys()[0]?.id ?? 0)).toThrow(
      "ssh-key.managed",
    );
    const kept = directory.entries.get(dn) ?? {};
    directory.entries.delete(dn);
    await synchronize();
    expect(account(name).isActive).toBe(false);
    const { sshPublicKey: _, ...without } = kept;
    directory.entries.set(dn, without);
    await synchronize();
    expect([account(name).isActive, keys()]).toEqual([true, []]);
    await edit({ settings: { sshKeyAttribute: "" } });
  });

  test("takes an empty directory for a mistake, unless told", async () => {
    const name = aName();
    aPerson(directory, name);
    await synchronize();
    await edit({ settings: { userFilter: "(&(objectClass=nothing)(uid=%s))" } });
    await synchronize();
    expect(account(name).isActive).toBe(true);
    await edit({ settings: { deactivatesAll: true } });
    await synchronize();
    expect(account(name).isActive).toBe(false);
    await edit({ settings: { deactivatesAll: false, userFilter: settings().userFilter } });
    await synchronize();
    expect(account(name).isActive).toBe(true);
  });
});

test("with simple binds everyone looks themselves up", async () => {
  const [name, tricky] = [aName(), "x,ou=people"];
  aPerson(directory, name);
  await edit({ isActive: false });
  const { bindDn: _, userBase: __, ...shared } = settings();
  const simple = await server.services.sources.add(operator, "ldap-simple", {
    name: "simple",
    settings: { ...shared, userDn: "uid=%s,ou=people,dc=example,dc=org", userFilter: "(uid=%s)" },
  });
  expect((await signIn(name, `${name}-password`)).body["login"]).toBe(name);
  expect(account(name).sourceId).toBe(simple.id);
  expect((await signIn(tricky, `${name}-password`)).status).toBe(401);
  expect((await signIn(name, "")).status).toBe(401);
  expect(() => server.services.sources.remove(operator, simple.id)).toThrow("source.in-use");
  await server.services.sources.edit(operator, simple.id, { isActive: false });
  expect((await signIn(name, "other-password")).status).toBe(401);
  await edit({ isActive: true });
});

test("only administrators manage sources, and what is wrong is refused with its field", async () => {
  const { user } = await aUser(server);
  for (const principal of [anonymous, asAccount(user)])
    expect(() => server.services.sources.list(principal)).toThrow("access.site-admin-required");
  const { sources } = server.services;
  for (const [changes, code, field] of [
    [{ name: "" }, "source.required", "name"],
    [{ name: "a/b" }, "source.bad-name", "name"],
    [{ name: "DIRECTORY" }, "source.name-taken", "name"],
    [{ settings: { host: "" } }, "source.required", "host"],
    [{ settings: { host: "a b" } }, "source.bad-value", "host"],
    [{ settings: { port: 70_000 } }, "source.bad-value", "port"],
    [{ settings: { userFilter: "(((" } }, "source.bad-filter", "userFilter"],
    [{ settings: { teamMap: "[]" } }, "source.bad-team-map", "teamMap"],
    [{ settings: { emailAttribute: "a)(b" } }, "source.bad-value", "emailAttribute"],
    [{ settings: { userBase: "x".repeat(3000) } }, "value.too-long", "userBase"],
  ] as const)
    expect(
      sources.add(operator, "ldap", {
        name: "other",
        ...changes,
        settings: { ...settings(), ...("settings" in changes ? changes.settings : {}) },
      }),
    ).rejects.toMatchObject({ code, field });
  expect(sources.list(operator).length).toBe(2);
});
