import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import type { User } from "../../src/access/user.ts";
import { aRepo, aServer, aUser, type TestServer } from "../builders.ts";
import { aChromium } from "./chromium.ts";

/** What is shown in frames of its own, and what they keep from the page and the site. */

let server: TestServer;
let ada: User;
let browser: Browser;
beforeAll(async () => {
  server = await aServer();
  ada = (await aUser(server, { login: "ada" })).user;
  browser = await aChromium();
});
afterAll(async () => {
  await browser.close();
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const CAST = '{"version":2,"width":20,"height":4}\n[0.1,"o","hello</script><script>parent.hit=1</script>"]\n';
const NOTEBOOK = JSON.stringify({
  nbformat: 4,
  cells: [{ cell_type: "markdown", source: "# Title <script>x</script>" }],
});
const files = {
  "README.md":
    '```mermaid\ngraph TD\n  A["First<script>alert(1)</script>"] --> B["<img src=x onerror=alert(1)>"]\n```\n\n```mermaid\nnonsense ->\n```\n',
  "demo.cast": CAST,
  "openapi.json": '{"openapi":"3.0.0","info":{"title":"Things","version":"1"},"paths":{}}',
  "broken/openapi.yaml": "a: [",
  "n.ipynb": NOTEBOOK,
  "t.csv": "a,b\n1,2\n",
};
const aLibrary = (): string => `/ada/${aRepo(server, ada, { files }).name}`;
const root = () => server.url.replace(/\/$/, "");
const get = (path: string) => fetch(`${root()}${path}`, { redirect: "manual" });

test("a file in a frame has no origin, and loads nothing but the library", async () => {
  const repo = aLibrary();
  for (const file of ["demo.cast", "openapi.json", "n.ipynb"]) {
    const answer = await get(`${repo}/render/branch/main/${file}`);
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect([file, answer.status, answer.headers.get("content-type")]).toEqual([file, 200, "text/html; charset=utf-8"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/; sandbox allow-scripts(?!.*allow-same-origin)/);
    expect(policy).not.toContain("connect-src");
    const text = await answer.text();
    for (const [, src] of text.matchAll(/(?:src|href)="(http[^"]+)"/g)) {
      const library = await fetch(src ?? "");
      expect([src, library.status, library.headers.get("cache-control")]).toEqual([
        src,
        200,
        "public, max-age=31536000, immutable",
      ]);
      await library.arrayBuffer();
    }
    // What a file holds ends no script, and is none.
    expect(text).not.toContain("<script>parent.hit");
    expect(text).not.toContain("<script>x");
  }
});

test("what needs no frame, is broken or is not there has none", async () => {
  const repo = aLibrary();
  for (const [file, status] of [
    ["t.csv", 400],
    ["README.md", 400],
    ["broken/openapi.yaml", 400],
    ["nothing.cast", 404],
    ["broken", 404],
  ] as const)
    expect([file, (await get(`${repo}/render/branch/main/${file}`)).status]).toEqual([file, status]);
  expect((await get("/-/viewer/1/constructor")).status).toBe(404);
});

test("diagrams are drawn in a real browser, and what cannot be drawn is read", async () => {
  const repo = aLibrary();
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("dialog", () => asked.push("a dialog"));
  await page.goto(`${root()}${repo}`);
  const frames = page.locator("iframe.viewer-diagram");
  // The second fence is no diagram: its frame goes, and the reason comes.
  await page.locator(".readme p.muted").waitFor({ timeout: 120_000 });
  const drawn = frames.first().contentFrame();
  await drawn.locator("svg").waitFor({ timeout: 120_000 });
  expect(await drawn.locator("svg script, svg [onerror]").count()).toBe(0);
  await page.locator("pre:has(> code.language-mermaid)").first().waitFor({ state: "hidden", timeout: 120_000 });
  expect(await page.locator("pre:has(> code.language-mermaid):visible").count()).toBe(1);
  expect(asked.filter((url) => !url.startsWith(root()) && !url.startsWith("data:"))).toEqual([]);
  await context.close();
});

test("recordings and API documents are shown", async () => {
  const repo = aLibrary();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${root()}${repo}/src/branch/main/demo.cast`);
  await page.locator("iframe.viewer").contentFrame().locator(".ap-player").waitFor({ timeout: 120_000 });
  await page.goto(`${root()}${repo}/src/branch/main/openapi.json`);
  const shown = page.locator("iframe.viewer").contentFrame().getByText("Things");
  await shown.first().waitFor({ timeout: 120_000 });
  await context.close();
});
