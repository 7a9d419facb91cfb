import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aToken,
  aUser,
  call,
  type Json,
  type TestServer,
} from "../../builders.ts";

/** How other servers find who is here and write to them (contract identity.md 16). */

let server: TestServer;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer({ "federation.enabled": true, "network.allow": ["loopback"] });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const host = () => new URL(server.url).host;
const finger = async (resource: string) => {
  const answer = await fetch(`${server.url}.well-known/webfinger?resource=${encodeURIComponent(resource)}`);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

/** Another server with one actor; `asked` are the heads of the requests it was sent. */
function aPeer(kind: "rsa" | "ed25519" = "rsa") {
  const make = () =>
    kind === "rsa" ? generateKeyPairSync("rsa", { modulusLength: 2048 }) : generateKeyPairSync("ed25519");
  let pair = make();
  const asked: Headers[] = [];
  const more: Record<string, unknown> = {};
  let actor = "";
  const http = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      asked.push(new Headers(request.headers));
      const publicKeyPem = pair.publicKey.export({ type: "spki", format: "pem" });
      const publicKey = { id: `${actor}#main-key`, owner: actor, publicKeyPem, ...(more["publicKey"] as object) };
      return Response.json(
        { id: actor, type: "Person", ...more, publicKey },
        { headers: { "content-type": "application/activity+json" } },
      );
    },
  });
  actor = `http://127.0.0.1:${http.port}/actors/7`;
  const post = (path: string, message: object, changes: Changes = {}) =>
    send(path, message, actor, pair.privateKey, changes);
  const renew = () => {
    pair = make();
  };
  return { actor, asked, more, post, renew, [Symbol.dispose]: () => http.stop(true) };
}

interface Changes {
  readonly sent?: object;
  readonly date?: Date;
  readonly covered?: readonly string[];
  readonly hash?: "sha256" | "sha512";
  readonly headers?: Record<string, string>;
}

function send(path: string, message: object, actor: string, key: KeyObject, changes: Changes) {
  const { sent = message, covered = ["(request-target)", "host", "date", "digest"], hash = "sha256" } = changes;
  const date = (changes.date ?? new Date()).toUTCString();
  const digest = `SHA-256=${createHash("sha256").update(JSON.stringify(message)).digest("base64")}`;
  const values: Record<string, string> = { "(request-target)": `post /api/v1${path}`, host: host(), date, digest };
  const text = covered.map((name) => `${name}: ${values[name]}`).join("\n");
  const algorithm = key.asymmetricKeyType === "ed25519" ? null : hash;
  const signature = sign(algorithm, Buffer.from(text), key).toString("base64");
  return call(server, "POST", `/api/v1${path}`, {
    body: JSON.stringify(sent),
    headers: {
      "content-type": "application/activity+json",
      date,
      digest,
      signature: `keyId="${actor}#main-key",algorithm="hs2019",headers="${covered.join(" ")}",signature="${signature}"`,
      ...changes.headers,
    },
  });
}

test("WebFinger finds people and organizations by name, address and page", async () => {
  const ada = await aUser(server, { login: "Ada-F" });
  const club = anOrganization(server, ada.user);
  const page = `${server.url}Ada-F`;
  for (const resource of [
    `acct:ada-f@${host()}`,
    `acct:ADA-F@${host().toUpperCase()}`,
    `mailto:${ada.user.email}`,
    page,
  ]) {
    const { status, headers, text } = await finger(resource);
    expect([resource, status]).toEqual([resource, 200]);
    expect([headers.get("content-type"), headers.get("access-control-allow-origin")]).toEqual([
      "application/jrd+json",
      "*",
    ]);
    const actor = `${server.url}api/v1/activitypub/user-id/${ada.user.id}`;
    expect(JSON.parse(text)).toMatchObject({
      subject: `acct:Ada-F@${host()}`,
      aliases: [page, actor, `mailto:${ada.user.email}`],
      links: expect.arrayContaining([{ rel: "self", type: "application/activity+json", href: actor }]),
    });
  }
  const organization = JSON.parse((await finger(`acct:${club.login}@${host()}`)).text);
  expect(organization.aliases).toHaveLength(2);
});

test("WebFinger tells nothing of who may not be seen, and refuses what is no address of this site", async () => {
  const [hidden, limited, secret] = [
    await aUser(server),
    await aUser(server, { visibility: "limited" }),
    await aUser(server, { visibility: "private" }),
  ];
  await api("PATCH", "/user/settings", hidden, { hide_email: true });
  expect((await finger(`acct:${hidden.login}@${host()}`)).text).not.toContain(hidden.user.email);
  const missing = [
    `mailto:${hidden.user.email}`,
    `acct:${limited.login}@${host()}`,
    `acct:${secret.login}@${host()}`,
    `mailto:${secret.user.email}`,
    `acct:no-such-one@${host()}`,
    `acct:ghost@${host()}`,
    server.url,
    `${server.url}${hidden.login}/repo`,
  ];
  const answers = await Promise.all(missing.map(finger));
  expect(answers.map(({ status }) => status)).toEqual(missing.map(() => 404));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  // Scripts of other sites hear why.
  const origins = (given: typeof answers) =>
    new Set(given.map(({ headers }) => headers.get("access-control-allow-origin")));
  expect(origins(answers)).toEqual(new Set(["*"]));
  const malformed = [
    "",
    `acct:${hidden.login}`,
    "acct:a@b@c",
    "acct:x@elsewhere.example",
    "foo:bar",
    "https://elsewhere.example/x",
    "\u0000",
  ];
  const refused = await Promise.all(malformed.map(finger));
  expect(refused.map(({ status }) => status)).toEqual(malformed.map(() => 400));
  expect(origins(refused)).toEqual(new Set(["*"]));
  expect((await fetch(`${server.url}.well-known/webfinger`)).status).toBe(400);
});

