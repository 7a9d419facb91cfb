import { afterAll, beforeAll, expect, test } from "bun:test";
import type { User } from "../../src/access/user.ts";
import { anApi, aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Pages of wikis: reading, writing, revisions, and what is said when others write at the same time. */

let server: TestServer;
let ada: TestUser;
let asAda: Visitor;
let asBob: Visitor;
let visitor: Visitor;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  const bob: User = (await aUser(server, { login: "bob" })).user;
  [asAda, asBob, visitor] = [await aPageOf(server, ada.user), await aPageOf(server, bob), aPage(server)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

function aRepository(name: string): string {
  aRepo(server, ada.user, { name, files: { "a.md": "a\n" } });
  return `/ada/${name}/wiki`;
}
const write = async (name: string, title: string, text: string) =>
  expect(
    (
      await api("POST", `/repos/ada/${name}/wiki/new`, ada, {
        title,
        content_base64: Buffer.from(text).toString("base64"),
      })
    ).status,
  ).toBe(201);
const fieldOf = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";

test("a wiki is begun, read, changed, renamed and deleted in pages", async () => {
  const base = aRepository("engine");
  expect(wordsOf((await asAda.get(base)).text)).toContain("Write the first page");
  expect(wordsOf((await visitor.get(base)).text)).toContain("Nothing has been written yet");
  expect((await visitor.get("/ada/engine")).text).toContain(`href="${base}"`);
  expect((await asBob.get(`${base}?action=_new`)).status).toBe(404);
  expect((await visitor.get(`${base}?action=_new`)).location).toContain("/user/login?redirect_to=");
  expect((await asAda.get(`${base}?action=_new`)).text).toContain('value="Home"');
  const made = await asAda.post(`${base}?action=_new`, {
    title: "Home",
    content: "# Hello\r\n\r\nSee [[A B]], [[x-y]] and ![p](images/p.png).\r\n\r\n## Two\r\n",
    message: "begin",
  });
  expect([made.status, made.location]).toEqual([303, `${base}/Home`]);
  expect((await asBob.post(`${base}?action=_new`, { title: "X", content: "x" })).status).toBe(404);
  const page = (await visitor.get(base)).text;
  for (const part of [
    "<h1>Home</h1>",
    `href="${base}/A-B"`,
    `src="${base}/raw/images/p.png"`,
    'href="#user-content-two"',
    "/ada/engine.wiki.git",
  ])
    expect(page).toContain(part);
  expect(page).not.toContain("action=_edit");

  const form = (await asAda.get(`${base}/Home?action=_edit`)).text;
  const changed = await asAda.post(`${base}/Home?action=_edit`, {
    title: "A B",
    content: "changed",
    expected: fieldOf(form, "expected"),
  });
  expect([changed.status, changed.location]).toEqual([303, `${base}/A-B`]);
  expect(wordsOf((await visitor.get(`${base}/A-B`)).text)).toContain("changed");
  expect((await visitor.get(base)).text).toContain(`href="${base}/A-B"`);

  const gone = await asAda.post(`${base}/A-B?action=_delete`);
  expect([gone.status, gone.location]).toEqual([303, `${base}/`]);
  expect(wordsOf((await asAda.get(`${base}/`)).text)).toContain("There are no pages.");
});

test("the form says what is asked for where its address does not", async () => {
  const base = aRepository("worded");
  const made = await asAda.post(base, { action: "_new", title: "A B", content: "one" });
  expect([made.status, made.location]).toEqual([303, `${base}/A-B`]);
  const edited = await asAda.post(`${base}/A-B`, { action: "_edit", title: "A B", content: "two" });
  expect([edited.status, edited.location]).toEqual([303, `${base}/A-B`]);
  expect((await visitor.get(`${base}/A-B`)).text).toContain("two");
  expect((await asBob.post(`${base}/A-B`, { action: "_delete" })).status).toBe(404);
  expect((await asAda.post(`${base}/A-B`, { action: "_delete" })).location).toBe(`${base}/`);
  expect((await asAda.post(base, { title: "X", content: "x" })).status).toBe(404);
});

test("addresses lead to pages, files, the page of a like title, or the list that says what is missing", async () => {
  const base = aRepository("ways");
  for (const title of ["Home", "A B", "x-y", "search", "commit", "a/b"]) await write("ways", title, `of ${title}`);
  for (const [path, words] of [
    ["/A-B", "of A B"],
    ["/A%20B", "of A B"],
    ["/x-y.-", "of x-y"],
    ["/search", "of search"],
    ["/commit", "of commit"],
    ["/a/b", "of a/b"],
    ["/a%2Fb", "of a/b"],
    ["/Home.md", "of Home"],
    ["/", "of Home"],
  ])
    expect([path, wordsOf((await visitor.get(base + path)).text).includes(words ?? "?")]).toEqual([path, true]);
  expect((await visitor.get(`${base}/x-y`)).location).toBe(`${base}/x-y.-`);
  const missing = await visitor.get(`${base}/Nothing%20<b>`);
  expect([missing.status, missing.location]).toEqual([303, `${base}/?action=_pages`]);
  const list = (await visitor.get(missing.location)).text;
  expect(wordsOf(list)).toContain("There is no page called Nothing <b> yet.");
  expect(list).toContain(`href="${base}/a%2Fb"`);
  expect((await visitor.get("/ada/ways.wiki/A-B?x=1")).location).toBe(`${base}/A-B?x=1`);
  expect((await visitor.get("/ada/ways.wiki.git")).location).toBe(base);
  const raw = await visitor.get(`${base}/raw/A-B.md`);
  expect([raw.status, raw.text, raw.headers.get("content-type")?.startsWith("text/plain")]).toEqual([
    200,
    "of A B",
    true,
  ]);
  for (const path of ["/raw/none.png", "/raw/..%2F..%2Fx", "/raw/", "/commit/abcdef0", "/A-B?version=abcdef0"])
    expect([path, (await visitor.get(base + path)).status]).toEqual([path, 404]);
});

test("sidebar and footer stand around every page but themselves", async () => {
  const base = aRepository("around");
  for (const [title, text] of [
    ["Home", "body"],
    ["_Sidebar", "beside [[Home]]"],
    ["_Footer", "below"],
  ] as const)
    await write("around", title, text);
  const home = wordsOf((await visitor.get(base)).text);
  for (const word of ["body", "beside", "below"]) expect(home).toContain(word);
  const side = (await visitor.get(`${base}/_Sidebar`)).text;
  expect(side.match(/beside/g)).toHaveLength(1);
});

test("who writes at the same time is told, and loses no text", async () => {
  const base = aRepository("both");
  await write("both", "Home", "one");
  const expected = fieldOf((await asAda.get(`${base}/Home?action=_edit`)).text, "expected");
  const first = { title: "Home", content: "two", expected };
  expect((await asAda.post(`${base}/Home?action=_edit`, first)).status).toBe(303);
  const late = await asAda.post(`${base}/Home?action=_edit`, { title: "Home", content: "my own words", expected });
  expect(late.status).toBe(422);
  expect(wordsOf(late.text)).toContain("ada changed this page while you were writing");
  expect(late.text).toContain("my own words");
  expect(late.text).toMatch(/href="\/ada\/both\/wiki\/commit\/[0-9a-f]{40}"/);
  expect((await visitor.get(base)).text).toContain("two");
  // The second time it was seen.
  const over = { title: "Home", content: "my own words", expected: fieldOf(late.text, "expected") };
  expect((await asAda.post(`${base}/Home?action=_edit`, over)).status).toBe(303);
  expect((await asAda.post(`${base}/Home?action=_delete`, { expected })).location).toBe(`${base}/Home`);
  await api("DELETE", "/repos/ada/both/wiki/page/Home", ada);
  const gone = await asAda.post(`${base}/Home?action=_edit`, over);
  expect([gone.status, gone.text.includes("my own words")]).toEqual([422, true]);
  expect(wordsOf(gone.text)).toContain("was deleted while you were writing");
  expect(gone.text).toContain(`action="${base}/?action=_new"`);
});

test("what is refused is said beside its field, with the text", async () => {
  const base = aRepository("refused");
  await write("refused", "Home", "one");
  for (const [title, words] of [
    ["", "The page needs a title."],
    ["_new", "_new is reserved by the wiki."],
    ["Home", "A page with this title already exists."],
    ["x".repeat(300), "The title is too long."],
  ] as const) {
    const answer = await asAda.post(`${base}?action=_new`, { title, content: "kept text" });
    expect([title, answer.status, wordsOf(answer.text).includes(words)]).toEqual([title, 422, true]);
    expect(answer.text).toContain("kept text");
  }
  const preview = await asAda.post(`${base}?action=_preview`, { content: "**bold** [[Home]]" });
  expect(preview.text).toContain("<strong>bold</strong>");
  expect(preview.text).toContain(`href="${base}/Home"`);
  expect((await asAda.post(`${base}?action=_other`)).status).toBe(404);
});

test("revisions are listed, shown, compared and written again", async () => {
  const base = aRepository("past");
  await write("past", "Home", "one\n");
  await api("PATCH", "/repos/ada/past/wiki/page/Home", ada, {
    content_base64: btoa("two <i>\n"),
    message: "<b>second</b>",
  });
  const list = (await visitor.get(`${base}/Home?action=_revision`)).text;
  expect(wordsOf(list)).toContain("2 revisions");
  expect(list).toContain("&lt;b&gt;second");
  const [second = "", first = ""] = [...list.matchAll(/name="to" value="([0-9a-f]{40})"/g)].map(([, sha]) => sha ?? "");
  const old = (await visitor.get(`${base}/Home?version=${first}`)).text;
  expect(wordsOf(old)).toContain("This is the page as it was");
  expect(old).toContain("one");
  const again = (await asAda.get(`${base}/Home?action=_edit&version=${first}`)).text;
  expect(again).toContain("one");
  const commit = (await visitor.get(`${base}/commit/${second}`)).text;
  for (const part of ["&lt;b&gt;second", "two"]) expect(commit).toContain(part);
  expect((await visitor.get(`${base}/commit/${second}.diff`)).text).toContain("-one");
  expect((await visitor.get(`${base}/commit/${second}.patch`)).text).toContain("Subject:");
  const compared = await visitor.get(`${base}/Home?action=_compare&from=${first}&to=${second}`);
  expect([compared.status, wordsOf(compared.text).includes("Changes of Home")]).toEqual([200, true]);
  // Commits of the code are none of the wiki's.
  const code = await api<{ commit: { id: string } }>("GET", "/repos/ada/past/branches/main", ada);
  expect((await visitor.get(`${base}/commit/${code.body.commit.id}`)).status).toBe(404);
});

test("lines around a change of a long page are fetched from the wiki", async () => {
  const base = aRepository("long");
  const lines = Array.from({ length: 80 }, (_, n) => `line ${n}`);
  await write("long", "Home", lines.join("\n"));
  lines[40] = "changed";
  await api("PATCH", "/repos/ada/long/wiki/page/Home", ada, { content_base64: btoa(lines.join("\n")) });
  const { body } = await api<{ last_commit: { sha: string } }>("GET", "/repos/ada/long/wiki/page/Home", ada);
  const commit = (await visitor.get(`${base}/commit/${body.last_commit.sha}`)).text;
  const excerpt = /data-excerpt="([^"]*)"/.exec(commit)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(excerpt).toStartWith(`${base}/blob_excerpt/`);
  const rows = await visitor.get(`${excerpt}&last_left=0&last_right=0&left=38&right=38&direction=up`);
  expect([rows.status, rows.text.includes("line 30")]).toEqual([200, true]);
});

