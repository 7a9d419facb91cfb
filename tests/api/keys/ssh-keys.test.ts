import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type Answer,
  anApi,
  aRepo,
  aServer,
  aUser,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { Keygen } from "./keygen.ts";

/** SSH keys of accounts and repositories over REST (contract identity.md 9, repositories.md 19.1). */

let server: TestServer;
const keygen = new Keygen();
const api = anApi(() => server);
let ada: TestUser;
let ben: TestUser;
let admin: TestUser;
beforeAll(async () => {
  server = await aServer({ "repository.bin_days": 0 });
  admin = await aUser(server, { isAdmin: true });
  ada = await aUser(server);
  ben = await aUser(server);
});
afterAll(async () => {
  await server.close();
  keygen[Symbol.dispose]();
});

let titles = 0;
const title = () => `key ${++titles}`;
const add = (key: string, who = ada, more = {}) => api("POST", "/user/keys", who, { title: title(), key, ...more });
const message = (answer: Answer<Json>) => [answer.status, answer.body["message"]];

const accepted = [
  ["-t", "ed25519"],
  ["-t", "rsa", "-b", "3072"],
  ["-t", "ecdsa", "-b", "256"],
  ["-t", "ecdsa", "-b", "384"],
  ["-t", "ecdsa", "-b", "521"],
];

test.each(accepted)(
  "a key made with %s %s %s is taken under the fingerprint that ssh-keygen prints",
  async (...how) => {
    const key = keygen.key(...how.filter((each) => each !== undefined));
    const made = await add(key.line);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ key: key.line, fingerprint: key.fingerprint, key_type: "user" });
  },
);

test.each([
  ["ed25519", "RFC4716"],
  ["rsa", "RFC4716"],
  ["rsa", "PKCS8"],
  ["rsa", "PEM"],
  ["ecdsa", "PKCS8"],
])("a key of %s that ssh-keygen exports as %s is stored as one line", async (type, form) => {
  const key = keygen.key("-t", type);
  const made = await add(keygen.exported(key, form));
  expect(made.status).toBe(201);
  expect(made.body["fingerprint"]).toBe(key.fingerprint);
  expect(String(made.body["key"]).split(" ").slice(0, 2)).toEqual(key.line.split(" ").slice(0, 2));
});

describe("what is refused", () => {
  const invalid = "Invalid key content: ";
  const ed = () => keygen.key("-t", "ed25519");
  const blob = (line: string) => line.split(" ")[1] ?? "";
  const refusals: readonly (readonly [what: string, text: () => string, message: string])[] = [
    ["nothing", () => " ", `${invalid}the key could not be read`],
    ["words", () => "garbage", `${invalid}the key could not be read`],
    ["a private key", () => keygen.privatePem(ed()), `${invalid}the provided key is a private key`],
    ["an option before the key", () => `command="id" ${ed().line}`, `${invalid}the key could not be read`],
    [
      "a small RSA key",
      () => keygen.key("-t", "rsa", "-b", "2048").line,
      `${invalid}key length is not enough: got 2048, needs 3071`,
    ],
    [
      "another type than its own",
      () => `ssh-rsa ${blob(ed().line)}`,
      `${invalid}key type and content does not match: ssh-rsa - ssh-ed25519`,
    ],
    ["a key cut short", () => ed().line.slice(0, 60), `${invalid}the key could not be read`],
    ["a NUL", () => ed().line.replace("made", "\0"), `${invalid}the key could not be read`],
    ["sixty kilobytes", () => `ssh-rsa ${"A".repeat(60_000)}`, `${invalid}the key is too large`],
    [
      "DSA",
      () =>
        `ssh-dss ${Buffer.concat([Buffer.from([0, 0, 0, 7]), Buffer.from("ssh-dss"), Buffer.alloc(40)]).toString("base64")}`,
      `${invalid}key type is not allowed: dsa`,
    ],
    [
      "a point beside its curve",
      () => {
        const bytes = Buffer.from(blob(keygen.key("-t", "ecdsa").line), "base64");
        bytes.fill(1, bytes.length - 20);
        return `ecdsa-sha2-nistp256 ${bytes.toString("base64")}`;
      },
      `${invalid}the key could not be read`,
    ],
  ];
  test.each(refusals)("%s", async (_, text, refusal) => {
    expect(message(await add(text()))).toEqual([422, refusal]);
  });

  test("a certificate", async () => {
    const key = ed();
    const certificate = keygen.certificate(ed(), key, "-n", "x");
    const line = `ssh-ed25519-cert-v01@openssh.com ${certificate.toString("base64")}`;
    expect(message(await add(line))).toEqual([422, `${invalid}the provided key is a certificate`]);
  });

  test("a title that is missing, blank, long, the same or of control characters", async () => {
    const { line } = ed();
    expect(message(await api("POST", "/user/keys", ada, { key: line }))).toEqual([422, "[Title]: Required"]);
    for (const wrong of ["", " ", "x".repeat(256), "a\u0007"])
      expect((await api("POST", "/user/keys", ada, { title: wrong, key: line })).status).toBe(422);
    expect((await api("POST", "/user/keys", ada, { title: "same", key: line })).status).toBe(201);
    const again = await api("POST", "/user/keys", ada, { title: "same", key: ed().line });
    expect(message(again)).toEqual([422, "Key title has been used"]);
  });
});

