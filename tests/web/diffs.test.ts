import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { diffAnchor } from "../../web/components/diff-file.tsx";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aChromium } from "./chromium.ts";

/** Diffs in a real browser: colours, more lines, addresses of lines, the tree of files, pictures; and the same without script. */

let server: TestServer;
let ada: TestUser;
let browser: Browser;
let change: string;
let origin: string;
const MILL = diffAnchor("src/mill.ts");
/** More than is loaded unasked, and more than a page begins with. */
const LATER = diffAnchor("src/wide/later.ts");
const SOON = diffAnchor("src/wide/soon.ts");

const api = anApi(() => server);
/** Two pictures of one pixel. */
const PICTURES = [
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
].map((text) => Buffer.from(text, "base64"));

const lines = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${text(at + 1)}\n`).join("");
const statement = (at: number) => `const value${at} = "number ${at}"; // ${at}`;
/** A comment that begins far above the changed line: only who reads the whole file knows that it is one. */
const mill = (changed: string) =>
  `/*\n${lines(80, (at) => `note ${at}`)}${changed}\n${lines(80, (at) => `more ${at}`)}*/\n${lines(40, statement)}`;
const before = {
  "src/mill.ts": mill("const inside = 1"),
  "src/wide/later.ts": lines(700, statement),
  "src/wide/soon.ts": lines(299, statement),
  "docs/a.md": "# A\n",
  "pictures/flame.png": PICTURES[0] ?? "",
};
const after: typeof before = {
  "src/mill.ts": mill("const inside = 2"),
  "src/wide/later.ts": lines(700, (at) => `${statement(at)} again`),
  "src/wide/soon.ts": lines(299, (at) => `${statement(at)} again`),
  "docs/a.md": "# B\n",
  "pictures/flame.png": PICTURES[1] ?? "",
};