test("search finds titles before texts, and all words", async () => {
  const base = aRepository("found");
  for (const [title, text] of [
    ["Home", "the engine turns\nwheels\n"],
    ["The engine", "nothing else"],
    ["Other", "the ENGINE <b>stops</b>"],
  ] as const)
    await write("found", title, text);
  const words = wordsOf((await visitor.get(`${base}/search?q=Engine`)).text);
  expect(words).toContain("3 pages");
  expect(words.indexOf("The engine")).toBeLessThan(words.indexOf("the engine turns"));
  expect(words).toContain("the ENGINE <b>stops</b>");
  expect(wordsOf((await visitor.get(`${base}/search?q=engine+wheels`)).text)).toContain("1 page");
  expect(wordsOf((await visitor.get(`${base}/search?q=.*`)).text)).toContain("Nothing matches");
  expect((await visitor.get(`${base}/search?q=`)).location).toBe(`${base}/?action=_pages`);
  expect((await visitor.get(`${base}/search?q=${"a".repeat(5000)}`)).status).toBe(200);
});

test("a wiki that is elsewhere is led to, one that is off is gone, and the whole of one is deleted by name", async () => {
  const base = aRepository("away");
  await write("away", "Home", "here");
  await api("PATCH", "/repos/ada/away", ada, {
    has_wiki: true,
    external_wiki: { external_wiki_url: "https://wiki.invalid/start" },
  });
  for (const path of ["", "/Home", "/?action=_pages", "?action=_new"])
    expect([path, (await visitor.get(base + path)).location]).toEqual([path, "https://wiki.invalid/start"]);
  expect((await visitor.get(`${base}/raw/Home.md`)).status).toBe(404);
  await api("PATCH", "/repos/ada/away", ada, { has_wiki: false });
  for (const who of [visitor, asAda]) expect((await who.get(base)).status).toBe(404);
  expect((await asAda.post(`${base}?action=_new`, { title: "x", content: "x" })).status).toBe(404);
  await api("PATCH", "/repos/ada/away", ada, { has_wiki: true });
  expect((await visitor.get(base)).text).toContain("here");
  const settings = "/ada/away/settings";
  expect((await asAda.get(settings)).text).toContain("delete-wiki");
  const wrong = await asAda.post(settings, { action: "delete-wiki", repo_name: "other" });
  expect([wrong.status, (await visitor.get(base)).text.includes("here")]).toEqual([422, true]);
  expect((await asAda.post(settings, { action: "delete-wiki", repo_name: "ada/away" })).status).toBe(303);
  expect(wordsOf((await visitor.get(base)).text)).toContain("Nothing has been written yet");
  expect((await asAda.get(settings)).text).not.toContain("delete-wiki");
});

