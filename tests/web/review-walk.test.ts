import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aChromium } from "./chromium.ts";

/** A pull request of a hundred files, reviewed in a real browser from the first comment to the approval. */

const FILES = 100;
const password = "correct horse battery";
let server: TestServer;
let browser: Browser;
let ada: TestUser;
const pull = "/ada/engine/pulls/1";

const nameOf = (at: number) => `src/part-${String(at).padStart(3, "0")}.ts`;
const before = (at: number) => Array.from({ length: 12 }, (_, line) => `const value${line} = ${at};`);
const after = (at: number) => before(at).map((text, line) => (line === 5 ? `const changed = ${at};` : text));
const textOf = (lines: readonly string[]) => `${lines.join("\n")}\n`;

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aChromium()]);
  ada = await aUser(server, { login: "ada", password });
  await aUser(server, { login: "grace", password });
  const all = Array.from({ length: FILES }, (_, at) => at);
  aRepo(server, ada.user, {
    name: "engine",
    files: Object.fromEntries(all.map((at) => [nameOf(at), textOf(before(at))])),
  });
  const listed = await call<{ name: string; sha: string }[]>(server, "GET", "/api/v1/repos/ada/engine/contents/src", {
    token: ada.token,
  });
  const shas = new Map(listed.body.map(({ name, sha }) => [`src/${name}`, sha]));
  const files = all.map((at) => ({
    operation: "update",
    path: nameOf(at),
    sha: shas.get(nameOf(at)),
    content: Buffer.from(textOf(after(at))).toString("base64"),
  }));
  const body = { files, branch: "main", new_branch: "topic", message: "Change a hundred files" };
  expect((await call(server, "POST", "/api/v1/repos/ada/engine/contents", { token: ada.token, body })).status).toBe(
    201,
  );
  const made = { title: "A hundred files", head: "topic", base: "main" };
  await call(server, "POST", "/api/v1/repos/ada/engine/pulls", { token: ada.token, body: made });
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function signedIn(login: string): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto("/user/login");
  await page.getByLabel("User name or e-mail address").fill(login);
  await page.getByLabel("Password").fill(password);
  await page.getByLabel("Password").press("Enter");
  await page.waitForURL("/");
  return { page, problems };
}

const boxOf = (page: Page, at: number) =>
  page.locator(".diff-box", { has: page.locator("h2", { hasText: nameOf(at) }) });

test("comments by mouse and by keyboard, a range, a suggestion, viewed files, and the approval", async () => {
  const { page, problems } = await signedIn("grace");
  await page.goto(`${pull}/files`);
  const first = boxOf(page, 0);

  // By mouse: the button of the line begins a review.
  await first.locator("tr.add").hover();
  await first.locator("tr.add .line-add").click();
  await first.locator(".line-form textarea").fill("Why is this changed?");
  await first.getByRole("button", { name: "Start a review" }).click();
  await first.locator(".review-comment").getByText("Why is this changed?").waitFor();
  await page.locator("#review-bar .count", { hasText: "1" }).waitFor();

  // By keyboard: to the change, c, and Control+Enter sends it.
  const second = boxOf(page, 1);
  await second.locator("tr.add .line-add").focus();
  await page.keyboard.press("c");
  await second.locator(".line-form textarea").waitFor();
  await page.keyboard.type("Typed by hand");
  await page.keyboard.press("Control+Enter");
  await second.locator(".review-comment").getByText("Typed by hand").waitFor();

  // A range: the last line, then the first with Shift; its lines are suggested otherwise.
  const third = boxOf(page, 2);
  await third.locator('.line-add[value="R7"]').click({ force: true });
  await third.locator(".line-form").waitFor();
  await third.locator('.line-add[value="R6"]').click({ modifiers: ["Shift"], force: true });
  expect(await third.locator('[name="start_line"]').inputValue()).toBe("6");
  await third.getByRole("button", { name: "Suggest a change" }).click();
  const suggested = await third.locator(".line-form textarea").inputValue();
  expect(suggested).toBe("```suggestion\nconst changed = 2;\nconst value6 = 2;\n```\n");
  await third.locator(".line-form textarea").fill(suggested.replace("changed", "better"));
  await third.getByRole("button", { name: "Add to the review" }).click();
  await third.locator(".suggestion ins", { hasText: "better" }).waitFor();

  // Viewed: the file folds, and what is left is counted.
  await boxOf(page, 0).getByRole("button", { name: "Viewed" }).click();
  await page.locator("#viewed-progress", { hasText: "1 of 100 files viewed" }).waitFor();
  expect(
    await boxOf(page, 0)
      .locator("details.diff-file")
      .evaluate((box: HTMLDetailsElement) => box.open),
  ).toBe(false);
  await page.reload();
  await page.locator("#viewed-progress", { hasText: "1 of 100 files viewed" }).waitFor();
  expect(
    await boxOf(page, 0)
      .locator("details.diff-file")
      .evaluate((box: HTMLDetailsElement) => box.open),
  ).toBe(false);

  // The last of the hundred is fetched when it is scrolled to.
  // One reach for the end may fetch more than one part, so only what is shown is asked for.
  const last = boxOf(page, FILES - 1);
  await page.waitForFunction(
    (name) => {
      window.scrollTo(0, document.body.scrollHeight);
      return [...document.querySelectorAll(".diff-box h2")].some((title) => title.textContent?.includes(name));
    },
    nameOf(FILES - 1),
  );
  await last.scrollIntoViewIfNeeded();
  await last.locator("tr.add").waitFor();

  await page.locator("#review-bar > summary").click();
  await page.getByText("3 comments are not sent yet.").waitFor();
  await page.locator("#review-content").fill("Good, but for one line");
  await page.getByLabel("Approve").check();
  await page.getByRole("button", { name: "Submit review" }).click();
  await page.getByText("The review is submitted.").waitFor();
  expect(problems).toEqual([]);

  // Whoever made it applies the suggestion in the conversation.
  const author = await signedIn("ada");
  await author.page.goto(pull);
  await author.page.getByText("Good, but for one line").waitFor();
  await author.page.getByRole("button", { name: "Apply suggestion" }).click();
  await author.page.getByText("1 suggestion was applied.").waitFor();
  const file = await call(server, "GET", `/api/v1/repos/ada/engine/raw/${nameOf(2)}?ref=topic`, { token: ada.token });
  expect(file.text).toBe(textOf(after(2).map((text) => text.replace("changed", "better"))));
  expect(author.problems).toEqual([]);
  expect(server.errors).toEqual([]);
}, 300_000);

test("the panels of the bar lie within the page, however the bar is broken into rows", async () => {
  const { page } = await signedIn("ada");
  for (const width of [390, 800, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${pull}/files`);
    for (const [menu, panel] of [
      [".range-menu", ".range-choices"],
      [".review-bar", ".review-finish"],
    ] as const) {
      await page.locator(`${menu} summary`).first().click();
      const box = (await page.locator(panel).boundingBox()) ?? { x: -1, width: 0 };
      expect({ width, panel, begins: box.x >= 0, ends: box.x + box.width <= width }).toEqual({
        width,
        panel,
        begins: true,
        ends: true,
      });
      await page.keyboard.press("Escape");
    }
  }
  await page.context().close();
});
