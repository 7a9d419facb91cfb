import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { untilHolds } from "../until.ts";
import { aChromium } from "./chromium.ts";

/** Lists and feeds change while they are looked at, in a real browser that never loads them again. */

let server: TestServer;
let browser: Browser;
let ada: TestUser;
beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aChromium()]);
  ada = await aUser(server, { login: "ada", password: "correct horse battery" });
  aRepo(server, ada.user, { name: "engine" });
});
afterAll(async () => {
  await browser?.close();
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function open(path: string, isSignedIn: boolean) {
  const page = await (await browser.newContext({ baseURL: server.url })).newPage();
  page.setDefaultTimeout(120_000);
  if (isSignedIn) {
    await page.goto("/user/login");
    await page.fill("[name=user_name]", "ada");
    await page.fill("[name=password]", "correct horse battery");
    await page.keyboard.press("Enter");
    await page.waitForURL("/");
  }
  const listening = page.waitForResponse((answer) => answer.url().endsWith("/explore/events"));
  await page.goto(path);
  await listening;
  return page;
}

const ask = (method: string, path: string, body: object = {}) =>
  call(server, method, `/api/v1/${path}`, { token: ada.token, body });

test("the dashboard shows what happens and which repositories there are, and leaves the field as it is", async () => {
  const page = await open("/", true);
  await page.locator(".dashboard-find input").pressSequentially("lan");
  await page.locator("#dashboard-repos p").waitFor();
  await ask("POST", "user/repos", { name: "lantern", private: true });
  await page.locator("#dashboard-repos a", { hasText: "lantern" }).waitFor();
  await page.locator("#dashboard-main .feed a", { hasText: "ada/lantern" }).waitFor();
  expect(await page.locator(".dashboard-find input").inputValue()).toBe("lan");
  expect(await page.locator("#dashboard-repos a").count()).toBe(1);
  await page.context().close();
});

test("a visitor's list of repositories shows new ones and none that are private", async () => {
  const page = await open("/explore/repos", false);
  await ask("POST", "user/repos", { name: "secret", private: true });
  await ask("POST", "user/repos", { name: "kettle" });
  await page.locator("#found a", { hasText: "kettle" }).first().waitFor();
  expect(await page.locator("#found").textContent()).not.toContain("secret");
  await ask("PATCH", "repos/ada/kettle", { private: true });
  await page.locator("#found a", { hasText: "kettle" }).first().waitFor({ state: "detached" });
  await page.context().close();
});

test("a search in code finds what was pushed meanwhile", async () => {
  await ask("POST", "repos/ada/engine/contents/a.txt", { content: btoa("the difference engine\n") });
  const path = "/explore/code?q=difference";
  await untilHolds(async () => (await (await fetch(`${server.url}${path.slice(1)}`)).text()).includes("a.txt"));
  const page = await open(path, false);
  await page.locator("#found a", { hasText: "a.txt" }).waitFor();
  await ask("POST", "repos/ada/engine/contents/b.txt", { content: btoa("another difference\n") });
  await page.locator("#found a", { hasText: "b.txt" }).waitFor();
  await page.context().close();
});