test("a second line is part of the comment and never a second key", async () => {
  const [first, second] = [keygen.key("-t", "ed25519"), keygen.key("-t", "ed25519")];
  const made = await add(`${first.line}\n${second.line}`);
  expect(made.status).toBe(201);
  expect(made.body["fingerprint"]).toBe(first.fingerprint);
  const found = await api<Json[]>("GET", `/user/keys?fingerprint=${encodeURIComponent(second.fingerprint)}`, ada);
  expect(found.body).toEqual([]);
});

test("others see a key without whose it is, and only the owner or an administrator removes it", async () => {
  const key = keygen.key("-t", "ed25519");
  const made = await add(key.line);
  const path = `/user/keys/${made.body["id"]}`;
  const seen = await api("GET", path, ben);
  expect(seen.status).toBe(200);
  expect(Object.keys(seen.body)).not.toContain("user");
  expect((await api("GET", path, admin)).body["user"]).toMatchObject({ login: ada.user.login });
  expect(message(await api("DELETE", path, ben))).toEqual([403, "You do not have access to this key"]);
  expect((await api("DELETE", `/admin/users/${ben.user.login}/keys/${made.body["id"]}`, admin)).status).toBe(404);
  expect((await api("DELETE", path, admin)).status).toBe(204);
  expect((await api("GET", path, ada)).status).toBe(404);
  for (const wrong of ["0", "-1", "x", "9".repeat(30)])
    expect((await api("DELETE", `/user/keys/${wrong}`, ada)).status).toBe(404);
});

test("a list of keys is paged and counted, and a private account's is not there", async () => {
  const cay = await aUser(server);
  for (let count = 0; count < 3; count++) await add(keygen.key("-t", "ed25519").line, cay);
  const listed = await api<Json[]>("GET", `/users/${cay.user.login}/keys?limit=2&page=2`, ben);
  expect([listed.body.length, listed.headers.get("x-total-count")]).toEqual([1, "3"]);
  await api("PATCH", `/admin/users/${cay.user.login}`, admin, {
    visibility: "private",
    login_name: cay.user.login,
    source_id: 0,
  });
  expect((await api("GET", `/users/${cay.user.login}/keys`, ben)).status).toBe(404);
});

