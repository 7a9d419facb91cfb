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
});
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
      await page.evaluate(() => document.querySelectorAll("[hx-get],[hx-post],[hx-boost],[hx-sse\\:connect]").length),
    );
    await page.context().close();
  }
});

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
});

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
});

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
});

test("keys: ? lists them, t goes to a file, Escape closes and gives the focus back", async () => {
  const { page } = await open("/repo");
  await page.keyboard.press("?");
  expect(await page.locator("#shortcuts").textContent()).toContain("Go to file");
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  await page.getByRole("searchbox", { name: "Type part of a path" }).pressSequentially("carry");
  await page.getByRole("button", { name: "src/mill/carry.ts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#finder").waitFor({ state: "detached" });
  await page.context().close();
});

test("the theme changes at once and is kept in a cookie", async () => {
  const { page } = await open("/repo");
  await page.getByRole("button", { name: "Dark theme" }).click();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(20, 23, 28)");
  expect((await page.context().cookies()).find((cookie) => cookie.name === "hearth_theme")?.value).toBe("dark");
  await page.context().close();
});

test("a dangerous button waits for the name to be typed", async () => {
  const { page } = await open("/repo-settings");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const button = page.getByRole("button", { name: "Delete this repository" });
  expect(await button.isDisabled()).toBe(true);
  await page.locator("#delete-repo-typed").fill("ada/engine");
  expect(await button.isEnabled()).toBe(true);
  // In the middle of the window, wherever it stands in the page.
  const offCentre = await page.locator("#delete-repo").evaluate((dialog) => {
    const { top, bottom } = dialog.getBoundingClientRect();
    return Math.abs(top + bottom - innerHeight);
  });
  expect(offCentre).toBeLessThan(3);
  await page.context().close();
});

test("a dialog keeps the focus inside, closes by Escape, Cancel and the backdrop, and gives the focus back", async () => {
  const { page, problems } = await open("/branches");
  const opener = page.getByRole("button", { name: "New branch", exact: true });
  const dialog = page.getByRole("dialog", { name: "New branch" });
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  await opener.press("Enter");
  await dialog.waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("new_branch_name");
  for (let step = 0; step < 8; step++) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("dialog, body")?.tagName)).toMatch(/DIALOG|BODY/);
    expect(await page.evaluate(() => document.activeElement?.closest("main > :not(dialog)") !== null)).toBe(
      await page.evaluate(() => document.activeElement?.closest("dialog") !== null),
    );
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(await focused()).toBe("New branch");
  await opener.press("Space");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "hidden" });
  expect(await focused()).toBe("New branch");
  await opener.click();
  await page.mouse.click(5, 5);
  await dialog.waitFor({ state: "hidden" });
  // From a row menu the focus comes back to the menu's button.
  await page.getByTitle("More about develop").click();
  await page.locator("details[open]").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete branch develop?" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("More about develop");
  // An address that names the dialog opens it.
  await page.goto(`${base}/branches?from=develop#new-branch`);
  await dialog.waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test("keys as the help lists them: Ctrl+K, n p j k in a diff, rows of a list", async () => {
  const { page } = await open("/repo");
  await page.keyboard.press("Control+k");
  await page.getByRole("searchbox", { name: "Command palette" }).waitFor();
  await page.goto(`${base}/commit`);
  await page.locator("[data-tree-toggle][aria-expanded]").waitFor();
  await page.keyboard.press("?");
  const help = await page.locator("#shortcuts dd").allTextContents();
  for (const entry of ["Next file", "Previous file", "Next change", "Previous change", "Commits"])
    expect(help).toContain(entry);
  await page.keyboard.press("Escape");
  const path = () => page.evaluate(() => document.activeElement?.closest(".diff-file")?.id);
  await page.keyboard.press("n");
  const first = await path();
  await page.keyboard.press("n");
  const second = await path();
  expect([typeof first, typeof second, first === second]).toEqual(["string", "string", false]);
  await page.keyboard.press("p");
  expect(await path()).toBe(first);
  await page.keyboard.press("j");
  expect(await page.evaluate(() => document.activeElement?.className)).toBe("hunk");
  await page.goto(`${base}/commits`);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const secondRow = await page.evaluate(() => document.activeElement?.textContent);
  expect(secondRow ?? null).toBe(await page.locator(".commit-row .subject").nth(1).textContent());
  await page.context().close();
});

test("a range of lines is picked with the keyboard alone", async () => {
  const { page } = await open("/file#L10");
  await page.locator("#code").focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press("Shift+ArrowDown");
  expect(await page.evaluate(() => location.hash)).toBe("#L10-L13");
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => location.hash)).toBe("#L14");
  await page.keyboard.press("Shift+ArrowUp");
  expect(await page.evaluate(() => location.hash)).toBe("#L13-L14");
  await page.keyboard.press("Escape");
  expect(await page.evaluate(() => location.hash)).toBe("");
  await page.context().close();
});

test("choosing a licence ticks the first commit", async () => {
  const { page } = await open("/new-repo");
  const box = page.getByRole("checkbox", { name: "Start with a first commit" });
  await box.uncheck();
  await page.getByRole("combobox", { name: "Licence" }).selectOption({ index: 1 });
  expect(await box.isChecked()).toBe(true);
  await page.context().close();
});

test("without script the menus open, the dialogs open, dates are dates", async () => {
  const { page } = await open("/branches", { javaScriptEnabled: false });
  await page.getByTitle("More about develop").click();
  await page.locator("details[open]").getByRole("button", { name: "Delete" }).click();
  expect(await page.getByRole("dialog", { name: "Delete branch develop?" }).isVisible()).toBe(true);
  expect(await page.locator("time").first().textContent()).toMatch(/^\d+ \w+ 2026$/);
  expect(await page.locator(".needs-script").first().isVisible()).toBe(false);
  await page.goto(`${base}/repo`);
  await page.locator(".refs summary").click();
  expect(await page.getByRole("link", { name: "develop" }).isVisible()).toBe(true);
  await page.context().close();
});

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
});
