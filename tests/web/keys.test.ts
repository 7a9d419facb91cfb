import { afterAll, beforeAll, expect, test } from "bun:test";
import { Gnupg } from "../api/keys/gnupg.ts";
import { Keygen } from "../api/keys/keygen.ts";
import { aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";

/** The pages of keys (contract web.md 1.4, 1.10), without JavaScript. */

let server: TestServer;
let ada: TestUser;
let cookie: string;
const keygen = new Keygen();
const gnupg = new Gnupg();
beforeAll(async () => {
  server = await aServer({ "keys.authorities": [keygen.key("-t", "ed25519").line], "keys.principals": ["username"] });
  ada = await aUser(server);
  cookie = await aSession(server, ada.user);
});
afterAll(async () => {
  await server.close();
  keygen[Symbol.dispose]();
  gnupg[Symbol.dispose]();
});

const PAGE = "/user/settings/keys";
const page = async (path = PAGE) => (await call(server, "GET", path, { cookie })).text;
const send = (path: string, fields: Record<string, string>) =>
  call(server, "POST", path, {
    cookie,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
const tokenOn = (html: string) => /echo -n ([0-9a-f]{64})/.exec(html)?.[1] ?? "";
const idOf = (html: string, type: string) =>
  new RegExp(`name="type" value="${type}"/><input type="hidden" name="id" value="(\\d+)"`).exec(html)?.[1] ?? "";

test("an SSH key is added, proven, exported and deleted", async () => {
  const key = keygen.key("-t", "ed25519");
  expect((await send(PAGE, { type: "ssh", title: "laptop <b>", content: key.line })).status).toBe(303);
  const html = await page();
  expect(html).toContain(key.fingerprint);
  expect(html).toContain("laptop &lt;b&gt;");
  const proof = { type: "verify_ssh", fingerprint: key.fingerprint };
  const wrong = await send(PAGE, { ...proof, signature: keygen.sign(key, "gitea", "something else") });
  expect([wrong.status, wrong.text.includes("does not fit")]).toEqual([422, true]);
  expect((await send(PAGE, { ...proof, signature: keygen.sign(key, "gitea", tokenOn(html)) })).status).toBe(303);
  expect(await page()).not.toContain("verify_ssh");
  const lines = await call(server, "GET", `/${ada.user.login}.keys`);
  expect([lines.status, lines.text]).toEqual([200, `${key.line.split(" ").slice(0, 2).join(" ")}\n`]);
  expect(lines.headers.get("content-type")).toStartWith("text/plain");
  expect((await send(`${PAGE}/delete`, { type: "ssh", id: idOf(await page(), "ssh") })).status).toBe(303);
  expect((await call(server, "GET", `/${ada.user.login}.keys`)).text).toBe("");
});

test("what is refused is said in words beside what was typed", async () => {
  const refused = await send(PAGE, { type: "ssh", title: "mine", content: "garbage & more" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("could not be read as a public key");
  expect(refused.text).toContain("garbage &amp; more");
  expect((await send(PAGE, { type: "nonsense" })).status).toBe(404);
  expect((await send(`${PAGE}/delete`, { type: "ssh", id: "999999" })).status).toBe(404);
});

test("a GPG key is added, proven, exported and deleted", async () => {
  const key = gnupg.key(`Ada <${ada.user.email}>`);
  expect((await call(server, "GET", `/${ada.user.login}.gpg`)).text).toBe(
    "-----BEGIN PGP PUBLIC KEY BLOCK-----\nNote: This user hasn't uploaded any GPG keys.\n\n\n=twTO\n-----END PGP PUBLIC KEY BLOCK-----\n",
  );
  expect((await send(PAGE, { type: "gpg", content: gnupg.armored(key) })).status).toBe(303);
  const html = await page();
  expect(html).toContain(key.slice(-16));
  const signature = gnupg.sign(key, tokenOn(html));
  expect((await send(PAGE, { type: "verify_gpg", key_id: key.slice(-16), signature })).status).toBe(303);
  expect(await page()).not.toContain("verify_gpg");
  const exported = (await call(server, "GET", `/${ada.user.login}.gpg`)).text;
  using other = new Gnupg();
  expect(other.import(exported)).toContain(key);
  expect((await send(`${PAGE}/delete`, { type: "gpg", id: idOf(await page(), "gpg") })).status).toBe(303);
  expect(await page()).not.toContain(key.slice(-16));
});

test("principals are offered where the site has authorities", async () => {
  expect((await send(PAGE, { type: "principal", content: "someone-else" })).status).toBe(422);
  expect((await send(PAGE, { type: "principal", content: ada.user.login })).status).toBe(303);
  const html = await page();
  expect((await send(`${PAGE}/delete`, { type: "principal", id: idOf(html, "principal") })).status).toBe(303);
});

test("a repository's deploy keys are added for reading or writing, and deleted", async () => {
  const repo = aRepo(server, ada.user, { isPrivate: true });
  const path = `/${ada.user.login}/${repo.name}/settings/keys`;
  const [reader, writer] = [keygen.key("-t", "ed25519"), keygen.key("-t", "ed25519")];
  expect((await send(path, { title: "reader", content: reader.line })).status).toBe(303);
  expect((await send(path, { title: "writer", content: writer.line, is_writable: "on" })).status).toBe(303);
  expect((await send(path, { title: "writer", content: reader.line })).status).toBe(422);
  const { items } = server.services.deployKeys.list(
    server.services.repos.see(
      (await import("../../src/access/principal.ts")).asAccount(ada.user),
      ada.user.login,
      repo.name,
      () => "",
    ),
    {},
    { limit: 10, offset: 0 },
  );
  expect(items.map(({ title, isReadOnly }) => [title, isReadOnly])).toEqual([
    ["reader", true],
    ["writer", false],
  ]);
  const html = await page(path);
  expect(html).toContain(reader.fingerprint);
  expect((await send(`${path}/delete`, { id: String(items[0]?.id) })).status).toBe(303);
  expect(await page(path)).not.toContain(reader.fingerprint);
  const ben = await aUser(server);
  const other = await aSession(server, ben.user);
  expect((await call(server, "GET", path, { cookie: other })).status).toBe(404);
});
