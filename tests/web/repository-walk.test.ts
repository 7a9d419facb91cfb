import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import { aServer, aUser, type TestServer } from "../builders.ts";
import { aChromium } from "./chromium.ts";

/** A repository's life in a real browser, by keys alone, on a screen of 360 points: no page is wider than that. */

const password = "correct horse battery";
/** Whoever comes to a control only after so many has lost the way. */
const MAX_TABS = 120;
let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aChromium()]);
  for (const login of ["ada", "grace"]) await aUser(server, { login, password });
});
afterAll(async () => {
  await browser?.close();
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

/** Moves the focus by Tab until it is there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${target} is not reached by ${MAX_TABS} tabs`);
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
}

async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function expectNarrow(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect([new URL(page.url()).pathname, width]).toEqual([new URL(page.url()).pathname, 360]);
}

async function signedIn(login: string): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto("/user/login");
  await type(page, page.locator("[name=user_name]"), login);
  await type(page, page.locator("[name=password]"), password);
  await page.keyboard.press("Enter");
  await page.waitForURL("/");
  return { page, problems };
}

test("create, edit, compare, blame, search, protect, fork and transfer by keys on a phone", async () => {
  const { page, problems } = await signedIn("ada");
  const go = async (path: string) => {
    await page.goto(path);
    await expectNarrow(page);
  };
  const submit = (text: string | RegExp) => page.locator("main").getByRole("button", { name: text }).first();

  await go("/repo/create");
  await type(page, page.locator("[name=repo_name]"), "mill");
  await press(page, page.locator("[name=auto_init]"), "Space");
  await page.locator("[name=repo_name]").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("/ada/mill");
  await expectNarrow(page);

  await go("/ada/mill/_edit/main/README.md");
  await type(page, page.locator("[name=content]"), "# Mill\n\nGrinds lanterns.\n");
  await page.keyboard.press("Escape");
  await press(page, page.locator("[name=commit_choice][value=direct]"), "ArrowDown");
  await type(page, page.locator("[name=new_branch_name]"), "lanterns");
  await press(page, submit(/^Commit|^Propose/));
  await page.waitForURL("/ada/mill/compare/main...lanterns**");
  await expectNarrow(page);
  await page.locator("td.add", { hasText: "Grinds" }).waitFor();

  await go("/ada/mill/compare");
  await type(page, page.locator("[name=head]"), "lanterns");
  await page.keyboard.press("Enter");
  await page.waitForURL("/ada/mill/compare/main...lanterns");
  await expectNarrow(page);

  await go("/ada/mill/src/branch/lanterns/README.md");
  await press(page, page.getByRole("link", { name: "Blame" }).first());
  await page.waitForURL("/ada/mill/blame/branch/lanterns/README.md");
  await expectNarrow(page);

  await go("/ada/mill/search");
  await type(page, page.locator("main [name=q]").first(), "mill");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/ada\/mill\/search\?.*q=mill/);
  await expectNarrow(page);
  await go("/explore/repos");
  await type(page, page.locator("main [name=q]").first(), "mill");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/explore\/repos\?.*q=mill/);
  await page.locator("main").getByText("mill").first().waitFor();
  await expectNarrow(page);

  await go("/ada/mill/settings/branches");
  await press(page, page.locator("main a[href$='/settings/branches/edit']"));
  await page.waitForURL("/ada/mill/settings/branches/edit");
  await expectNarrow(page);
  await type(page, page.locator("[name=rule_name]"), "main");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/ada/mill/settings/branches");
  await page.locator(".rule-name", { hasText: "main" }).waitFor();
  await expectNarrow(page);

  await go("/ada/mill/settings");
  await press(page, page.locator("a[href='#transfer-repo']"));
  const dialog = page.locator("#transfer-repo");
  await dialog.waitFor();
  await expectNarrow(page);
  await type(page, dialog.locator("[name=new_owner_name]"), "grace");
  await type(page, dialog.locator("[name=repo_name]"), "ada/mill");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("grace").first().waitFor();

  const other = await signedIn("grace");
  await other.page.goto("/ada/mill/fork");
  await expectNarrow(other.page);
  await press(other.page, other.page.locator("main").getByRole("button", { name: /fork/i }).last());
  await other.page.waitForURL("/grace/mill");
  await expectNarrow(other.page);
  expect([...problems, ...other.problems]).toEqual([]);
}, 300_000);
