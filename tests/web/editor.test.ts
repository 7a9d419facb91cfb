import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import type { User } from "../../src/access/user.ts";
import { aRepo, aServer, aSession, aUser, call, type TestServer } from "../builders.ts";
import { aPage, type Visitor, wordsOf } from "./browser-calls.ts";
import { aChromium } from "./chromium.ts";

/** Changing files in the browser beyond one text: uploads, directories, previews, two editors, and what the script adds. */

let server: TestServer;
let ada: User;
let cookie: string;
let page: Visitor;
beforeAll(async () => {
  server = await aServer();
  ada = (await aUser(server, { login: "ada" })).user;
  cookie = await aSession(server, ada);
  const [name = "", secret = ""] = cookie.split("=");
  page = aPage(server, new Map([[name, secret]]));
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const files = { "README.md": "# One\n", "src/a.ts": "one\ntwo\nthree\nfour\nfive\n", "src/deep/b.txt": "b\n" };
function aLibrary(): string {
  return `/ada/${aRepo(server, ada, { files }).name}`;
}
const head = async (path: string) =>
  /name="last_commit" value="([0-9a-f]+)"/.exec((await page.get(path)).text)?.[1] ?? "";
const raw = async (path: string) => (await page.get(path)).text;

function upload(path: string, fields: Record<string, string>, parts: Readonly<Record<string, string | Uint8Array>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const [name, content] of Object.entries(parts)) form.append("files", new Blob([content as BlobPart]), name);
  const origin = server.url.replace(/\/$/, "");
  return fetch(`${origin}${path}`, { method: "POST", body: form, redirect: "manual", headers: { cookie, origin } });
}

test("several files come with one commit, into a directory that may be new", async () => {
  const repo = aLibrary();
  expect((await page.get(`${repo}/_upload/main/src`)).text).toContain('type="file"');
  const bytes = Uint8Array.from({ length: 300 }, (_, at) => at % 256);
  const sent = await upload(
    `${repo}/_upload/main/src`,
    { tree_path: "src/new", commit_summary: "Bring two" },
    { "x.bin": bytes, "a b.txt": "text\n" },
  );
  expect([sent.status, sent.headers.get("location")]).toEqual([303, `${repo}/src/branch/main/src/new`]);
  const back = await call(server, "GET", `${repo}/raw/branch/main/src/new/a%20b.txt`, { cookie });
  expect(back.text).toBe("text\n");
  const stored = await fetch(`${server.url.replace(/\/$/, "")}${repo}/raw/branch/main/src/new/x.bin`);
  expect(new Uint8Array(await stored.arrayBuffer())).toEqual(bytes);
  expect((await page.get(`${repo}/commits/branch/main`)).text).toContain("Bring two");
});

test("a place for the commit that is none, and what is too long for it, make no commit", async () => {
  const repo = aLibrary();
  const before = await head(`${repo}/_edit/main/README.md`);
  const made = { tree_path: "a.txt", content: "a" };
  for (const [fields, words] of [
    [{ commit_choice: "elsewhere" }, "This is required."],
    [{ commit_choice: "direct", commit_summary: "s".repeat(101) }, "At most 100 characters."],
    [{ commit_choice: "commit-to-new-branch", new_branch_name: "b".repeat(101) }, "At most 100 characters."],
  ] as const) {
    const refused = await page.post(`${repo}/_new/main`, { ...made, ...fields });
    expect([fields, refused.status]).toEqual([fields, 422]);
    expect(refused.text).toContain(words);
  }
  expect(await head(`${repo}/_edit/main/README.md`)).toBe(before);
});

test("who asks for a new branch and does not name it gets no commit on the one that is there", async () => {
  const repo = aLibrary();
  const before = await head(`${repo}/_edit/main/README.md`);
  const apart = { commit_choice: "commit-to-new-branch", new_branch_name: " " };
  for (const [path, fields] of [
    ["_new/main", { tree_path: "a.txt", content: "a" }],
    ["_edit/main/README.md", { tree_path: "README.md", content: "b", last_commit: before }],
    ["_delete/main/README.md", { last_commit: before }],
    ["_diffpatch/main", { content: "--- /dev/null\n+++ b/p.txt\n@@ -0,0 +1 @@\n+a\n" }],
    [`_cherrypick/${before}/main`, { revert: "true" }],
  ] as const) {
    const refused = await page.post(`${repo}/${path}`, { ...fields, ...apart });
    expect([path, refused.status]).toEqual([path, 422]);
    expect(refused.text).toContain("This is required.");
  }
  expect(await head(`${repo}/_edit/main/README.md`)).toBe(before);
});

test("an upload that is refused says why, and nothing of it is stored", async () => {
  const repo = aLibrary();
  const before = await head(`${repo}/_edit/main/README.md`);
  for (const [fields, parts] of [
    [{ tree_path: "" }, {}],
    [{ tree_path: ".git" }, { "a.txt": "a" }],
    [{ tree_path: "README.md" }, { "a.txt": "a" }],
    [{ tree_path: "", commit_choice: "commit-to-new-branch", new_branch_name: "..bad" }, { "a.txt": "a" }],
  ] as const)
    expect((await upload(`${repo}/_upload/main/`, fields, parts)).status).toBe(422);
  const origin = server.url.replace(/\/$/, "");
  const junk = { method: "POST", body: "no form", redirect: "manual", headers: { cookie, origin } } as const;
  expect((await fetch(`${origin}${repo}/_upload/main/`, junk)).status).toBe(422);
  expect((await page.get(`${repo}/_upload/main/README.md`)).status).toBe(404);
  expect(await head(`${repo}/_edit/main/README.md`)).toBe(before);
});

test("a directory is deleted with all that is in it, and the way leads to what is left", async () => {
  const repo = aLibrary();
  expect(wordsOf((await page.get(`${repo}/_delete/main/src`)).text)).toContain("the directory and everything in it");
  const gone = await page.post(`${repo}/_delete/main/src/deep`, { last_commit: "" });
  expect([gone.status, gone.location]).toEqual([303, `${repo}/src/branch/main/src`]);
  expect((await page.get(`${repo}/src/branch/main/src/deep`)).status).toBe(404);
  expect((await page.post(`${repo}/_delete/main/src/deep`)).status).toBe(404);
  expect((await page.get(`${repo}/src/branch/main/src/a.ts`)).status).toBe(200);
});

test("what would change is shown before it is saved, also without script, and nothing is stored", async () => {
  const repo = aLibrary();
  const typed = { tree_path: "src/a.ts", content: "one\ntwo and a half\nthree\nfour\nfive\n", last_commit: "" };
  const whole = await page.post(`${repo}/_preview/main/src/a.ts`, { ...typed, kind: "diff" });
  expect(whole.status).toBe(200);
  for (const part of ["two and a half", '<table class="diff', `action="${repo}/_edit/main/src/a.ts"`])
    expect(whole.text).toContain(part);
  const part = await page.post(`${repo}/_preview/main/src/a.ts`, typed, { "hx-request-type": "partial" });
  expect([part.text.includes("<html"), part.text.includes('<table class="diff')]).toEqual([false, true]);
  const text = { tree_path: "README.md", content: "# Two\n\n[a](src)\n\n<script>x</script>", kind: "rendered" };
  const rendered = await page.post(`${repo}/_preview/main/README.md`, text, { "hx-request-type": "partial" });
  expect(rendered.text).toContain(`href="${repo}/src/branch/main/src"`);
  expect(rendered.text).not.toContain("<script>x");
  const fresh = await page.post(`${repo}/_preview/main/`, { tree_path: "n.ts", content: "let a", is_new: "true" });
  expect(fresh.text).toContain(`action="${repo}/_new/main"`);
  const within = { tree_path: "src/n.ts", content: "let a", is_new: "true" };
  const below = await page.post(`${repo}/_preview/main/src`, within);
  expect([below.status, below.text.includes('<table class="diff')]).toEqual([200, true]);
  expect(await raw(`${repo}/raw/branch/main/README.md`)).toBe(files["README.md"]);
});

test("a commit to a branch of its own leads to the comparison", async () => {
  const repo = aLibrary();
  const form = { tree_path: "README.md", content: "# Three\n", last_commit: "" };
  const made = await page.post(`${repo}/_edit/main/README.md`, {
    ...form,
    commit_choice: "commit-to-new-branch",
    new_branch_name: "ada-patch-1",
  });
  expect([made.status, made.location]).toEqual([303, `${repo}/compare/main...ada-patch-1`]);
  expect((await page.get(made.location)).text).toContain("Update README.md");
});

test("of two who change different lines the second is offered both, of the same lines not", async () => {
  const repo = aLibrary();
  const edit = `${repo}/_edit/main/src/a.ts`;
  const opened = await head(edit);
  const first = { tree_path: "src/a.ts", content: "ONE\ntwo\nthree\nfour\nfive\n", last_commit: opened };
  expect((await page.post(edit, first)).status).toBe(303);
  const second = { ...first, content: "one\ntwo\nthree\nfour\nFIVE\n" };
  const refused = await page.post(edit, second);
  expect([refused.status, refused.text.includes('name="merge"')]).toEqual([422, true]);
  const merged = await page.post(edit, { ...second, merge: "1" });
  expect([merged.status, merged.text.includes("ONE\ntwo\nthree\nfour\nFIVE\n")]).toEqual([200, true]);
  const both = { ...first, content: "ONE\ntwo\nthree\nfour\nFIVE\n", last_commit: await head(edit) };
  expect((await page.post(edit, both)).status).toBe(303);
  const same = await page.post(edit, { ...first, content: "eins\ntwo\nthree\nfour\nfive\n" });
  expect([same.status, same.text.includes('name="merge"')]).toEqual([422, false]);
});

test("the script numbers lines, colours them, indents, warns before it is left and keeps a draft", async () => {
  const repo = aLibrary();
  const browser: Browser = await aChromium();
  try {
    const [name = "", value = ""] = cookie.split("=");
    const context = await browser.newContext();
    await context.addCookies([{ name, value, url: server.url }]);
    const tab = await context.newPage();
    const address = `${server.url.replace(/\/$/, "")}${repo}/_edit/main/src/a.ts`;
    await tab.goto(address);
    await tab.locator(".editor[data-coloured]").waitFor();
    expect(await tab.locator(".editor-lines > span").count()).toBe(6);
    await tab.locator("#f-content").focus();
    await tab.keyboard.press("Control+Home");
    await tab.keyboard.press("Tab");
    await tab.keyboard.type("new ");
    expect((await tab.locator("#f-content").inputValue()).startsWith("  new one\n")).toBe(true);
    await tab.waitForFunction(() => localStorage.length > 0);
    await tab.getByRole("button", { name: "Changes", exact: true }).click();
    await tab.locator("#editor-preview .diff").waitFor();
    const warned = new Promise<string>((resolve) =>
      tab.once("dialog", (dialog) => {
        resolve(dialog.type());
        void dialog.accept();
      }),
    );
    await tab.goto(address);
    expect(await warned).toBe("beforeunload");
    await tab.getByRole("button", { name: "Restore it" }).click();
    expect((await tab.locator("#f-content").inputValue()).startsWith("  new one\n")).toBe(true);
    await tab.locator("#f-content").press("Control+Enter");
    await tab.waitForURL("**/src/branch/main/src/a.ts");
    await tab.waitForFunction(() => localStorage.length === 0);
  } finally {
    await browser.close();
  }
});
