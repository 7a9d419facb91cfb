import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator } from "../../src/access/principal.ts";
import { aRepo, aServer, aUser, call, type TestServer } from "../builders.ts";
import { hearth } from "./run.ts";

// A server runs on the folder all the time: the terminal works next to it.
let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

const user = (words: string[], input?: string) => hearth(server.dataDir, ["admin", "user", ...words], input);

test("the first account need not change its password, later ones must", async () => {
  const first = await user([
    "create",
    "--username",
    "root",
    "--email",
    "root@example.org",
    "--password",
    "pass-word-1",
    "--admin",
  ]);
  expect([first.code, first.out, first.err]).toEqual([0, "New user 'root' has been successfully created!\n", ""]);
  const me = await call(server, "GET", "/api/v1/user", { basic: ["root", "pass-word-1"] });
  expect([me.status, me.body["is_admin"]]).toEqual([200, true]);
  // From standard input, so that it is in no list of processes.
  const second = await user(["create", "-u", "ada", "-e", "ada@example.org", "--password-file", "-"], "pass-word-2\n");
  expect([second.code, second.err]).toEqual([0, ""]);
  const refused = await call(server, "GET", "/api/v1/user", { basic: ["ada", "pass-word-2"] });
  expect([refused.status, refused.body["message"]]).toEqual([
    403,
    expect.stringContaining("You must change your password"),
  ]);
  const released = await user(["must-change-password", "ada", "--unset"]);
  expect(released.out).toBe("Updated 1 users setting MustChangePassword to false\n");
  expect((await call(server, "GET", "/api/v1/user", { basic: ["ada", "pass-word-2"] })).status).toBe(200);
});

test("a bot has no password and acts by its token", async () => {
  const made = await user([
    "create",
    "--user-type",
    "bot",
    "--username",
    "ci",
    "--email",
    "ci@example.org",
    "--access-token",
  ]);
  expect(made.code).toBe(0);
  const token = /Access token was successfully created\.\.\. ([0-9a-f]{40})\n/.exec(made.out)?.[1];
  expect(made.out).toEndWith("New user 'ci' has been successfully created!\n");
  expect((await call(server, "GET", "/api/v1/user", { token })).body["login"]).toBe("ci");
  expect((await call(server, "GET", "/api/v1/user", { basic: ["ci", ""] })).status).toBe(401);
  expect((await call(server, "GET", "/api/v1/user", { basic: ["ci", "anything"] })).status).toBe(401);
});

for (const [words, message] of [
  ["--user-type robot --password long-enough", "invalid user type: robot"],
  ["--user-type bot --password long-enough", "password can only be set for individual users"],
  ["--user-type bot --random-password", "password can only be set for individual users"],
  ["--user-type bot --must-change-password", "must-change-password flag can only be set for individual users"],
  ["--password long-enough --random-password", "cannot set both -random-password and -password flags"],
  ["", "must set either password or random-password flag"],
  [
    "--password long-enough --access-token-name x",
    "access-token-name and access-token-scopes flags are only valid when access-token flag is set",
  ],
  [
    "--password long-enough --access-token --access-token-scopes nope",
    "invalid access token scope provided: invalid access token scope: nope",
  ],
  ["--password short", "Password must be at least 8 characters long."],
  ["--password long-enough --name other", "cannot set both --name and --username flags"],
  ["--password long-enough --nonsense", "Unknown option `--nonsense`"],
] as const) {
  test(`create ${words} is refused`, async () => {
    const refused = await user([
      "create",
      "-u",
      "nobody",
      "-e",
      "nobody@example.org",
      ...words.split(" ").filter(Boolean),
    ]);
    expect([refused.code, refused.out, refused.err]).toEqual([1, "", `Command error: ${message}\n`]);
    expect(server.services.identity.byLogin("nobody")).toBeUndefined();
  });
}

test("a random password is printed and works, a value may begin with a dash", async () => {
  const made = await user([
    "create",
    "-u",
    "eve",
    "-e",
    "eve@example.org",
    "--random-password",
    "--random-password-length=20",
    "--must-change-password=false",
  ]);
  const password = /^generated random password is '([A-Za-z0-9]{20})'\n/.exec(made.out)?.[1] ?? "";
  expect((await call(server, "GET", "/api/v1/user", { basic: ["eve", password] })).status).toBe(200);
  const changed = await user(["change-password", "-u", "eve", "-p", "-dashed-word", "--must-change-password=false"]);
  expect([changed.code, changed.err]).toEqual([0, ""]);
  expect((await call(server, "GET", "/api/v1/user", { basic: ["eve", password] })).status).toBe(401);
  expect((await call(server, "GET", "/api/v1/user", { basic: ["eve", "-dashed-word"] })).status).toBe(200);
});