describe("deploy keys", () => {
  test("one key serves several repositories, and no account; it is free again when the last one lets it go", async () => {
    const [first, second] = [aRepo(server, ada.user), aRepo(server, ada.user)];
    const key = keygen.key("-t", "ed25519");
    const at = (name: string) => `/repos/${ada.user.login}/${name}/keys`;
    const body = { title: "ci", key: key.line, read_only: true };
    const made = await api("POST", at(first.name), ada, body);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ title: "ci", read_only: true, fingerprint: key.fingerprint });
    expect(message(await api("POST", at(first.name), ada, { ...body, title: "again" }))).toEqual([
      422,
      "This key has already been added to this repository",
    ]);
    const other = { ...body, key: keygen.key("-t", "ed25519").line };
    expect(message(await api("POST", at(first.name), ada, other))).toEqual([
      422,
      "A key with the same name already exists",
    ]);
    const twin = await api("POST", at(second.name), ada, body);
    expect(twin.body["key_id"]).toBe(made.body["key_id"] ?? null);
    expect(message(await add(key.line))).toEqual([422, "Key content has been used as non-deploy key"]);
    expect((await api("GET", `${at(second.name)}/${made.body["id"]}`, ada)).status).toBe(404);
    expect((await api("DELETE", `${at(second.name)}/${made.body["id"]}`, ada)).status).toBe(404);
    expect((await api("DELETE", `${at(second.name)}/${made.body["id"]}`, await aUser(server))).status).toBe(403);
    for (const _ of ["it goes", "and stays away"])
      expect((await api("DELETE", `${at(first.name)}/${made.body["id"]}`, ada)).status).toBe(204);
    expect((await add(key.line)).status).toBe(422);
    expect((await api("DELETE", `/repos/${ada.user.login}/${second.name}`, ada)).status).toBe(204);
    expect((await add(key.line)).status).toBe(201);
    expect(message(await api("POST", at(first.name), ada, body))).toEqual([
      422,
      "Key content has been used as non-deploy key",
    ]);
  });

  test("a deploy key opens its repository and nothing else, as far as it may", async () => {
    const [mine, other] = [aRepo(server, ada.user, { isPrivate: true }), aRepo(server, ada.user, { isPrivate: true })];
    const key = keygen.key("-t", "ed25519");
    const path = `/repos/${ada.user.login}/${mine.name}/keys`;
    await api("POST", path, ada, { title: "ci", key: key.line, read_only: false });
    const content = key.line.split(" ").slice(0, 2).join(" ");
    const { deployKeys, repos } = server.services;
    expect(deployKeys.principalOf(content, other.id)).toBeUndefined();
    const principal = deployKeys.principalOf(content, mine.id);
    if (!principal) throw new Error("the key opens nothing");
    const level = (repo: typeof mine) => repos.accessOf(principal, repo, ada.user).on("code");
    expect([level(mine), level(other)]).toEqual(["write", "none"]);
    expect(repos.accessOf(principal, mine, ada.user).on("issues")).toBe("none");
  });
});

test("an owner proves a key by a signature over the token, in the namespace and of the minute", async () => {
  const key = keygen.key("-t", "ecdsa");
  const { id } = (await add(key.line)).body;
  const { sshKeys } = server.services;
  const principal = { ...(await import("../../../src/access/principal.ts")).asAccount(ada.user) };
  const token = sshKeys.proofToken(ada.user);
  const verify = (signature: string) => sshKeys.verify(principal, ada.user, key.fingerprint, signature);
  const other = keygen.key("-t", "ed25519");
  for (const wrong of [
    "",
    "nonsense",
    keygen.sign(key, "file", token),
    keygen.sign(key, "gitea", `${token}x`),
    keygen.sign(other, "gitea", token),
    keygen.sign(key, "gitea", sshKeys.proofToken(ben.user)),
  ])
    await expect(verify(wrong)).rejects.toMatchObject({ code: "ssh-key.bad-proof" });
  expect(sshKeys.get(Number(id)).isVerified).toBe(false);
  await verify(keygen.sign(key, "gitea", `${token}\r\n`));
  expect(sshKeys.get(Number(id)).isVerified).toBe(true);
});