test("people, the site and repositories are actors, each with one key that stays", async () => {
  const ada = await aUser(server, { fullName: "Ada Lovelace" });
  const repo = aRepo(server, ada.user, { name: "engine" });
  const at = `/activitypub/user-id/${ada.user.id}`;
  const [first, second] = await Promise.all([api("GET", at), api("GET", at)]);
  const id = `${server.url}api/v1${at}`;
  expect(first.body).toMatchObject({
    type: "Person",
    id,
    name: "Ada Lovelace",
    preferredUsername: ada.login,
    url: `${server.url}${ada.login}`,
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    publicKey: { id: `${id}#main-key`, owner: id },
  });
  expect(first.headers.get("content-type")).toBe("application/activity+json");
  expect(second.body).toEqual(first.body);
  const pem = (first.body["publicKey"] as { publicKeyPem: string }).publicKeyPem;
  expect(createPublicKey(pem).asymmetricKeyDetails?.modulusLength).toBe(3072);
  const named = await api("GET", `/activitypub/user/${ada.login.toUpperCase()}`, undefined, undefined, {
    headers: { accept: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"' },
  });
  expect([named.body, named.headers.get("content-type")?.split(";")[0]]).toEqual([first.body, "application/ld+json"]);
  expect((await api("GET", `${at}/outbox`)).body).toMatchObject({ type: "OrderedCollection", totalItems: 0 });

  const site = await api("GET", "/activitypub/actor");
  expect(site.body).toMatchObject({
    type: "Application",
    preferredUsername: new URL(server.url).hostname,
    url: server.url,
  });
  const repoActor = await api("GET", `/activitypub/repository-id/${repo.id}`);
  expect(repoActor.body).toMatchObject({ type: "Repository", name: "engine", url: `${server.url}${ada.login}/engine` });

  const sealed = server.core.db.query<{ private_key: string }>("SELECT private_key FROM actor_keys").all();
  expect(sealed.every(({ private_key }) => private_key.startsWith("v1."))).toBe(true);
});

test("what may not be seen is no actor", async () => {
  const [ada, secret] = [await aUser(server), await aUser(server, { visibility: "private" })];
  const repo = aRepo(server, ada.user, { name: "hidden", isPrivate: true });
  const refused = async (path: string, token?: string) => {
    const { status, body } = await call(server, "GET", `/api/v1/activitypub/${path}`, { token });
    return [status, body["message"]];
  };
  for (const id of [secret.user.id, 999_999_999, "x", "-1", "9".repeat(40)])
    expect(await refused(`user-id/${id}`)).toEqual([404, `user does not exist [uid: ${id}]`]);
  expect(await refused(`user/${secret.login}`)).toEqual([404, `user does not exist [name: ${secret.login}]`]);
  for (const id of [repo.id, 999_999_999, "x"])
    expect(await refused(`repository-id/${id}`)).toEqual([404, `repository does not exist [id: ${id}]`]);
  expect((await refused(`repository-id/${repo.id}`, ada.token))[0]).toBe(200);
  expect((await refused(`user-id/${secret.user.id}`, secret.token))[0]).toBe(200);
  const narrow = aToken(server, secret.user, ["read:activitypub", "public-only"]);
  expect(await refused(`user-id/${secret.user.id}`, narrow)).toEqual([
    403,
    "token scope is limited to public activitypub",
  ]);
  const scoped = await refused("actor", aToken(server, ada.user, ["read:user"]));
  expect(scoped[0]).toBe(403);
});

test("an inbox takes what its sender signed, and asks for the sender's key as the site, signed", async () => {
  const ada = await aUser(server);
  for (const kind of ["rsa", "ed25519"] as const) {
    using peer = aPeer(kind);
    const message = { type: "Follow", actor: peer.actor, object: "x" };
    for (const inbox of [`user-id/${ada.user.id}`, `user/${ada.login}`, "actor"])
      expect((await peer.post(`/activitypub/${inbox}/inbox`, message)).status).toBe(204);
    expect((await peer.post("/activitypub/actor/inbox", message, { hash: "sha512" })).status).toBe(204);
    // Once: it is kept.
    expect(peer.asked.length).toBe(1);
    const [request] = peer.asked;
    const header = request?.get("signature") ?? "";
    const { publicKey } = (await api<{ publicKey: { id: string; publicKeyPem: string } }>("GET", "/activitypub/actor"))
      .body;
    expect(header).toContain(`keyId="${publicKey.id}"`);
    const text = `(request-target): get /actors/7\ndate: ${request?.get("date")}\nhost: ${new URL(peer.actor).host}`;
    const signature = Buffer.from(/signature="([^"]+)"$/.exec(header)?.[1] ?? "", "base64");
    expect(verify("sha256", Buffer.from(text), publicKey.publicKeyPem, signature)).toBe(true);
    // A new key is asked for when the one that is known does not fit.
    peer.renew();
    expect((await peer.post("/activitypub/actor/inbox", message)).status).toBe(204);
    expect(peer.asked.length).toBe(2);
  }
});

