import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sign } from "node:crypto";
import { anApi, aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";
import { Keygen, type MadeKey } from "./keygen.ts";
import { openSshPrivateKey } from "./openssh-private-key.ts";

/** Requests signed with keys and certificates of OpenSSH (contract identity.md 4). */

const keygen = new Keygen();
const authority = keygen.key("-t", "ed25519");
let server: TestServer;
let ada: TestUser;
const api = anApi(() => server);
beforeAll(async () => {
  server = await aServer({
    "keys.authorities": [authority.line],
    "keys.principals": ["username"],
    // Requests say where they come from.
    "proxy.trusted": ["loopback"],
  });
  ada = await aUser(server);
});
afterAll(async () => {
  await server.close();
  keygen[Symbol.dispose]();
});

let titles = 0;
async function registered(...how: string[]): Promise<MadeKey> {
  const key = keygen.key(...how);
  expect((await api("POST", "/user/keys", ada, { title: `key ${++titles}`, key: key.line })).status).toBe(201);
  return key;
}

interface How {
  readonly method?: string;
  readonly path?: string;
  readonly keyId?: string;
  readonly created?: number;
  readonly expires?: number;
  readonly covered?: string;
  readonly hash?: "sha256" | "sha512" | "sha384";
  readonly headers?: Readonly<Record<string, string>>;
}

const now = () => Math.floor(Date.now() / 1000);

/** What a client sends besides: the request as it would be signed, in the contract's words. */
function signed(key: MadeKey, how: How = {}): Record<string, string> {
  const { method = "GET", path = "/api/v1/user", keyId = key.fingerprint, headers = {} } = how;
  const { created = now(), expires = now() + 10, covered = "(request-target) (created) (expires)" } = how;
  const value = (name: string) =>
    ({
      "(request-target)": `${method.toLowerCase()} ${path}`,
      "(created)": String(created),
      "(expires)": String(expires),
      host: new URL(server.url).host,
    })[name] ?? headers[name];
  const text = covered
    .split(" ")
    .map((name) => `${name}: ${value(name)}`)
    .join("\n");
  const privateKey = openSshPrivateKey(keygen.privatePem(key));
  const hash = privateKey.asymmetricKeyType === "ed25519" ? null : (how.hash ?? "sha256");
  const bytes = sign(hash, Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  const signature = `keyId="${keyId}",algorithm="hs2019",created=${created},expires=${expires},headers="${covered}",signature="${bytes.toString("base64")}"`;
  return { ...headers, signature };
}

const whoAmI = async (headers: Record<string, string>, path = "/api/v1/user", method = "GET") => {
  const answer = await call(server, method, path, { headers });
  return answer.status === 200 ? answer.body["login"] : `${answer.status} ${answer.body?.["message"]}`;
};
const anonymous = "401 token is required";

describe("a key", () => {
  test.each([
    [["-t", "ed25519"], undefined],
    [["-t", "rsa", "-b", "3072"], "sha256"],
    [["-t", "rsa", "-b", "3072"], "sha512"],
    [["-t", "ecdsa", "-b", "256"], "sha256"],
    [["-t", "ecdsa", "-b", "384"], "sha384"],
    [["-t", "ecdsa", "-b", "521"], "sha512"],
  ] as const)("made with %p signs for its owner (%p)", async (how, hash) => {
    const key = await registered(...how);
    expect(await whoAmI(signed(key, hash ? { hash } : {}))).toBe(ada.user.login);
  });

  test("covers what is asked: method, path and query, headers, times", async () => {
    const key = await registered("-t", "ed25519");
    const query = "/api/v1/user?x=a%20b&y";
    expect(await whoAmI(signed(key, { path: query }), query)).toBe(ada.user.login);
    expect(await whoAmI(signed(key, { path: query }), "/api/v1/user?x=a%20c&y")).toBe(anonymous);
    expect(await whoAmI(signed(key, { method: "POST" }))).toBe(anonymous);
    const covered = "(request-target) (expires) host x-more";
    const more = { covered, headers: { "x-more": "one, two" } };
    expect(await whoAmI(signed(key, more))).toBe(ada.user.login);
    expect(await whoAmI({ ...signed(key, more), "x-more": "one, three" })).toBe(anonymous);
    const { "x-more": _, ...without } = signed(key, more);
    expect(await whoAmI(without)).toBe(anonymous);
  });

  test("counts within its times only, and only by what is covered", async () => {
    const key = await registered("-t", "ed25519");
    expect(await whoAmI(signed(key, { created: now() + 8 }))).toBe(ada.user.login);
    expect(await whoAmI(signed(key, { created: now() + 30 }))).toBe(anonymous);
    expect(await whoAmI(signed(key, { created: now() - 30, expires: now() - 5 }))).toBe(ada.user.login);
    expect(await whoAmI(signed(key, { created: now() - 90, expires: now() - 30 }))).toBe(anonymous);
    expect(await whoAmI(signed(key, { covered: "(created) (expires)" }))).toBe(anonymous);
    expect(await whoAmI(signed(key, { covered: "(request-target)" }))).toBe(anonymous);
    expect(await whoAmI(signed(key, { covered: "(request-target) (created)", created: now() - 400 }))).toBe(anonymous);
    const dated = (date: Date) => ({ covered: "(request-target) date", headers: { date: date.toUTCString() } });
    expect(await whoAmI(signed(key, dated(new Date())))).toBe(ada.user.login);
    expect(await whoAmI(signed(key, dated(new Date(Date.now() - 3_600_000))))).toBe(anonymous);
  });

  test("is refused when the header says something twice, is malformed, or the request claims two things", async () => {
    const key = await registered("-t", "ed25519");
    const { signature = "" } = signed(key);
    for (const wrong of [
      "nonsense",
      `${signature},created=1`,
      `${signature},`,
      signature.replace(/created=(\d+)/, 'created="$1"'),
      signature.replace(/expires=\d+/, "expires=1e9"),
      signature.replace(/signature="[^"]*"/, 'signature=""'),
      signature.replace(/headers="/, 'headers="(created) '),
      `${signature},x="${"y".repeat(9000)}"`,
    ])
      expect(await whoAmI({ signature: wrong })).toBe(anonymous);
    expect(await whoAmI({ signature, authorization: `Signature ${signature}` })).toBe(anonymous);
    expect(await whoAmI({ ...signed(keygen.key("-t", "ed25519")) })).toBe(anonymous);
    expect(await whoAmI({ ...signed(keygen.key("-t", "ed25519"), { keyId: key.fingerprint }) })).toBe(anonymous);
    expect((await call(server, "GET", "/api/v1/version", { headers: { signature: "nonsense" } })).status).toBe(200);
  });

  test("ends with the key, and does not open pages, git or the making of tokens", async () => {
    const key = await registered("-t", "ed25519");
    const tokens = `/api/v1/users/${ada.user.login}/tokens`;
    expect(await whoAmI(signed(key, { path: tokens }), tokens)).toBe("401 auth required");
    expect(
      (await call(server, "GET", "/user/settings", { headers: signed(key, { path: "/user/settings" }) })).status,
    ).toBe(303);
    const found = await api<{ id: number }[]>(
      "GET",
      `/user/keys?fingerprint=${encodeURIComponent(key.fingerprint)}`,
      ada,
    );
    await api("DELETE", `/user/keys/${found.body[0]?.id}`, ada);
    expect(await whoAmI(signed(key))).toBe(anonymous);
  });

  test("that is for reading only changes nothing", async () => {
    const key = keygen.key("-t", "ed25519");
    await api("POST", "/user/keys", ada, { title: "reader", key: key.line, read_only: true });
    expect(await whoAmI(signed(key))).toBe(ada.user.login);
    const path = "/api/v1/user/settings";
    const changed = await call(server, "PATCH", path, {
      headers: signed(key, { method: "PATCH", path }),
      body: { full_name: "x" },
    });
    expect(changed.status).toBe(403);
  });
});

describe("a body under a signature", () => {
  const body = JSON.stringify({ full_name: "Ada Lovelace" });
  const hashOf = (text: string | Uint8Array) => new Bun.CryptoHasher("sha256").update(text).digest("base64");
  const patch = async (headers: Record<string, string>, sent: string | Uint8Array = body) => {
    const all = { "content-type": "application/json", ...headers };
    const answer = await call(server, "PATCH", "/api/v1/user/settings", { headers: all, body: sent });
    return [answer.status, answer.body["full_name"] ?? answer.body["message"]];
  };
  const covering = (header: string, value: string) => ({
    method: "PATCH",
    path: "/api/v1/user/settings",
    covered: `(request-target) (created) (expires) ${header}`,
    headers: { [header]: value },
  });

  test.each([
    ["digest", (hash: string) => `SHA-256=${hash}`],
    ["digest", (hash: string) => `md5=AAAA,sha-256=${hash}`],
    ["content-digest", (hash: string) => `sha-256=:${hash}:`],
  ])("is the one whose %s was signed, or is refused", async (header, written) => {
    const key = await registered("-t", "ed25519");
    const headers = signed(key, covering(header, written(hashOf(body))));
    expect(await patch(headers)).toEqual([200, "Ada Lovelace"]);
    const words = "the body is not the one whose digest was sent";
    for (const other of ['{"full_name":"Eve"}', `${body} `, "{}"])
      expect(await patch(headers, other)).toEqual([422, words]);
    const zipped = Bun.gzipSync(body);
    const ofZipped = signed(key, covering(header, written(hashOf(zipped))));
    expect(await patch({ ...ofZipped, "content-encoding": "gzip" }, zipped)).toEqual([200, "Ada Lovelace"]);
    expect(server.services.identity.byLogin(ada.login)?.fullName).toBe("Ada Lovelace");
  });

  test("counts for nothing when its hash is sent and not signed, or of no known kind", async () => {
    const key = await registered("-t", "ed25519");
    const plain = { method: "PATCH", path: "/api/v1/user/settings" };
    expect(await patch({ ...signed(key, plain), digest: `SHA-256=${hashOf(body)}` })).toEqual([
      401,
      "token is required",
    ]);
    expect(await patch(signed(key, covering("digest", "MD5=AAAA")))).toEqual([401, "token is required"]);
    expect(await patch(signed(key, plain))).toEqual([200, "Ada Lovelace"]);
  });

  test("a request that is recorded on its way is refused from elsewhere, and may be repeated from where it came", async () => {
    const key = await registered("-t", "ed25519");
    const headers = signed(key);
    const from = (address: string) => whoAmI({ ...headers, "x-forwarded-for": address });
    expect(await from("192.0.2.1")).toBe(ada.login);
    expect(await from("192.0.2.2")).toBe(anonymous);
    expect(await from("192.0.2.1")).toBe(ada.login);
    expect(await whoAmI({ ...signed(key, { created: now() - 1 }), "x-forwarded-for": "192.0.2.2" })).toBe(ada.login);
  });
});

describe("a certificate", () => {
  const certified = (
    key: MadeKey,
    certificate: Buffer,
    covered = "(request-target) (created) (expires) x-ssh-certificate",
  ) =>
    signed(key, {
      keyId: "gitea",
      covered,
      headers: { "x-ssh-certificate": certificate.toString("base64").replace(/=+$/, "") },
    });

  test("of a trusted authority stands for whoever registered its principal", async () => {
    const { principals } = server.services;
    const { asAccount } = await import("../../../src/access/principal.ts");
    for (const type of ["ed25519", "rsa", "ecdsa"]) {
      const key = keygen.key("-t", type);
      const certificate = keygen.certificate(authority, key, "-n", `nobody,${ada.user.login}`);
      if (principals.list(asAccount(ada.user), ada.user).length === 0) {
        expect(await whoAmI(certified(key, certificate))).toBe(anonymous);
        expect(() => principals.add(asAccount(ada.user), ada.user, "root")).toThrow("principal.not-allowed");
        principals.add(asAccount(ada.user), ada.user, ada.user.login);
      }
      expect(await whoAmI(certified(key, certificate))).toBe(ada.user.login);
    }
  });

  test("does not count from another authority, for hosts, for others, outside its time, with options, or changed", async () => {
    const key = keygen.key("-t", "ed25519");
    const name = ["-n", ada.user.login];
    const wrong = [
      keygen.certificate(keygen.key("-t", "ed25519"), key, ...name),
      keygen.certificate(authority, key, "-h", ...name),
      keygen.certificate(authority, key, "-n", "someone"),
      keygen.certificate(authority, key),
      keygen.certificate(authority, key, ...name, "-V", "20200101:20210101"),
      keygen.certificate(authority, key, ...name, "-V", "+1d:+2d"),
      keygen.certificate(authority, key, ...name, "-O", "force-command=true"),
      Buffer.from("nonsense"),
    ];
    const good = keygen.certificate(authority, key, ...name);
    expect(await whoAmI(certified(key, good))).toBe(ada.user.login);
    const changed = Buffer.from(good);
    const at = changed.indexOf(ada.user.login);
    changed.write("x", at);
    for (const certificate of [...wrong, changed, good.subarray(0, 100), Buffer.concat([good, Buffer.from("x")])])
      expect(await whoAmI(certified(key, certificate))).toBe(anonymous);
    expect(await whoAmI(certified(keygen.key("-t", "ed25519"), good))).toBe(anonymous);
  });
});

test("without authorities a certificate counts for nothing", async () => {
  await using plain = await aServer();
  const user = await aUser(plain);
  const key = keygen.key("-t", "ed25519");
  const certificate = keygen.certificate(authority, key, "-n", user.user.login).toString("base64");
  const headers = signed(key, { headers: { "x-ssh-certificate": certificate } });
  expect((await call(plain, "GET", "/api/v1/user", { headers })).status).toBe(401);
});
