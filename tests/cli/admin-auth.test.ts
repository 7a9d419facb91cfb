import { afterAll, beforeAll, expect, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import { aServer, aUser, type TestServer } from "../builders.ts";
import { hearth } from "./run.ts";

// A server runs on the folder all the time: the terminal works next to it.
let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

const auth = (words: string[], input?: string) => hearth(server.dataDir, ["admin", "auth", ...words], input);
const sources = () => server.services.sources.list(operator);
const provider =
  "--provider openidConnect --key id --auto-discover-url https://id.example.org/.well-known/openid-configuration";

test("sources are added, listed, changed and deleted", async () => {
  expect((await auth(["list"])).out).toBe("ID\tName\tType\tEnabled\n");
  const added = await auth(
    ["add-oauth", "--name", "Home ID", ...provider.split(" "), "--secret-file", "-"],
    "s3cret\n",
  );
  expect([added.code, added.err, added.out]).toEqual([0, "", "The source 'Home ID' was added (ID 1).\n"]);
  const [source] = sources();
  expect(source && server.services.sources.secretOf(source)?.reveal()).toBe("s3cret");
  const ldap = await auth([
    ..."add-ldap --name dir --security-protocol StartTLS --host ldap.example.org --port 636 --bind-dn cn=x".split(" "),
    ..."--bind-password b --user-search-base dc=x --email-attribute mail --synchronize-users --page-size 50".split(" "),
    "--user-filter",
    "(&(objectClass=person)(uid=%s))",
    ..."--not-active --enable-groups --group-search-base-dn dc=g --group-member-attribute member".split(" "),
    "--skip-local-2fa",
  ]);
  expect([ldap.code, ldap.err]).toEqual([0, ""]);
  expect(sources()[1]).toMatchObject({
    kind: "ldap",
    isActive: false,
    isSynchronized: true,
    skipsSecondFactor: true,
    settings: {
      security: "starttls",
      port: 636,
      pageSize: 50,
      usesGroups: true,
      userFilter: "(&(objectClass=person)(uid=%s))",
    },
  });
  const simple =
    "add-ldap-simple --name easy --host h --user-dn uid=%s,dc=x --user-filter (uid=%s) --email-attribute mail";
  expect((await auth(simple.split(" "))).code).toBe(0);
  expect(
    (await auth(["update-ldap", "--id", "2", "--active", "--disable-synchronize-users", "--host", "other"])).code,
  ).toBe(0);
  expect(sources()[1]).toMatchObject({ isActive: true, isSynchronized: false, settings: { host: "other", port: 636 } });
  expect((await auth(["list", "--pad-char", " ", "--padding", "2", "--vertical-bars"])).out.split("\n")).toEqual([
    "ID  |Name     |Type                |Enabled",
    "1   |Home ID  |OAuth2              |true",
    "2   |dir      |LDAP (via BindDN)   |true",
    "3   |easy     |LDAP (simple auth)  |true",
    "",
  ]);
  expect((await auth(["delete", "--id", "3"])).out).toBe("The source 'easy' was deleted.\n");
  await aUser(server, { sourceId: 1, loginName: "x" });
  const used = await auth(["delete", "--id", "1"]);
  expect([used.code, used.err]).toEqual([1, "Command error: the source is used by accounts; it can be deactivated\n"]);
});

for (const [words, message] of [
  [`add-oauth ${provider}`, "--name is required"],
  ["add-oauth --name x --key y", "--auto-discover-url: this is required"],
  ["add-oauth --name x --key y --provider pigeon", "--provider: there is no such provider"],
  [
    `add-oauth --name x ${provider} --group-team-map {`,
    '--group-team-map: must be JSON such as {"group": {"organization": ["team"]}}',
  ],
  ["add-ldap --name x --host h --port many", "--port must be a number"],
  [
    "add-ldap --name x --host h --user-search-base dc=x --user-filter ((( --email-attribute mail",
    "--user-filter: is not a filter as RFC 4515 has it",
  ],
  ["add-ldap-simple --name x --host h --bind-dn y", "Unknown option `--bindDn`"],
  ["update-ldap --id 1", "the source 1 is of another type"],
  ["update-oauth --id 99", "there is no such authentication source"],
  ["update-oauth", "--id is required"],
  ["delete --id x", "--id must be a number"],
] as const)
  test(`${words} is refused`, async () => {
    const before = sources().length;
    const ran = await auth(words.split(" "));
    expect([ran.code, ran.err]).toEqual([1, `Command error: ${message}\n`]);
    expect(sources().length).toBe(before);
  });
