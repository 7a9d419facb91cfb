import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import { aServer, aUser, call, type TestServer } from "../builders.ts";
import { aChromium } from "../web/chromium.ts";
import { aDesk } from "./desk.ts";

/** From the sign-in page to a team at work, without a pointer. */

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
  await browser?.close();
  await server?.close();
});

const MAX_PRESSES = 120;

/** Goes to it with the Tab key, as whoever sees it would. @throws it cannot be reached */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the Tab key does not lead to ${target}`);
}

test("a passkey, an organization, a team with a member and a repository, by keyboard alone", async () => {
  const ada = await aUser(server, { login: "ada", password: "correct horse battery" });
  const bob = await aUser(server, { login: "bob" });
  const { page, context, problems } = await aDesk(browser);
  page.setDefaultTimeout(60_000);
  const { keyboard } = page;
  const press = async (target: Locator) => {
    await tabTo(page, target);
    await keyboard.press("Enter");
  };
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const link = (href: string) => page.locator(`main a[href="${href}"]`).first();
  const type = async (field: string, text: string) => {
    await tabTo(page, page.locator(`[name=${field}]`));
    await keyboard.type(text);
  };

  await page.goto(`${root}/user/login`);
  await type("user_name", ada.login);
  await type("password", "correct horse battery");
  await keyboard.press("Enter");
  await page.waitForURL(`${root}/`);
  await page.goto(`${root}/user/settings/security`);
  await type("name", "laptop");
  await keyboard.press("Enter");
  await page.locator(".list strong", { hasText: "laptop" }).waitFor();

  await context.clearCookies();
  await page.goto(`${root}/org/create`);
  await page.waitForURL(/\/user\/login/);
  await press(button("Sign in with a passkey"));
  await page.waitForURL(`${root}/org/create`);

  await type("org_name", "walkers");
  await press(button("Create organization"));
  await page.waitForURL(`${root}/walkers`);
  const made = await call(server, "POST", "/api/v1/orgs/walkers/repos", {
    token: ada.token,
    body: { name: "maps", private: true },
  });
  expect(made.status).toBe(201);

  await press(link("/org/walkers/teams"));
  await page.waitForURL(`${root}/org/walkers/teams`);
  await press(link("/org/walkers/teams/new"));
  await page.waitForURL(`${root}/org/walkers/teams/new`);
  await type("team_name", "guides");
  await tabTo(page, page.locator("[name=unit_code]:checked"));
  await keyboard.press("ArrowRight");
  await press(button("Create team"));
  await page.waitForURL(`${root}/org/walkers/teams/guides`);
  await type("uname", "bob");
  await keyboard.press("Enter");
  await page.getByRole("button", { name: /Remove bob/ }).waitFor();
  await press(link("/org/walkers/teams/guides/repositories"));
  await page.waitForURL(`${root}/org/walkers/teams/guides/repositories`);
  await type("repo_name", "maps");
  await keyboard.press("Enter");
  await page.getByRole("link", { name: "maps", exact: true }).waitFor();

  const seen = await call(server, "GET", "/api/v1/repos/walkers/maps", { token: bob.token });
  expect([seen.status, seen.body["private"]]).toEqual([200, true]);
  expect(problems).toEqual([]);
  await context.close();
});