beforeAll(async () => {
  server = await aServer();
  origin = server.url.replace(/\/$/, "");
  ada = await aUser(server, { login: "ada" });
  aRepo(server, ada.user, { name: "mill", files: before });
  const files = await Promise.all(
    Object.entries(after).map(async ([path, content]) => {
      const { body } = await api("GET", `/repos/ada/mill/contents/${path}`);
      return { operation: "update", path, sha: body["sha"], content: Buffer.from(content).toString("base64") };
    }),
  );
  const body = { files, message: "Change all" };
  const made = await api<{ commit: { sha: string } }>("POST", "/repos/ada/mill/contents", ada, body);
  expect(made.status).toBe(201);
  change = `${origin}/ada/mill/commit/${made.body.commit.sha}`;
  browser = await aChromium();
});
afterAll(async () => {
  await browser.close();
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

type Options = NonNullable<Parameters<Browser["newContext"]>[0]>;

async function opened(hash = "", options: Options = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("close", () => expect(problems).toEqual([]));
  await page.goto(change + hash);
  return page;
}

const numbers = (page: Page) =>
  page.locator(`#${MILL} .no[id^="${MILL}R"]`).evaluateAll((cells) => cells.map((cell) => Number(cell.dataset["n"])));

test("lines have the colours of the whole file, and changed words are marked in them", async () => {
  const page = await opened();
  const row = page.locator(`tr:has(> #${MILL}R82)`);
  expect(await row.locator(".hljs-comment").count()).toBe(1);
  expect(await row.locator("b").textContent()).toBe("2");
  expect(await row.locator("td").last().textContent()).toBe("const inside = 2");
  await page.context().close();
});

test("more lines are shown above and below a change, twenty at a time, until none is hidden", async () => {
  const page = await opened();
  expect(await numbers(page)).toEqual([79, 80, 81, 82, 83, 84, 85]);
  const file = page.locator(`#${MILL}`);
  await file.getByRole("link", { name: "Show 20 more lines above" }).click();
  await page.locator(`#${MILL}R59`).waitFor();
  expect((await numbers(page))[0]).toBe(59);
  expect(await page.locator(`tr:has(> #${MILL}R59) .hljs-comment`).count()).toBe(1);
  expect(await page.locator(`#${MILL}L59`).count()).toBe(1);
  await file.getByRole("link", { name: "Show 20 more lines below" }).click();
  await page.locator(`#${MILL}R105`).waitFor();
  for (const first of [39, 19]) {
    await file.getByRole("link", { name: "Show 20 more lines above" }).click();
    await page.locator(`#${MILL}R${first}`).waitFor();
  }
  await file.getByRole("link", { name: "Show the hidden lines" }).click();
  await page.locator(`#${MILL}R1`).waitFor();
  expect(await numbers(page)).toEqual(Array.from({ length: 105 }, (_, at) => at + 1));
  await page.getByRole("link", { name: "Show all lines of src/mill.ts" }).click();
  await page.locator(`#${MILL}R203`).waitFor();
  expect(await numbers(page)).toEqual(Array.from({ length: 203 }, (_, at) => at + 1));
  await page.context().close();
});

test("split and unified show the same line at the same place, and more lines in both", async () => {
  const page = await opened(`#${MILL}R82`);
  const top = () => page.locator(`#${MILL}R82`).evaluate((line) => Math.round(line.getBoundingClientRect().top));
  await page.locator(`#${MILL}R82.picked`).waitFor();
  const first = page.locator("#diffs .no[id]").first();
  await first.evaluate((line) => line.scrollIntoView({ block: "start" }));
  const before = await top();
  await page.getByRole("link", { name: "Split" }).click();
  await page.locator(`#${MILL} .diff-split`).waitFor();
  await page.waitForFunction(
    ([id, at]) => Math.abs((document.getElementById(id)?.getBoundingClientRect().top ?? 0) - at) < 60,
    [`${MILL}R82`, before] as const,
  );
  await page.locator(`#${MILL}`).getByRole("link", { name: "Show 20 more lines above" }).click();
  await page.locator(`.diff-split tr:has(> #${MILL}L59) > #${MILL}R59`).waitFor();
  await page.context().close();
});

test("lines and ranges have addresses, also in what is not shown yet", async () => {
  const page = await opened(`#${MILL}R20-R22`);
  await page.locator(`#${MILL}R22.picked`).waitFor();
  expect(await page.locator(".diff .no.picked").evaluateAll((cells) => cells.map((cell) => cell.id.slice(45)))).toEqual(
    ["R20", "R21", "R22"],
  );
  await page.locator(`#${MILL}R82`).click();
  expect(new URL(page.url()).hash).toBe(`#${MILL}R82`);
  await page.locator(`#${MILL}R84`).click({ modifiers: ["Shift"] });
  expect(new URL(page.url()).hash).toBe(`#${MILL}R82-R84`);
  await page.goto("about:blank");
  // A file that waits to be scrolled to.
  await page.goto(`${change}#${LATER}R3`);
  await page.locator(`#${LATER}R3.picked`).waitFor();
  await page.context().close();
});

test("files that are far down come when they are scrolled to, and without script by a link", async () => {
  const page = await opened();
  expect(await page.locator(`#${LATER} tr`).count()).toBe(0);
  await page.locator(`#${LATER} .diff-load a`).click();
  await page.locator(`#${LATER}R700`).waitFor();
  await page.locator(`#${SOON}`).scrollIntoViewIfNeeded();
  await page.locator(`#${SOON}R299`).waitFor();
  await page.context().close();
  const plain = await opened("", { javaScriptEnabled: false });
  await plain.locator(`#${LATER}`).getByRole("link", { name: "Load Diff" }).click();
  await plain.locator(`#${LATER}R700`).waitFor({ state: "attached" });
  await plain.goto(change);
  await plain.locator(`#${MILL} [data-expand]`).first().click();
  expect(await numbers(plain)).toEqual(Array.from({ length: 203 }, (_, at) => at + 1));
  await plain.context().close();
});

test("the tree of files filters, folds, is put away and stays away; on a phone it shows when it is asked for", async () => {
  const page = await opened();
  const tree = page.getByRole("navigation", { name: "Changed files" });
  await tree.getByRole("searchbox").fill("later");
  expect(await tree.getByRole("link").allTextContents()).toEqual([" later.ts"]);
  await tree.getByRole("searchbox").fill("");
  await tree.getByRole("link", { name: "a.md" }).click();
  expect(new URL(page.url()).hash).toBe(`#${diffAnchor("docs/a.md")}`);
  const toggle = page.getByRole("link", { name: "5 files changed" });
  await toggle.click();
  expect(await tree.isVisible()).toBe(false);
  await page.reload();
  expect(await tree.isVisible()).toBe(false);
  await toggle.click();
  expect(await tree.isVisible()).toBe(true);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await tree.isVisible()).toBe(false);
  await toggle.click();
  expect(await tree.isVisible()).toBe(true);
  await tree.getByRole("link", { name: "a.md" }).click();
  expect(await tree.isVisible()).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.context().close();
});

test("pictures are compared side by side, by swiping and on top of each other", async () => {
  const page = await opened();
  const box = page.locator("[data-image-diff]");
  await box.scrollIntoViewIfNeeded();
  await box.getByText("1 × 1").first().waitFor();
  expect(await box.locator("img").count()).toBe(2);
  await box.getByRole("button", { name: "Swipe" }).click();
  await box.getByRole("slider").fill("25");
  const style = (name: "clipPath" | "opacity") =>
    box.locator(".image-after").evaluate((side, property) => getComputedStyle(side)[property], name);
  expect(await style("clipPath")).toBe("inset(0px 0px 0px 25%)");
  await box.getByRole("button", { name: "Onion skin" }).click();
  expect(await style("opacity")).toBe("0.5");
  await box.getByRole("button", { name: "Side by side" }).click();
  expect(await box.getByRole("slider").isVisible()).toBe(false);
  await page.context().close();
  const plain = await opened("", { javaScriptEnabled: false });
  expect(await plain.locator(".image-sides figure").count()).toBe(2);
  expect(await plain.getByRole("button", { name: "Swipe" }).isVisible()).toBe(false);
  await plain.context().close();
});

test("whatever is asked of an excerpt is answered or refused", async () => {
  const sha = change.slice(-40);
  const ask = (query: string, id = sha) => fetch(`${origin}/ada/mill/blob_excerpt/${id}?${query}`);
  const whole = await (await ask("path=src/mill.ts&last_left=0&last_right=0&left=5&right=5&anchor=diff-x")).text();
  expect(whole.match(/data-n="\d+"/g)).toHaveLength(8);
  expect(whole).toContain('id="diff-xR4"');
  const hostile =
    "path=src/mill.ts&last_left=-1&last_right=1e400&left=zz&right=99999999999&anchor=%22%3E%3Cb%3E&style=%22";
  expect((await ask(hostile)).status).toBe(200);
  expect(await (await ask(hostile)).text()).not.toContain("<b>");
  for (const query of ["", "path=", "path=../x", "path=src", "path=nowhere.ts", "path=pictures/flame.png"])
    expect([query, (await ask(query)).status]).toEqual([query, 404]);
  expect((await ask("path=src/mill.ts", "0".repeat(40))).status).toBe(404);
  expect((await ask("path=src/mill.ts", "HEAD")).status).toBe(404);
});
