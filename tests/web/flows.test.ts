import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { aRepo, aServer, aSession, aUser, type TestServer } from "../builders.ts";
import { aPage } from "./browser-calls.ts";
import { aChromium } from "./chromium.ts";

/** What a person does, in a real browser: with the keyboard alone, without script, and while someone else pushes. */

const password = "correct horse battery";
let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ baseURL: server.url, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  return { page, problems };
}

async function signIn(page: Page, login: string): Promise<void> {
  await page.goto("/user/login");
  await page.getByLabel("User name or e-mail address").fill(login);
  await page.getByLabel("Password").fill(password);
  await page.getByLabel("Password").press("Enter");
  await page.waitForURL("/");
}

test.each([
  ["with script", true],
  ["without script", false],
] as const)("sign in, create a repository, write a file, make a branch, sign out: %s", async (_, javaScriptEnabled) => {
  const { login } = await aUser(server, { password });
  const { page, problems } = await open({ javaScriptEnabled });
  await signIn(page, login);
  await page.goto("/repo/create");
  await page.getByLabel("Name", { exact: false }).first().fill("notes");
  await page.getByLabel("Start with a first commit").check();
  await page.getByRole("button", { name: "Create repository" }).click();
  await page.waitForURL(`/${login}/notes`);
  expect(await page.locator(".readme").textContent()).toContain("notes");

  await page.getByTitle("Add file").click();
  await page.getByRole("link", { name: "New file" }).click();
  await page.getByLabel("Path").fill("docs/plan.md");
  await page.getByLabel("Content").fill("# The plan\n\nLight the hearth.\n");
  await page.getByRole("button", { name: "Commit changes" }).click();
  await page.waitForURL(`/${login}/notes/src/branch/main/docs/plan.md`);
  expect(await page.locator(".prose").textContent()).toContain("Light the hearth.");

  await page.goto(`/${login}/notes/branches`);
  await page.getByRole("button", { name: "New branch" }).click();
  await page.locator("#new-branch").getByLabel("Name").fill("topic");
  await page.getByRole("button", { name: "Create branch" }).click();
  await page.waitForURL(`/${login}/notes/src/branch/topic`);

  await page.goto("/user/logout");
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/");
  await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test("sign-in, create and browse with the keyboard alone", async () => {
  const { login } = await aUser(server, { password });
  const { page, problems } = await open();
  await page.goto("/user/login");
  const hasFocus = (name: string) =>
    page.waitForFunction((wanted) => document.activeElement?.getAttribute("name") === wanted, name);
  // The first field has the focus; everything else is a Tab away, in the order it is seen.
  await hasFocus("user_name");
  await page.keyboard.type(login);
  await page.keyboard.press("Tab");
  await hasFocus("password");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.waitForURL("/");
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.waitForURL("/repo/create");
  await hasFocus("repo_name");
  await page.keyboard.type("by-keys");
  await page.keyboard.press("Enter");
  await page.waitForURL(`/${login}/by-keys`);
  // A fresh page: after a form, a browser may begin where the form was.
  await page.reload();
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await page.waitForURL("/explore/repos");
  expect(problems).toEqual([]);
  await page.context().close();
});

test("a page that is open says that something was pushed, an empty one shows it", async () => {
  const { user, login } = await aUser(server);
  aRepo(server, user, { name: "live", files: { "a.txt": "a\n" } });
  aRepo(server, user, { name: "empty" });
  const [name = "", value = ""] = (await aSession(server, user)).split("=");
  const other = aPage(server, new Map([[name, value]]));
  for (const repo of ["live", "empty"]) {
    const { page, problems } = await open();
    await page.context().addCookies([{ name, value, url: server.url }]);
    const listening = page.waitForResponse((answer) => answer.url().endsWith(`/${repo}/-/events`));
    await page.goto(`/${login}/${repo}`);
    await listening;
    await other.post(`/${login}/${repo}/_new/main/`, { tree_path: "news.txt", content: "new" });
    if (repo === "live") await page.getByText("New commits have arrived.").first().waitFor();
    else await page.getByRole("link", { name: "news.txt", exact: true }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  }
});
