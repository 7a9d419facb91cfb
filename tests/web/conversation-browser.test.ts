import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { anApi, aRepo, aServer, aSession, aUser, type Json, type TestServer, type TestUser } from "../builders.ts";
import { aChromium } from "./chromium.ts";

/** The page of an issue in a real browser: what others do appears, texts are edited, files attached, words completed. */

let server: TestServer;
let browser: Browser;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  [server, browser] = await Promise.all([aServer(), aChromium()]);
  [ada, bob] = await Promise.all([aUser(server, { login: "ada" }), aUser(server, { login: "bob" })]);
});
afterAll(async () => {
  await browser?.close();
  const errors = server?.errors;
  await server?.close();
  expect(errors).toEqual([]);
});

async function open(who: TestUser): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ baseURL: server.url });
  const [name = "", value = ""] = (await aSession(server, who.user)).split("=");
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.setDefaultNavigationTimeout(60_000);
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  return { page, problems };
}

const ok = async <Body = Json>(method: string, path: string, who: TestUser, body?: unknown) => {
  const answer = await api<Body>(method, path, who, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
};
let made = 0;
async function anIssue(fields: object = {}, who = ada) {
  const { name } = aRepo(server, ada.user, { name: `talk${++made}` });
  const at = `/repos/ada/${name}`;
  await ok("POST", `${at}/issues`, who, { title: "It leaks", body: "First words", ...fields });
  return { at, item: `${at}/issues/1`, page: `/ada/${name}/issues/1`, home: `/ada/${name}` };
}
/** Waits until the page listens for what happens. */
const listening = (page: Page) => page.waitForResponse((response) => response.url().endsWith("/-/events"));
async function visit(page: Page, path: string): Promise<void> {
  await Promise.all([listening(page), page.goto(path)]);
}

test("what another does appears without a reload: a comment, a label, the state; a reaction is given and taken back", async () => {
  const { at, item, page: path } = await anIssue();
  await ok("POST", `${at}/labels`, ada, { name: "urgent", color: "#ff0000" });
  const { page, problems } = await open(ada);
  await visit(page, path);
  const { id } = await ok<{ id: number }>("POST", `${item}/comments`, bob, { body: "I saw **that** too" });
  const comment = page.locator(`#issuecomment-${id}`);
  await comment.getByText("I saw that too").waitFor();
  // It came while one looked: it is marked.
  await comment.getByText("New", { exact: true }).waitFor();
  await ok("POST", `${item}/labels`, ada, { labels: ["urgent"] });
  await page.locator("#item-side").getByText("urgent").first().waitFor();
  await page.locator("#conversation").getByText("added the label").waitFor();
  await ok("PATCH", item, ada, { state: "closed" });
  await page.locator("#item-head").getByText("Closed").waitFor();

  await comment.locator("summary", { has: page.locator(".reaction-add") }).click();
  await comment.locator('.reaction-choices button[value="heart"]').click();
  const heart = page.locator(`#issuecomment-${id} button.reaction[value="heart"]`);
  await page.locator(`#issuecomment-${id} button.reaction[value="heart"][aria-pressed="true"]`).waitFor();
  await heart.click();
  await heart.waitFor({ state: "detached" });
  expect(problems).toEqual([]);
  await page.context().close();
});

test("a label that is ticked takes the place of the one of its scope, at once and for the server that gets both", async () => {
  const { at, item, page: path } = await anIssue();
  const label = async (name: string) => {
    const fields = { name, color: "#112233", exclusive: name.includes("/") };
    return String((await ok<{ id: number }>("POST", `${at}/labels`, ada, fields)).id);
  };
  const [high, low, plain] = [await label("urgency/high"), await label("urgency/low"), await label("plain")];
  const labels = async () => (await ok<{ name: string }[]>("GET", `${item}/labels`, ada)).map(({ name }) => name);
  await ok("PUT", `${item}/labels`, ada, { labels: [Number(high), Number(plain)] });
  const { page, problems } = await open(ada);
  await page.goto(path);
  const box = (id: string) => page.locator(`form[action$="/labels"] input[value="${id}"]`);
  const save = async () => {
    await page.locator('form[action$="/labels"] button', { hasText: "Save" }).click();
    await page.locator('form[action$="/labels"] button', { hasText: "Save" }).waitFor({ state: "hidden" });
  };
  await page.getByText("Change labels").click();
  await box(low).check();
  expect([await box(high).isChecked(), await box(plain).isChecked()]).toEqual([false, true]);
  await save();
  expect(await labels()).toEqual(["plain", "urgency/low"]);

  // As it is sent without the script.
  await page.goto(path);
  await page.getByText("Change labels").click();
  await box(high).evaluate((element: HTMLInputElement) => {
    element.checked = true;
  });
  expect(await box(low).isChecked()).toBe(true);
  await save();
  expect(await labels()).toEqual(["plain", "urgency/high"]);
  expect(problems).toEqual([]);
});

test("while one edits nothing moves, and what happened meanwhile comes with the end of it", async () => {
  const { item, page: path } = await anIssue();
  const { page, problems } = await open(ada);
  await visit(page, path);
  const first = page.locator("[data-comment]").first();
  await first.locator(".card-actions summary").click();
  await first.getByRole("link", { name: "Edit" }).click();
  const field = page.locator("[data-editing] textarea");
  await field.fill("First words, changed");
  await page.evaluate(() =>
    window.addEventListener("htmx:before:swap", () => document.documentElement.classList.add("was-told"), true),
  );
  await ok("POST", `${item}/comments`, bob, { body: "in between" });
  await page.locator("html.was-told").waitFor({ state: "attached" });
  expect(await page.getByText("in between").count()).toBe(0);
  expect(await field.inputValue()).toBe("First words, changed");
  await page
    .locator("[data-editing]")
    .getByRole("button", { name: "Cancel" })
    .or(page.locator("[data-editing] .form-actions a"))
    .first()
    .click();
  await page.getByText("in between").waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test("an edit that is based on another text is refused with what was typed; the history compares", async () => {
  const { item, page: path } = await anIssue();
  const { page } = await open(ada);
  await visit(page, path);
  const first = page.locator("[data-comment]").first();
  await first.locator(".card-actions summary").click();
  await first.getByRole("link", { name: "Edit" }).click();
  const field = page.locator("[data-editing] textarea");
  await field.fill("Mine");
  await ok("PATCH", item, ada, { body: "Theirs came first" });
  await field.press("Control+Enter");
  await page.getByText("Someone else changed the text first").waitFor();
  expect(await page.locator("textarea").first().inputValue()).toContain("Mine");
  expect((await ok<{ body: string }>("GET", item, ada)).body).toBe("Theirs came first");
  await page.goto(path);
  await page.getByRole("link", { name: "edited" }).click();
  await page.getByText("Theirs came first").first().waitFor();
  await page.context().close();
});

test("what is not sent stays in the browser, and goes when it is sent or given up", async () => {
  const { page: path } = await anIssue();
  const { page } = await open(ada);
  await page.goto(path);
  const field = page.locator("#new-comment textarea");
  await field.pressSequentially("Half a thought");
  await page.reload();
  expect(await field.inputValue()).toBe("Half a thought");
  await page.getByText("This is your unsent draft.").waitFor();
  await field.press("Control+Enter");
  await page.locator("#conversation").getByText("Half a thought").waitFor();
  await page.reload();
  expect(await field.inputValue()).toBe("");
  await field.pressSequentially("Another");
  await page.reload();
  await page.locator("#new-comment").getByRole("button", { name: "Discard" }).click();
  expect(await field.inputValue()).toBe("");
  await page.reload();
  expect(await field.inputValue()).toBe("");
  await page.context().close();
});

test("people, issues and emoji are offered as one types, for keyboard and pointer", async () => {
  const { at, page: path } = await anIssue();
  await ok("POST", `${at}/issues`, ada, { title: "Zebra crossing" });
  await ok("PUT", `${at}/collaborators/bob`, ada, { permission: "write" });
  const { page, problems } = await open(ada);
  await page.goto(path);
  const field = page.locator("#new-comment textarea");
  const offered = page.locator(".text-suggestions li");
  await field.pressSequentially("Ask @bo");
  await offered.getByText("@bob").waitFor();
  await field.press("Enter");
  expect(await field.inputValue()).toBe("Ask @bob ");
  await field.pressSequentially("about #zeb");
  await offered.getByText("#2").waitFor();
  await offered.first().click();
  expect(await field.inputValue()).toBe("Ask @bob about #2 ");
  await field.pressSequentially(":tad");
  await offered.getByText(":tada:").waitFor();
  await field.press("ArrowDown");
  await field.press("ArrowUp");
  await field.press("Tab");
  expect(await field.inputValue()).toBe("Ask @bob about #2 :tada: ");
  await field.pressSequentially("@bo");
  await offered.getByText("@bob").waitFor();
  await field.press("Escape");
  await offered.first().waitFor({ state: "detached" });
  // An address or a time is no beginning of a word.
  await field.fill("at 10:30 me@bo");
  expect(await offered.count()).toBe(0);
  expect(problems).toEqual([]);
  await page.context().close();
});

test("boxes of tasks are ticked; a comment is quoted; its link is copied; the preview reads as it will", async () => {
  const { item, page: path } = await anIssue({ body: "- [ ] buy wood\n- [x] find matches" });
  const { id } = await ok<{ id: number }>("POST", `${item}/comments`, bob, { body: "Some *wise* words" });
  const { page } = await open(ada);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit(page, path);
  const box = page.locator("[data-tick] input[type=checkbox]").first();
  await Promise.all([page.waitForResponse((answer) => answer.url().endsWith("/tasks")), box.click()]);
  expect((await ok<{ body: string }>("GET", item, ada)).body).toBe("- [x] buy wood\n- [x] find matches");
  await page.locator("#item-head").getByText("2 of 2 tasks done").waitFor();
  const comment = page.locator(`#issuecomment-${id}`);
  await comment.locator(".card-actions summary").click();
  await comment.getByRole("button", { name: "Quote reply" }).click();
  const field = page.locator("#new-comment textarea");
  expect(await field.inputValue()).toBe("> Some wise words\n\n");
  await comment.locator(".card-actions summary").click();
  await comment.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(
    async (end) => (await navigator.clipboard.readText()).endsWith(end),
    `${path}#issuecomment-${id}`,
  );
  await field.fill("So **loud**");
  await page.locator("#new-comment").getByRole("button", { name: "Preview" }).click();
  await page.locator("#new-comment .text-box-preview strong").getByText("loud").waitFor();
  await page.context().close();
});

test("the bar and the keys write Markdown's marks, and take them away; lists go on; an address over a word is a link", async () => {
  const { page: path } = await anIssue();
  const { page, problems } = await open(ada);
  await visit(page, path);
  const form = page.locator("#new-comment");
  const field = form.locator("textarea");
  const tool = (name: string) => form.getByRole("toolbar").getByRole("button", { name });
  const select = (part: string) =>
    field.evaluate((element, text) => {
      if (!(element instanceof HTMLTextAreaElement)) return;
      const from = element.value.indexOf(text);
      element.setSelectionRange(from, from + text.length);
      element.focus();
    }, part);
  const said = async (text: string) => expect(await field.inputValue()).toBe(text);

  await field.fill("a warm hearth");
  await select("warm");
  await tool("Bold").click();
  await said("a **warm** hearth");
  await tool("Bold").click();
  await said("a warm hearth");
  await page.keyboard.press("Control+I");
  await said("a _warm_ hearth");
  await page.keyboard.press("Control+Z");
  await said("a warm hearth");
  await select("hearth");
  await page.keyboard.press("Control+K");
  await said("a warm [hearth](url)");
  await page.keyboard.type("https://hearth.test");
  await said("a warm [hearth](https://hearth.test)");

  await field.fill("one\ntwo");
  await select("one\ntwo");
  await tool("Numbered list").click();
  await said("1. one\n2. two");
  await tool("Task list").click();
  await said("- [ ] 1. one\n- [ ] 2. two");
  await tool("Task list").click();
  await tool("Numbered list").click();
  await said("one\ntwo");
  await tool("Code").click();
  await said("```\none\ntwo\n```\n");

  await field.fill("");
  await page.keyboard.type("- [x] oak\nash\n\nend\n> so\n\n9. nine\nten");
  await said("- [x] oak\n- [ ] ash\nend\n> so\n9. nine\n10. ten");

  await field.fill("see here");
  await select("here");
  await field.evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "https://hearth.test/x");
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await said("see [here](https://hearth.test/x)");

  await tool("Heading").focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await said("1. see [here](https://hearth.test/x)");
  await form.getByRole("button", { name: "Preview" }).click();
  await form.locator(".text-box-preview a").waitFor();
  expect(await tool("Bold").isVisible()).toBe(false);
  expect(problems).toEqual([]);
  await page.context().close();
});

test("files are chosen, dropped and pasted, shown, and removed before and after; an SVG is a picture that runs nothing", async () => {
  const { item, page: path } = await anIssue();
  const { page, problems } = await open(ada);
  await visit(page, path);
  const form = page.locator("#new-comment");
  const field = form.locator("textarea");
  await form
    .locator("[data-pick-files]")
    .setInputFiles([{ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") }]);
  await form.locator("[data-files]").getByText("notes.txt").waitFor();
  await form.locator("[data-files] button").waitFor();
  expect(await field.inputValue()).toContain("[notes.txt](/attachments/");
  await form.locator("[data-files] button").click();
  expect(await field.inputValue()).not.toContain("notes.txt");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="parent.hurt=1"><script>window.hurt=1;top.hurt=1</script><rect width="40" height="30" fill="red"/></svg>`;
  for (const kind of ["drop", "paste"] as const)
    await field.evaluate(
      (element, { kind: how, text }) => {
        const data = new DataTransfer();
        data.items.add(new File([text], `${how}.svg`, { type: "image/svg+xml" }));
        element.dispatchEvent(
          how === "drop"
            ? new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data })
            : new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data }),
        );
      },
      { kind, text: svg },
    );
  await form.locator("[data-files] button").nth(1).waitFor();
  const text = await field.inputValue();
  expect(text).toContain("![drop.svg](/attachments/");
  await form.getByRole("button", { name: "Comment", exact: true }).click();
  const pictures = page.locator("#conversation .prose img");
  await pictures.nth(1).waitFor();
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>("#conversation .prose img")].every(
      (image) => image.naturalWidth === 40,
    ),
  );
  expect(await page.evaluate(() => "hurt" in window)).toBe(false);
  const address = (await pictures.first().getAttribute("src")) ?? "";
  const answer = await page.request.get(address);
  expect(answer.headers()["content-security-policy"]).toContain("sandbox");
  expect(answer.headers()["x-content-type-options"]).toBe("nosniff");
  // Opened by itself it runs nothing either.
  const other = await page.context().newPage();
  await other.goto(address).catch(() => undefined);
  expect(await other.evaluate(() => "hurt" in window)).toBe(false);
  await other.close();

  page.on("dialog", (dialog) => void dialog.accept());
  await page.getByRole("button", { name: "Remove drop.svg" }).click();
  await page.getByRole("button", { name: "Remove drop.svg" }).waitFor({ state: "detached" });
  const [comment] = await ok<{ id: number; assets: { name: string }[] }[]>("GET", `${item}/comments`, ada);
  expect(comment?.assets.map(({ name }) => name)).toEqual(["paste.svg"]);
  expect(problems).toEqual([]);
  await page.context().close();
});

test("a deleted comment is taken back from the message that says so", async () => {
  const { item, page: path } = await anIssue();
  const { id } = await ok<{ id: number }>("POST", `${item}/comments`, ada, { body: "Too quick" });
  const { page } = await open(ada);
  await visit(page, path);
  page.on("dialog", (dialog) => void dialog.accept());
  const comment = page.locator(`#issuecomment-${id}`);
  await comment.locator(".card-actions summary").click();
  await comment.getByRole("button", { name: "Delete" }).click();
  await page.getByText("The comment was deleted.").waitFor();
  expect(await page.getByText("Too quick").count()).toBe(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(`#issuecomment-${id}`).getByText("Too quick").waitFor();
  await page.context().close();
});

test("a list is walked, opened and chosen from by keys; several are deleted after a question, and taken back", async () => {
  const { at, home } = await anIssue();
  await ok("POST", `${at}/issues`, ada, { title: "Second" });
  const { page, problems } = await open(ada);
  await page.goto(`${home}/issues`);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await page.keyboard.press("x");
  expect(await page.locator(".item-box:checked").count()).toBe(1);
  await page.locator(".bulk").getByRole("button", { name: "Delete" }).click();
  const dialog = page.locator("dialog[open]");
  await dialog.getByText("restored for 7 days").waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.locator(".item-list li").nth(1).waitFor({ state: "detached" });
  expect(await page.locator(".item-list li").count()).toBe(1);
  await page.goto(`${home}/settings/deleted-issues`);
  await page.getByRole("button", { name: "Restore" }).click();
  await page.waitForURL(/\/issues\/\d+$/);
  await page.goto(`${home}/issues`);
  await page.keyboard.press("j");
  await page.keyboard.press("o");
  await page.waitForURL(/\/issues\/2$/);
  // What a menu offers comes when it is opened.
  await page.goto(`${home}/issues`);
  await page.getByTitle("Sort").press("Enter");
  await page.getByRole("link", { name: "Oldest" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/sort=oldest$/);
  expect(problems).toEqual([]);
  await page.context().close();
});
