import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aChromium } from "../web/chromium.ts";
import { aDesk, type Desk } from "./desk.ts";

/** Passkeys in a real browser, with a virtual authenticator. */

const password = "correct horse battery";
let server: TestServer;
let root: string;
let browser: Browser;
beforeAll(async () => {
  // Passkeys are bound to a host name: an address is none.
  server = await aServer({ root_url: "http://localhost:{port}/" });
  root = server.services.links.rootUrl.replace(/\/$/, "");
  browser = await aChromium();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

async function signIn({ page }: Desk, user: TestUser): Promise<void> {
  await page.goto(`${root}/user/login`);
  await page.fill("input[name=user_name]", user.login);
  await page.fill("input[name=password]", password);
  await page.click("form#sign-in button[type=submit]");
}

async function addPasskey({ page }: Desk, name: string): Promise<string[]> {
  await page.goto(`${root}/user/settings/security`);
  await page.fill("input[name=name]", name);
  await page.click("[data-passkey-registration] button[type=submit]");
  await page.locator(".list strong", { hasText: name }).waitFor();
  return page.locator(".recovery-codes li").allTextContents();
}

/** Signed in, with a passkey and its recovery codes, in one browser. */
async function aHolder() {
  const user = await aUser(server, { password });
  const desk = await aDesk(browser);
  await signIn(desk, user);
  await desk.page.waitForURL(`${root}/`);
  const codes = await addPasskey(desk, "laptop");
  return { user, desk, codes };
}

const basic = (user: TestUser) => call(server, "GET", "/api/v1/user", { basic: [user.login, password] });
const isIn = async ({ page }: Desk) =>
  (await page.request.get(`${root}/user/settings`, { maxRedirects: 0 })).status() === 200;

test("a passkey is added, named, asked for after the password, and signs in alone", async () => {
  const { user, desk, codes } = await aHolder();
  const { page, context } = desk;
  expect(codes.length).toBe(8);
  await page.reload();
  expect(await page.locator(".recovery-codes").count()).toBe(0);
  const refused = await basic(user);
  expect([refused.status, refused.body["message"]]).toEqual([
    401,
    "basic authorization is not allowed while WebAuthn enrolled",
  ]);
  expect((await call(server, "GET", "/api/v1/user", user)).status).toBe(200);

  await context.clearCookies();
  await signIn(desk, user);
  await page.waitForURL(`${root}/user/webauthn`);
  expect(await isIn(desk)).toBe(false);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL(`${root}/`);
  expect(await isIn(desk)).toBe(true);

  // Alone, by keyboard, and back to where one was going.
  await context.clearCookies();
  await page.goto(`${root}/user/settings/account`);
  await page.waitForURL(/\/user\/login/);
  const button = page.getByRole("button", { name: "Sign in with a passkey" });
  await button.waitFor();
  for (let presses = 0; presses < 15; presses++) {
    await page.keyboard.press("Tab");
    if (await button.evaluate((element) => element === document.activeElement)) break;
  }
  await page.keyboard.press("Enter");
  await page.waitForURL(`${root}/user/settings/account`);
  expect(desk.problems).toEqual([]);
  await context.close();
});

test("a recovery code stands in for a lost passkey, which is removed with the password", async () => {
  const { user, desk, codes } = await aHolder();
  const { page, context } = desk;
  await context.clearCookies();
  await signIn(desk, user);
  await page.getByRole("link", { name: "Use a recovery code" }).click();
  await page.fill("input[name=token]", codes[0] ?? "");
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByText("You used a recovery code. 7 are left.").waitFor();
  const remove = async (typed: string) => {
    await page.getByRole("button", { name: "Remove", exact: true }).first().click();
    await page.locator("dialog[open] input[name=password]").fill(typed);
    await page.locator("dialog[open] button[type=submit]").click();
  };
  await remove("wrong");
  await page.getByText("password is not right").waitFor();
  await remove(password);
  await page.getByText("The passkey was removed.").waitFor();
  expect((await basic(user)).status).toBe(200);
  await context.close();
});

test("a counter that goes back is refused, recorded and shown", async () => {
  const { user, desk } = await aHolder();
  const { page, cdp, authenticator, context } = desk;
  const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: authenticator });
  const [credential] = credentials;
  if (!credential) throw new Error("the authenticator has no key");
  server.core.db.query("UPDATE passkeys SET counter = 1000 WHERE user_id = ?").run(user.user.id);
  await context.clearCookies();
  await page.goto(`${root}/user/login`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("as if someone had a copy of it").first().waitFor();
  expect(await isIn(desk)).toBe(false);
  const recorded = server.core.db
    .query<{ action: string }>("SELECT action FROM audit_entries WHERE account_id = ? ORDER BY id DESC LIMIT 1")
    .get(user.user.id);
  expect(recorded?.action).toBe("passkey-cloned");
  await context.close();
});

test("answers of another site, for another purpose, a second time or of another person are refused", async () => {
  const { user, desk } = await aHolder();
  const { page, context } = desk;
  await context.clearCookies();
  await page.goto(`${root}/user/login`);
  // The browser's own answer, taken on its way.
  const taken = page.waitForRequest((request) => request.url().includes("/passkey/login"));
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  const answer = (await taken).postDataJSON();
  await page.waitForURL(`${root}/`);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(server, "POST", path, { headers: { "sec-fetch-site": "same-origin", ...headers }, body });
  const login = "/user/webauthn/passkey/login";
  const again = await post(login, answer);
  expect([again.status, again.body["message"]]).toEqual([422, "The passkey was not accepted. Try again."]);
  expect((await post("/user/webauthn/assertion", answer)).status).toBe(401);
  expect((await post(login, answer, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  const other = await aUser(server);
  const handle = Buffer.alloc(8);
  handle.writeBigUInt64BE(BigInt(other.user.id));
  for (const change of [
    { id: "AAAA", rawId: "AAAA" },
    { type: "password" },
    { response: { ...answer.response, userHandle: handle.toString("base64url") } },
    { response: { ...answer.response, signature: "AAAA" } },
    { response: { ...answer.response, clientDataJSON: "bm8" } },
    { response: {} },
    { response: "x".repeat(100_000) },
  ]) {
    const reply = await post(login, { ...answer, ...change });
    expect([413, 422]).toContain(reply.status);
    expect(reply.headers.getSetCookie()).toEqual([]);
  }
  expect((await post(login, [])).status).toBe(422);
  expect(server.errors).toEqual([]);
  expect(user.login).toBeTruthy();
  await context.close();
});

test("an address instead of a host name takes no passkeys, and says so", async () => {
  await using plain = await aServer();
  expect(plain.services.passkeys.isAvailable).toBe(false);
  expect((await call(plain, "GET", "/user/webauthn/passkey/assertion")).status).toBe(404);
  expect((await call(plain, "GET", "/user/login")).text).not.toContain("data-passkey");
});