test("an inbox refuses what is unsigned, late, incomplete, changed on its way, or someone else's", async () => {
  const ada = await aUser(server);
  const inbox = `/activitypub/user-id/${ada.user.id}/inbox`;
  using peer = aPeer();
  const message = { type: "Follow", actor: peer.actor };
  const words = "request signature verification failed";
  const outcome = async (changes: Changes) => {
    const { status, body } = await peer.post(inbox, message, changes);
    return [status, body?.["message"]];
  };
  const unsigned = await api("POST", inbox, undefined, message);
  expect([unsigned.status, unsigned.body["message"]]).toEqual([400, words]);
  for (const away of [-90_000, 90_000])
    expect(await outcome({ date: new Date(Date.now() + away) })).toEqual([400, words]);
  for (const missing of ["(request-target)", "host", "date", "digest"]) {
    const covered = ["(request-target)", "host", "date", "digest"].filter((name) => name !== missing);
    expect(await outcome({ covered })).toEqual([400, words]);
  }
  for (const signature of ["", "x", 'keyId="', "é".repeat(20_000)])
    expect((await outcome({ headers: { signature: encodeURI(signature) } }))[0]).toBeOneOf([400, 431]);
  expect(peer.asked.length).toBe(0);
  expect(await outcome({ sent: { ...message, type: "Delete" } })).toEqual([403, words]);
  // Signed for another inbox.
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  expect((await send(inbox, message, peer.actor, privateKey, {})).status).toBe(403);
  expect((await peer.post(inbox, { ...message, actor: "https://elsewhere.example/a" })).status).toBe(403);
  expect((await peer.post(inbox, [] as object)).status).toBe(204);
  const gone = "http://127.0.0.1:9/actor";
  expect((await send(inbox, message, gone, privateKey, {})).status).toBe(400);
  // A key that says it is another's, or not the one that was named.
  for (const publicKey of [
    { owner: "http://127.0.0.1:9/x" },
    { id: "http://127.0.0.1:9/x#main-key" },
    { publicKeyPem: 5 },
  ]) {
    using other = aPeer();
    other.more["publicKey"] = publicKey;
    expect((await other.post(inbox, { type: "Follow" })).status).toBe(400);
  }
  expect((await peer.post("/activitypub/user-id/999999999/inbox", message)).status).toBe(404);
});

test("a repository takes Likes of it, each later than the one before", async () => {
  const ada = await aUser(server);
  const repo = aRepo(server, ada.user, { name: "liked" });
  const inbox = `/activitypub/repository-id/${repo.id}/inbox`;
  using peer = aPeer();
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const like = { type: "Like", actor: peer.actor, object: `${server.url}api/v1/activitypub/repository-id/${repo.id}` };
  const status = async (message: object) => (await peer.post(inbox, message)).status;
  const startTime = at(-60);
  expect(await status({ ...like, startTime })).toBe(204);
  const refused: Json[] = [
    { ...like, startTime },
    { ...like, startTime: at(-70) },
    { ...like, startTime: at(600) },
    { ...like, startTime: "yesterday" },
    { ...like },
    { ...like, startTime: at(-50), type: "Follow" },
    { ...like, startTime: at(-50), object: `${like.object}0` },
  ];
  for (const message of refused) expect([message, await status(message)]).toEqual([message, 406]);
  expect(await status({ ...like, startTime: at(-50) })).toBe(204);
});

test("what may not be called is not called", async () => {
  await using shut = await aServer({ "federation.enabled": true });
  const ada = await aUser(shut);
  using peer = aPeer();
  const before = server;
  server = shut;
  try {
    const answer = await peer.post(`/activitypub/user-id/${ada.user.id}/inbox`, { type: "Follow" });
    expect([answer.status, peer.asked.length]).toEqual([400, 0]);
  } finally {
    server = before;
  }
});

test("where federation is off none of it is there", async () => {
  await using off = await aServer();
  const ada = await aUser(off);
  const paths = [
    `/.well-known/webfinger?resource=acct:${ada.login}@${new URL(off.url).host}`,
    "/.well-known/nodeinfo",
    "/api/v1/nodeinfo",
    "/api/v1/activitypub/actor",
    `/api/v1/activitypub/user-id/${ada.user.id}`,
  ];
  for (const path of paths) expect([path, (await fetch(new URL(path, off.url))).status]).toEqual([path, 404]);
});
