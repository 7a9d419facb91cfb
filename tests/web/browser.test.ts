import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Browser, chromium, type Page } from "playwright-core";
import { serveGallery } from "./gallery.ts";

/** The kit in a real browser: policy, script, keyboard, copying, phones, no script. */

let browser: Browser;
const server = serveGallery(0);
const base = server.url.href.replace(/\/$/, "");

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}, 30_000);
afterAll(async () => {
  await browser.close();
  await server.stop(true);
});

type Options = NonNullable<Parameters<Browser["newContext"]>[0]>;

async function open(path: string, options: Options = {}): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(base + path);
  return { page, problems };
}

test("pages run without a refused script, style or htmx attribute", async () => {
  for (const path of ["/dashboard", "/repo", "/commit"]) {
    const { page, problems } = await open(path);
    await page.waitForFunction(() => "htmx" in window);
    expect(problems).toEqual([]);
    expect(await page.evaluate(() => document.querySelectorAll("[hx-nonce]").length)).toBe(
      await page.evaluate(() => document.querySelectorAll("[hx-get],[hx-post],[hx-sse\\:connect]").length),
    );
    await page.context().close();
  }
}, 30_000);

test("an hx attribute without the nonce makes no request", async () => {
  const { page } = await open("/repo");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.evaluate(() => {
    const planted = document.createElement("div");
    planted.setAttribute("hx-get", "/planted");
    planted.setAttribute("hx-trigger", "load");
    document.querySelector("main")?.append(planted);
    (window as Window & { htmx?: { process(element: Element): void } }).htmx?.process(planted);
  });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  expect(asked).not.toContain("/planted");
  await page.context().close();
}, 30_000);

test("typing in the dashboard's field replaces its list from the full page", async () => {
  const { page, problems } = await open("/dashboard");
  // The gallery answers "/" with its index: point the field at the page itself.
  await page.locator("input[name=q]").evaluate((field) => field.setAttribute("hx-get", "/dashboard-new"));
  const answered = page.waitForResponse((response) => response.url().includes("/dashboard-new?q=x"));
  await page.locator("input[name=q]").pressSequentially("x");
  await answered;
  await page.getByText("No repositories yet").waitFor();
  expect(await page.locator("#dashboard-repos").count()).toBe(1);
  expect(await page.locator("input[name=q]").inputValue()).toBe("x");
  expect(problems).toEqual([]);
  await page.context().close();
}, 30_000);

test("a line range in the address marks its lines, a click picks, copying gives the source only", async () => {
  const { page } = await open("/file#L5-L3", { permissions: ["clipboard-read", "clipboard-write"] });
  expect(await page.locator(".l.picked").evaluateAll((lines) => lines.map((line) => line.id))).toEqual([
    "L3",
    "L4",
    "L5",
  ]);
  await page.locator("#L10").click({ position: { x: 20, y: 8 } });
  expect(new URL(page.url()).hash).toBe("#L10");
  await page.locator("#L12").click({ position: { x: 20, y: 8 }, modifiers: ["Shift"] });
  expect(new URL(page.url()).hash).toBe("#L10-L12");
  expect(await page.locator("a[data-permalink]").getAttribute("href")).toEndWith("#L10-L12");
  const selected = await page.evaluate(() => {
    const range = document.createRange();
    range.setStart(document.getElementById("L6") as Node, 0);
    range.setEndAfter(document.getElementById("L8") as Node);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
    return getSelection()?.toString();
  });
  expect(selected?.trimEnd()).toBe(
    "\t\tout[at] = (out[at] ?? 0) - 10;\n\n\t\tout[at - 1] = (out[at - 1] ?? 0) + 1; // the next column takes it",
  );
  await page.getByRole("button", { name: "Copy the content" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toStartWith("/** Carries tens");
  expect(copied.split("\n").length).toBe(132);
  await page.context().close();
}, 30_000);

test("keys: ? lists them, t goes to a file, Escape closes and gives the focus back", async () => {
  const { page } = await open("/repo");
  await page.keyboard.press("?");
  expect(await page.locator("#shortcuts").textContent()).toContain("Go to file");
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  await page.getByRole("searchbox", { name: "Go to file" }).pressSequentially("carry");
  await page.getByRole("link", { name: "src/mill/carry.ts" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await page.locator("details[open]").count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("SUMMARY");
  await page.context().close();
}, 30_000);

test("the theme changes at once and is kept in a cookie", async () => {
  const { page } = await open("/repo");
  await page.getByRole("button", { name: "Dark theme" }).click();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(20, 23, 28)");
  expect((await page.context().cookies()).find((cookie) => cookie.name === "hearth_theme")?.value).toBe("dark");
  await page.context().close();
}, 30_000);

test("a dangerous button waits for the name to be typed", async () => {
  const { page } = await open("/repo-settings");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const button = page.getByRole("button", { name: "Delete for good" });
  expect(await button.isDisabled()).toBe(true);
  await page.locator("#delete-repo-typed").fill("engine");
  expect(await button.isEnabled()).toBe(true);
  await page.context().close();
}, 30_000);

test("without script the menus open, the dialogs open, dates are dates", async () => {
  const { page } = await open("/branches", { javaScriptEnabled: false });
  await page.getByRole("button", { name: "Delete develop" }).click();
  expect(await page.getByRole("dialog", { name: "Delete branch develop?" }).isVisible()).toBe(true);
  expect(await page.locator("time").first().textContent()).toMatch(/^\d+ \w+ 2026$/);
  expect(await page.locator(".needs-script").first().isVisible()).toBe(false);
  await page.goto(`${base}/repo`);
  await page.locator(".refs summary").click();
  expect(await page.getByRole("link", { name: "develop" }).isVisible()).toBe(true);
  await page.context().close();
}, 30_000);

test("no page scrolls sideways on a phone", async () => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  for (const path of [
    "/dashboard",
    "/repo",
    "/file",
    "/commit",
    "/commit-split",
    "/commits",
    "/branches",
    "/tags",
    "/admin-users",
    "/settings-tokens",
    "/repo-archived",
    "/repo-settings",
    "/new-repo",
  ]) {
    await page.goto(base + path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([path, width <= 0]).toEqual([path, true]);
  }
  await context.close();
}, 60_000);