test("accounts are listed, with administrators alone on demand", async () => {
  const { user: boss } = await aUser(server, { login: "boss", isAdmin: true });
  const { user: plain } = await aUser(server, { login: "plain" });
  const all = (await user(["list"])).out.split("\n");
  expect(all[0]?.split(/ +/)).toEqual(["ID", "Username", "Email", "IsActive", "IsAdmin", "2FA"]);
  const rowOf = (lines: string[], login: string) => lines.find((line) => line.split(/ +/)[1] === login)?.split(/ +/);
  expect(rowOf(all, "plain")).toEqual([String(plain.id), "plain", "plain@example.org", "true", "false", "false"]);
  const admins = (await user(["list", "--admin"])).out.split("\n");
  expect([rowOf(admins, "plain"), rowOf(admins, "boss")?.[0]]).toEqual([undefined, String(boss.id)]);
});

test("a token is generated raw or in words, and a name only once", async () => {
  await aUser(server, { login: "tok" });
  const raw = await user([
    "generate-access-token",
    "-u",
    "tok",
    "-t",
    "one",
    "--raw",
    "--scopes",
    "read:user,read:issue",
  ]);
  expect(raw.out).toMatch(/^[0-9a-f]{40}\n$/);
  expect((await call(server, "GET", "/api/v1/token", { token: raw.out.trim() })).body["scopes"]).toEqual([
    "read:issue",
    "read:user",
  ]);
  const again = await user(["generate-access-token", "-u", "tok", "-t", "one"]);
  expect([again.code, again.err]).toEqual([1, "Command error: access token name has been used already\n"]);
  const unknown = await user(["generate-access-token", "-u", "nosuch"]);
  expect([unknown.code, unknown.err]).toEqual([1, "Command error: user does not exist [uid: 0, name: nosuch]\n"]);
});

test("an owner of repositories goes only with them, and only one account is meant", async () => {
  const { user: dora } = await aUser(server, { login: "dora" });
  const repo = aRepo(server, dora, { files: { "a.txt": "a" } });
  const other = await user(["delete", "-u", "dora", "--id", "999999"]);
  expect([other.code, other.err]).toEqual([1, "Command error: user does not exist [uid: 999999]\n"]);
  const kept = await user(["delete", "-u", "dora"]);
  expect([kept.code, kept.err]).toEqual([
    1,
    `Command error: user still has ownership of repositories [uid: ${dora.id}]\n`,
  ]);
  const gone = await user(["delete", "-u", "dora", "-e", "DORA@example.org", "--purge"]);
  expect([gone.code, gone.err]).toEqual([0, ""]);
  expect(server.services.repos.seeById(operator, repo.id)).toBeUndefined();
  expect((await call(server, "GET", "/api/v1/users/dora")).status).toBe(404);
});

test("a folder without a Hearth is not made into one", async () => {
  const nowhere = join(tmpdir(), `hearth-none-${process.pid}`);
  const refused = await hearth(nowhere, ["admin", "user", "list"]);
  expect(refused.code).toBe(1);
  expect(refused.err).toStartWith(`Command error: there is no Hearth in ${nowhere}`);
  expect((await hearth(nowhere, ["admin", "user"])).err).toContain("admin user create");
});

test("a password file is read to its first line, and one that cannot be read is an error", async () => {
  const file = join(server.dataDir, "word");
  writeFileSync(file, "pass-from-file\r\nand more\n");
  chmodSync(file, 0o600);
  await aUser(server, { login: "filer", password: "old-pass-word" });
  const words = ["change-password", "-u", "filer", "--must-change-password=false", "--password-file"];
  expect((await user([...words, file])).code).toBe(0);
  expect((await call(server, "GET", "/api/v1/user", { basic: ["filer", "pass-from-file"] })).status).toBe(200);
  expect((await user([...words, `${file}.none`])).err).toBe(
    `Command error: --password-file: cannot read ${file}.none\n`,
  );
});

test("a new signing key is made where the server signs; other forges' files have nothing to be made again", async () => {
  await using server = await aServer({ "signing.format": "openpgp" });
  const regenerate = (...words: string[]) => hearth(server.dataDir, ["admin", "regenerate", ...words]);
  const made = await regenerate("signing-key", "--set", "signing.format=openpgp");
  expect([made.code, made.out]).toEqual([
    0,
    expect.stringMatching(/^The server signs with the key [0-9A-F]{16} from now on/),
  ]);
  const id = /[0-9A-F]{16}/.exec(made.out)?.[0] ?? "";
  expect(server.services.signing.keysNamed([id]).length).toBe(1);
  expect(await regenerate("signing-key")).toMatchObject({
    code: 1,
    err: expect.stringContaining("set signing.format"),
  });
  expect(await regenerate("hooks")).toMatchObject({ code: 0, err: "" });
  expect((await regenerate("everything")).code).not.toBe(0);
});
