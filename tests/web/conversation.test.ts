import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** The page of an issue, the form of a new one, and what the script of both asks for. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let asAda: Visitor;
let asBob: Visitor;
let anybody: Visitor;

const FORM = `name: Report
about: Something is broken
title: "Broken: "
body:
  - type: input
    id: version
    attributes:
      label: Version
    validations:
      required: true
  - type: checkboxes
    id: done
    attributes:
      label: Done
      options:
        - label: I looked
          required: true
`;

beforeAll(async () => {
  server = await aServer();
  [ada, bob] = await Promise.all([aUser(server, { login: "ada" }), aUser(server, { login: "bob" })]);
  aRepo(server, ada.user, { name: "engine" });
  aRepo(server, ada.user, { name: "forms", files: { ".gitea/ISSUE_TEMPLATE/report.yaml": FORM } });
  aRepo(server, ada.user, { name: "vault", isPrivate: true });
  const visitor = async (who: TestUser) => {
    return aPageOf(server, who.user);
  };
  [asAda, asBob, anybody] = [await visitor(ada), await visitor(bob), aPage(server)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

/** A new issue by its form. @returns its page */
async function anIssue(who: Visitor, fields: Record<string, string> = {}, repo = "engine"): Promise<string> {
  const made = await who.post(`/ada/${repo}/issues/new`, { title: "It leaks", content: "Really", ...fields });
  expect(made.status).toBe(303);
  return made.headers.get("location") ?? "";
}

test("an issue is made, commented, closed, reopened and edited by forms, without JavaScript", async () => {
  const page = await anIssue(asBob, { content: "- [ ] first\n- [x] second" });
  const said = await asBob.post(`${page}/comments`, { content: "See **this** and #1" });
  expect(said.headers.get("location")).toStartWith(`${page}#issuecomment-`);
  const closed = await asBob.post(`${page}/comments`, { content: "", status: "close" });
  expect(closed.headers.get("location")).toBe(page);
  expect((await asBob.post(`${page}/title`, { title: "It drips" })).status).toBe(303);
  const shown = await anybody.get(page);
  expect(shown.text).toContain("<strong>this</strong>");
  for (const words of ["It drips", "Closed", "closed this", "changed the title from", "1 of 2 tasks done", "1 comment"])
    expect(wordsOf(shown.text)).toContain(words);
  expect(shown.text).not.toContain('id="new-comment"');
  await asBob.post(`${page}/comments`, { content: "Again", status: "reopen" });
  expect(wordsOf((await anybody.get(page)).text)).toContain("reopened this");
});

test("a refused comment stands there again as it was typed", async () => {
  const page = await anIssue(asBob);
  const answer = await asBob.post(`${page}/comments`, { content: " " });
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('aria-invalid="true"');
});

test("an edit that is based on another text writes nothing over", async () => {
  const page = await anIssue(asBob);
  const form = await asBob.get(`${page}/edit`);
  expect(form.text).toContain('name="content_version" value="0"');
  expect((await asAda.post(`${page}/content`, { content: "Ada was here", content_version: "0" })).status).toBe(303);
  const late = await asBob.post(`${page}/content`, { content: "Bob was late", content_version: "0" });
  expect([late.status, late.text.includes("Bob was late")]).toEqual([400, true]);
  expect((await asBob.post(`${page}/content`, { content: "No version" })).status).toBe(400);
  expect((await anybody.get(page)).text).toContain("Ada was here");
  const history = await anybody.get(`${page}/history`);
  expect(history.text).toContain("<del>Really</del>");
  expect(history.text).toContain("<ins>Ada was here</ins>");
});

test("earlier texts over JSON: counted, listed, compared, taken away by whoever may", async () => {
  const page = await anIssue(asBob);
  await asBob.post(`${page}/content`, { content: "Secret: hunter2", content_version: "0" });
  await asBob.post(`${page}/content`, { content: "Nothing", content_version: "1" });
  const at = `${page}/content-history`;
  const json = async (who: Visitor, path: string) => JSON.parse((await who.get(`${at}/${path}`)).text);
  expect((await json(anybody, "overview")).editedHistoryCountMap).toEqual({ 0: 3 });
  const [, second] = (await json(anybody, "list?comment_id=0")).results as { value: number }[];
  const detail = await json(anybody, `detail?history_id=${second?.value}`);
  expect(detail).toMatchObject({
    canSoftDelete: false,
    diffHtml: expect.stringContaining("<ins>Secret: hunter2</ins>"),
  });
  expect((await anybody.get(`/ada/engine/issues/1/content-history/detail?history_id=${second?.value}`)).status).toBe(
    404,
  );
  const stranger = await aUser(server, {});
  const [name = "", secret = ""] = (await aSession(server, stranger.user)).split("=");
  const fields = { comment_id: "0", history_id: String(second?.value) };
  const refused = await aPage(server, new Map([[name, secret]])).post(`${at}/soft-delete`, fields);
  expect(refused.status).toBe(403);
  expect(JSON.parse((await asBob.post(`${at}/soft-delete`, fields)).text)).toEqual({ ok: true });
  expect((await anybody.get(`${page}/history`)).text).not.toContain("hunter2");
});

test("boxes are ticked one at a time, where they stand and nowhere else", async () => {
  const body = "```\n- [ ] code\n```\n\n1. [ ] one\n2. [x] two\n   - [ ] inside\n\n> - [ ] quoted";
  const page = await anIssue(asBob, { content: body });
  const tick = (task: number, done: string, version: number) =>
    asBob.post(`${page}/tasks`, { task: String(task), done, content_version: String(version) });
  expect(JSON.parse((await tick(2, "1", 0)).text)).toEqual({ content_version: 1 });
  expect(JSON.parse((await tick(1, "0", 1)).text)).toEqual({ content_version: 2 });
  expect(JSON.parse((await tick(3, "1", 2)).text)).toEqual({ content_version: 3 });
  expect((await tick(9, "1", 3)).status).toBe(409);
  expect((await tick(0, "1", 1)).status).toBe(409);
  const { body: issue } = await call<{ body: string }>(server, "GET", `/api/v1/repos${page}`);
  expect(issue.body).toBe("```\n- [ ] code\n```\n\n1. [ ] one\n2. [ ] two\n   - [x] inside\n\n> - [x] quoted");
});

test("reactions, labels, assignees, days, dependencies and watching by the forms beside it", async () => {
  const page = await anIssue(asAda);
  const other = await anIssue(asAda, { title: "The other one" });
  await asBob.post(`${page}/reactions/react`, { content: "heart" });
  await asAda.post(`${page}/assignees`, { assignees: "ada" });
  await asAda.post(`${page}/deadline`, { deadline: "2031-02-03" });
  // What is no day takes none away.
  await asAda.post(`${page}/deadline`, { deadline: "soon" });
  expect(wordsOf((await asAda.get(page)).text)).toContain("This is not a date.");
  await asAda.post(`${page}/dependency/add`, { dependency: `#${other.split("/").at(-1)}` });
  await asBob.post(`${page}/watch`, { watch: "1" });
  const words = wordsOf((await asBob.get(page)).text);
  for (const said of ["self-assigned this", "3 Feb 2031", "The other one", "Unsubscribe"])
    expect(words).toContain(said);
  expect((await asBob.get(page)).text).toContain('aria-pressed="true"');
  // For who may not, what changes it is not there.
  for (const [form, fields, status] of [
    ["deadline", { deadline: "2032-01-01" }, 404],
    ["labels", { labels: "1" }, 404],
    ["lock", {}, 404],
    ["pin", {}, 404],
    ["delete", { confirm: `#${page.split("/").at(-1)}` }, 404],
  ] as const)
    expect([form, (await asBob.post(`${page}/${form}`, fields)).status]).toEqual([form, status]);
  expect(wordsOf((await anybody.get(page)).text)).toContain("3 Feb 2031");
});

test("an issue is deleted when its number was typed", async () => {
  const page = await anIssue(asAda);
  await asAda.post(`${page}/delete`, { confirm: "#0" });
  expect((await anybody.get(page)).status).toBe(200);
  await asAda.post(`${page}/delete`, { confirm: `#${page.split("/").at(-1)}` });
  expect((await anybody.get(page)).status).toBe(404);
  // Who sends no form was not asked for it.
  const other = await anIssue(asAda);
  const gone = await asAda.post(`${other}/delete`, {});
  expect([gone.status, gone.location]).toEqual([303, other.replace(/\/\d+$/, "")]);
  expect((await anybody.get(other)).status).toBe(404);
});

test("a form of the repository's own is filled in, checked and made into a text", async () => {
  const choices = await asBob.get("/ada/forms/issues/new/choose");
  expect((await asBob.get("/ada/forms/issues/new")).status).toBe(303);
  expect(wordsOf(choices.text)).toContain("Something is broken");
  const path = ".gitea/ISSUE_TEMPLATE/report.yaml";
  const form = await asBob.get(`/ada/forms/issues/new?template=${encodeURIComponent(path)}`);
  expect(form.text).toContain('value="Broken: "');
  const fields = { title: "Broken: tap", "template-file": path, "form-field-done-0": "on" };
  const lacking = await asBob.post("/ada/forms/issues/new", fields);
  expect([lacking.status, lacking.text.includes('aria-invalid="true"')]).toEqual([422, true]);
  const page = await anIssue(asBob, { ...fields, "form-field-version": "1.2" }, "forms");
  const shown = wordsOf((await anybody.get(page)).text);
  for (const words of ["Version", "1.2", "I looked"]) expect(shown).toContain(words);
});

test("what came after the last visit is marked as new, until it was seen", async () => {
  const page = await anIssue(asAda);
  await asBob.get(page);
  await asAda.post(`${page}/comments`, { content: "Meanwhile" });
  expect((await asBob.get(page)).text).toContain("timeline-item is-new");
  expect((await asBob.get(page)).text).not.toContain("timeline-item is-new");
});

test("a long conversation is folded in its middle, and unfolded up to a comment", async () => {
  const page = await anIssue(asAda);
  const { comments, issues, repos } = server.services;
  const seen = repos.see({ ...(await adaItself()), user: ada.user }, "ada", "engine", () => "");
  const item = issues.see(seen, Number(page.split("/").at(-1)));
  const ids = server.core.db.transaction(() =>
    Array.from({ length: 1_000 }, (_, at) => comments.create(item, `comment number ${at}.`).entry.id),
  );
  const folded = await anybody.get(page);
  expect(wordsOf(folded.text)).toContain("Show 960 entries in between");
  expect(folded.text).toContain("comment number 9.");
  expect(folded.text).not.toContain("comment number 500.");
  expect(folded.text).toContain("comment number 999.");
  expect(folded.text.length).toBeLessThan(150_000);
  expect((await anybody.get(`${page}?until=70`)).text).toContain("comment number 69.");
  const unfolded = await anybody.get(`${page}?entry=${ids[300]}`);
  expect(unfolded.text).toContain(`id="issuecomment-${ids[300]}"`);
});

async function adaItself() {
  const { asAccount } = await import("../../src/access/principal.ts");
  return asAccount(ada.user);
}

test("what texts may go on with, and how they will read", async () => {
  await anIssue(asAda, { title: "A very special name" });
  const items = JSON.parse((await anybody.get("/ada/engine/issues/suggestions?q=special")).text);
  expect(items).toMatchObject([{ title: "A very special name", state: "open" }]);
  const people = JSON.parse((await asBob.get("/ada/engine/issues/suggestions?kind=people&q=ad")).text);
  expect(people).toMatchObject([{ value: "@ada" }]);
  const preview = await asBob.post("/ada/engine/issues/preview", { content: "**fat** <script>x</script>" });
  expect(preview.text).toContain("<strong>fat</strong>");
  expect(preview.text).not.toContain("<script");
});

test("private issues are nowhere, and hostile texts stay texts", async () => {
  const page = await anIssue(asAda, {}, "vault");
  for (const path of [page, `${page}/info`, `${page}/history`, `${page}/-/events`, "/ada/vault/issues/suggestions?q="])
    expect((await asBob.get(path)).status).toBe(404);
  const hostile = await anIssue(asBob, {
    title: "<img src=x onerror=alert(1)>",
    content: `${"[".repeat(20_000)}<script>alert(1)</script>${"> ".repeat(10_000)}`,
  });
  const shown = await anybody.get(hostile);
  expect(shown.status).toBe(200);
  expect(shown.text).not.toContain("<script>alert");
  expect(shown.text).not.toContain("<img src=x");
});

test("labels that one person changes together are one line, and what is new since the last visit is marked", async () => {
  const page = await anIssue(asBob, { title: "Labelled" });
  const number = Number(page.split("/").at(-1));
  const api = (method: string, path: string, who: TestUser, body?: unknown) =>
    call(server, method, `/api/v1/repos/ada/engine${path}`, { token: who.token, ...(body ? { body } : {}) });
  const ids: number[] = [];
  for (const name of ["soft", "hard"]) {
    const made = await api("POST", "/labels", ada, { name, color: "112233" });
    ids.push((JSON.parse(made.text) as { id: number }).id);
  }
  await api("POST", `/issues/${number}/labels`, ada, { labels: ids });
  await api("DELETE", `/issues/${number}/labels/${ids[0]}`, ada);
  const first = wordsOf((await asBob.get(page)).text);
  expect(first).toMatch(/ada added\s+hard\s+soft and removed\s+soft/);
  expect(first).not.toContain("New since your last visit");
  await api("POST", `/issues/${number}/comments`, ada, { body: "Later" });
  const again = (await asBob.get(page)).text;
  expect(again.split('id="new"')).toHaveLength(2);
  expect(again.indexOf('id="new"')).toBeLessThan(again.indexOf("Later"));
  expect(
    again.includes(
      `issues/new?body=${new URLSearchParams({ "": `> ${server.url.slice(0, -1)}${page}#` }).toString().slice(1)}`,
    ),
  ).toBe(true);
  expect((await asBob.get(page)).text).not.toContain('id="new"');
  expect((await anybody.get(page)).text).not.toContain("issues/new?body=");
});
