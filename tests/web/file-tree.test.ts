import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { aRepo, aServer, aSession, aUser, type TestServer } from "../builders.ts";
import { aChromium } from "./chromium.ts";

/** The files beside a file: opened where they stand, by keyboard, remembered, put away, on a phone; and "Go to file". */

let server: TestServer;
let browser: Browser;
let base: string;
let session: string;

beforeAll(async () => {
  server = await aServer();
  const { user } = await aUser(server, { login: "ada" });
  const files = {
    "README.md": "# Mill\n",
    "docs/guide/start.md": "# Start\n",
    "docs/guide/deep/end.md": "# End\n",
    "src/mill.ts": "export const one = 1;\n",
    "src/a b#c?.ts": "export const two = 2;\n",
  };
  aRepo(server, user, { name: "mill", files });
  session = await aSession(server, user);
  base = `${server.url.replace(/\/$/, "")}/ada/mill`;
  browser = await aChromium();
});
afterAll(async () => {
  await browser.close();
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function opened(path: string, options: Parameters<Browser["newContext"]>[0] = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  await page.goto(base + path);
  return { page, tree: page.locator("#file-tree") };
}

test("the way to the file is open, also without script", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, tree } = await opened("/src/branch/main/src/mill.ts", { javaScriptEnabled });
    expect(await tree.getByRole("link").allTextContents()).toEqual([
      "docs",
      "src",
      "a b#c?.ts",
      "mill.ts",
      "README.md",
    ]);
    expect(await tree.locator("[aria-current]").allTextContents()).toEqual(["mill.ts"]);
    await tree.getByRole("link", { name: "a b#c?.ts" }).click();
    await page.getByRole("heading", { name: "src/a b#c?.ts" }).waitFor({ state: "attached" });
    await page.context().close();
  }
});

test("directories open by mouse and arrows, stay open on the next page, and the tree can be put away", async () => {
  const { page, tree } = await opened("/src/branch/main/src/mill.ts");
  await tree.getByRole("button", { name: "Contents of docs" }).click();
  await tree.getByRole("link", { name: "guide" }).waitFor();
  await tree.getByRole("link", { name: "guide" }).focus();
  await page.keyboard.press("ArrowRight");
  await tree.getByRole("link", { name: "start.md" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("start.md");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/guide/start.md");
  await tree.getByRole("link", { name: "README.md" }).click();
  await page.waitForURL("**/main/README.md");
  await tree.getByRole("link", { name: "start.md" }).waitFor();
  await page.locator("[data-tree-toggle]").click();
  expect(await tree.isVisible()).toBe(false);
  await page.reload();
  expect(await tree.isVisible()).toBe(false);
  await page.context().close();
});

test("on a phone it covers the page when it is asked for, and nothing scrolls sideways", async () => {
  const { page, tree } = await opened("/src/branch/main/src/mill.ts", { viewport: { width: 360, height: 740 } });
  expect(await tree.isVisible()).toBe(false);
  await page.getByRole("link", { name: "File tree" }).click();
  expect(await tree.isVisible()).toBe(true);
  await tree.getByRole("link", { name: "Close" }).click();
  expect(await tree.isVisible()).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.context().close();
});

test("on a phone the names of a directory have all of the width that the times leave", async () => {
  const { page } = await opened("/src/branch/main/src", { viewport: { width: 360, height: 740 } });
  const { width = 0 } = (await page.locator("#files tr:last-child").boundingBox()) ?? {};
  const widths = await page
    .locator("#files tr:last-child td")
    .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().width)));
  expect(widths).toEqual([Math.round(width) - 152, 0, 152]);
  await page.context().close();
});

test("tree-view answers a directory, and what is open below it", async () => {
  const view = async (path: string) => (await fetch(`${base}/tree-view/branch/main${path}`)).json();
  const names = (nodes: { entryName: string }[]) => nodes.map((node) => node.entryName);
  const root = await view("?sub_path=docs/guide/start.md");
  expect(names(root.fileTreeNodes)).toEqual(["docs", "src", "README.md"]);
  expect(root.fileTreeNodes[0]).toMatchObject({ entryMode: "tree", fullPath: "docs" });
  expect(names(root.fileTreeNodes[0].children[0].children)).toEqual(["deep", "start.md"]);
  expect(root.renderedIconPool).toEqual({});
  const docs = await view("/docs/guide");
  expect(docs.fileTreeNodes.map((node: { fullPath: string }) => node.fullPath)).toEqual([
    "docs/guide/deep",
    "docs/guide/start.md",
  ]);
  for (const path of ["/nowhere", "/README.md", "?sub_path=../..", "?sub_path=a//b"])
    expect((await fetch(`${base}/tree-view/branch/main${path}`)).status).toBe(404);
});

test("go to file: its script and the paths come when it is opened, letters are marked, keys choose", async () => {
  const { page } = await opened("/src/branch/main/src/mill.ts");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  expect(asked).toEqual([]);
  await page.keyboard.press("t");
  const field = page.getByRole("searchbox");
  await field.waitFor();
  await field.pressSequentially("gdstart");
  const first = page.locator("#finder button").first();
  await first.waitFor();
  expect(await first.textContent()).toBe("docs/guide/start.md");
  expect((await first.locator("b").allTextContents()).join("")).toBe("gdstart");
  expect(asked.map((path) => path.split("/").at(-1))).toEqual(["finder.js", "main"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/guide/start.md");
  await page.context().close();
  const plain = await opened("", { javaScriptEnabled: false });
  await plain.page.getByRole("link", { name: "Go to file" }).click();
  await plain.page.getByRole("searchbox").fill("END");
  await plain.page.keyboard.press("Enter");
  await plain.page.getByRole("link", { name: "docs/guide/deep/end.md" }).click();
  await plain.page.waitForURL("**/docs/guide/deep/end.md");
  await plain.page.context().close();
});

test("the palette leads to what the page's frame leads to, and to files", async () => {
  const { page } = await opened("", { extraHTTPHeaders: { cookie: session } });
  await page.keyboard.press("Control+k");
  const field = page.getByRole("searchbox", { name: "Command palette" });
  await field.waitFor();
  await page.locator("#finder").getByRole("button", { name: "Commits", exact: true }).waitFor();
  await page.locator("#finder").getByRole("button", { name: "Repository: Issues", exact: true }).waitFor();
  await field.pressSequentially("a b#");
  await page.locator("#finder").getByRole("button", { name: "src/a b#c?.ts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#finder").waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await field.pressSequentially("explore");
  await page.locator("#finder button").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/explore/repos");
  await page.context().close();
});