test("the settings say where the wiki is, and who may write it", async () => {
  const base = aRepository("placed");
  const settings = "/ada/placed/settings/wiki";
  expect((await asBob.get(settings)).status).toBe(404);
  expect((await asAda.get(settings)).text).toContain('value="here" checked');
  const bad = await asAda.post(settings, { wiki: "elsewhere", wiki_url: "javascript:alert(1)" });
  expect([bad.status, bad.text.includes("javascript:alert(1)")]).toEqual([422, true]);
  expect((await asAda.post(settings, { wiki: "elsewhere", wiki_url: "https://wiki.invalid/x" })).status).toBe(303);
  expect((await visitor.get(base)).location).toBe("https://wiki.invalid/x");
  await asAda.post(settings, { wiki: "off" });
  expect((await visitor.get(base)).status).toBe(404);
  await asAda.post(settings, { wiki: "here", for_everyone: "on" });
  expect((await asAda.get(settings)).text).toContain('name="for_everyone" type="checkbox" value="on" checked');
  expect((await asBob.post(`${base}?action=_new`, { title: "Home", content: "by bob" })).status).toBe(303);
  expect((await visitor.get(base)).text).toContain("by bob");
});

test("what cannot be shown as a page is offered raw", async () => {
  const base = aRepository("raw");
  await api("POST", "/repos/ada/raw/wiki/new", ada, { title: "Bytes", content_base64: "YQBi" });
  await write("raw", "Large", "z".repeat(2 * 2 ** 20 + 1));
  for (const [page, words] of [
    ["Bytes", "This page is not text."],
    ["Large", "This page is too large to be shown."],
  ] as const) {
    const shown = (await visitor.get(`${base}/${page}`)).text;
    expect(wordsOf(shown)).toContain(words);
    expect(shown).toContain(`href="${base}/raw/${page}.md"`);
    const edit = await asAda.get(`${base}/${page}?action=_edit`);
    expect([edit.status, edit.location]).toEqual([303, `${base}/${page}`]);
  }
  const bytes = await call(server, "GET", `${base}/raw/Bytes.md`);
  expect(bytes.headers.get("content-security-policy")).toContain("sandbox");
});
