import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, anApi, aServer, aUser, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { Gnupg } from "./gnupg.ts";

/** OpenPGP keys of accounts over REST, made by GnuPG (contract identity.md 10). */

let server: TestServer;
const gnupg = new Gnupg();
const api = anApi(() => server);
let ada: TestUser;
let ben: TestUser;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server);
  ben = await aUser(server);
});
afterAll(async () => {
  await server.close();
  gnupg[Symbol.dispose]();
});

const message = (answer: Answer<Json>) => [answer.status, answer.body["message"]];
const add = (armored: string, who = ada, signature?: string) =>
  api("POST", "/user/gpg_keys", who, {
    armored_public_key: armored,
    ...(signature === undefined ? {} : { armored_signature: signature }),
  });
const token = async (who: TestUser) => (await api("GET", "/user/gpg_key_token", who)).text;

test.each(["ed25519", "rsa3072"])("a key of %s with subkeys is stored with what each may do", async (algorithm) => {
  const key = gnupg.key(`Ada ${algorithm} <${ada.user.email}>`, { algorithm });
  const signing = gnupg.subkey(key, algorithm, "sign");
  const encrypting = gnupg.subkey(key, algorithm === "ed25519" ? "cv25519" : algorithm, "encr");
  const made = await add(gnupg.armored(key));
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    key_id: key.slice(-16),
    primary_key_id: "",
    emails: [{ email: ada.user.email, verified: true }],
    can_sign: true,
    can_encrypt_comms: false,
    verified: false,
    subkeys: [
      { key_id: signing.slice(-16), primary_key_id: key.slice(-16), can_sign: true, can_encrypt_comms: false },
      { key_id: encrypting.slice(-16), can_sign: false, can_encrypt_comms: true, can_encrypt_storage: true },
    ],
  });
  const listed = await api<Json[]>("GET", `/users/${ada.user.login}/gpg_keys`, ben);
  expect(listed.body.map((each) => each["key_id"])).toContain(key.slice(-16));
  expect((await api("GET", `/user/gpg_keys/${made.body["id"]}`, ben)).status).toBe(404);
  expect((await api("DELETE", `/user/gpg_keys/${made.body["id"]}`, ben)).status).toBe(204);
  expect((await api("GET", `/user/gpg_keys/${made.body["id"]}`, ada)).status).toBe(200);
});

test("identities that are another's, revoked, or of an expired key need a signature over the token", async () => {
  const other = gnupg.key("Nobody <nobody@example.org>");
  const refused = await add(gnupg.armored(other));
  expect(refused.status).toBe(404);
  expect(refused.body["message"]).toMatch(/^None of the emails .* for the token: [0-9a-f]{64}$/);

  const revoked = gnupg.key(`Ada revoked <${ada.user.email}>`);
  gnupg.gpg("--quick-add-uid", revoked, "Other <other@example.org>");
  gnupg.gpg("--quick-revoke-uid", revoked, `Ada revoked <${ada.user.email}>`);
  expect((await add(gnupg.armored(revoked))).status).toBe(404);

  for (const wrong of ["nonsense", gnupg.sign(other, "something else"), gnupg.sign(other, await token(ben))])
    expect((await add(gnupg.armored(other), ada, wrong)).status).toBe(422);
  const made = await add(gnupg.armored(other), ada, gnupg.sign(other, `${await token(ada)}\n`));
  expect([made.status, made.body["verified"], made.body["emails"]]).toEqual([201, true, []]);
});

test("the same id is refused, from whomever, and a block is added as a whole or not at all", async () => {
  const [first, second] = [gnupg.key(`Ada one <${ada.user.email}>`), gnupg.key(`Ada two <${ada.user.email}>`)];
  expect((await add(gnupg.armored(first))).status).toBe(201);
  for (const who of [ada, ben])
    expect(message(await add(gnupg.armored(first), who))).toEqual([422, "A key with the same id already exists"]);
  expect((await add(gnupg.armored(first, second))).status).toBe(422);
  const listed = await api<Json[]>("GET", "/user/gpg_keys?limit=50", ada);
  expect(listed.body.map((each) => each["key_id"])).not.toContain(second.slice(-16));
  const third = gnupg.key(`Ada three <${ada.user.email}>`);
  expect((await add(gnupg.armored(second, third))).status).toBe(201);
});

test("a key is verified later, under any spelling of its id, and by its owner only", async () => {
  const key = gnupg.key(`Ada later <${ada.user.email}>`);
  await add(gnupg.armored(key));
  const id = key.slice(-16);
  const verify = async (keyId: string, who: TestUser, text?: string) =>
    api("POST", "/user/gpg_key_verify", who, {
      key_id: keyId,
      armored_signature: gnupg.sign(key, text ?? (await token(who))),
    });
  expect((await verify(id, ada, "something else")).status).toBe(422);
  expect((await verify(id, ben)).status).toBe(404);
  expect((await verify("00", ada)).status).toBe(404);
  expect((await api("POST", "/user/gpg_key_verify", ada, {})).body["message"]).toBe("[KeyID]: Required");
  const verified = await verify(`0x${id.toLowerCase()}`, ada);
  expect([verified.status, verified.body["verified"]]).toEqual([200, true]);
});

describe("what is no key is refused and harms nothing", () => {
  const hostile: readonly (readonly [what: string, text: () => string])[] = [
    ["words", () => "garbage"],
    [
      "a private key",
      () => gnupg.gpg("--pinentry-mode", "loopback", "--armor", "--export-secret-keys", gnupg.key("X <x@example.org>")),
    ],
    ["an empty block", () => "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n=twTO\n-----END PGP PUBLIC KEY BLOCK-----"],
    ["half a key", () => gnupg.armored(gnupg.key(`Half <${ada.user.email}>`)).slice(0, 200)],
    ["three hundred kilobytes", () => `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${"A".repeat(300_000)}\n`],
    ["a signature", () => gnupg.sign(gnupg.key("Y <y@example.org>"), "text")],
  ];
  test.each(hostile)("%s", async (_, text) => {
    const refused = await add(text());
    expect(refused.status).toBe(422);
    expect(refused.body["message"]).toStartWith("failed to parse gpg key ");
  });
  test("nothing", async () => {
    expect(message(await add(""))).toEqual([422, "[ArmoredKey]: Required"]);
    expect((await api("POST", "/user/gpg_keys", ada, { armored_public_key: 7 })).status).toBe(422);
  });
  test("keys with bytes changed at random", async () => {
    const good = gnupg.armored(gnupg.key(`Changed <${ada.user.email}>`));
    const [head = "", ...lines] = good.split("\n\n");
    for (let seed = 1; seed <= 30; seed++) {
      const at = (seed * 7919) % (lines.join("\n\n").length - 80);
      const body = lines.join("\n\n");
      const answer = await add(`${head}\n\n${body.slice(0, at)}${seed % 2 ? "A" : "z9"}${body.slice(at + 1)}`);
      expect([201, 404, 422]).toContain(answer.status);
    }
  });
});
