import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";

/** Pages of pull requests, as browsers without JavaScript use them. */

let server: TestServer;
let ada: TestUser;
let grace: TestUser;
const cookies = new Map<string, string>();

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  grace = await aUser(server, { login: "grace" });
  for (const { user } of [ada, grace]) cookies.set(user.login, await aSession(server, user));
});
afterAll(() => server.close());

const cookieOf = (who: TestUser) => cookies.get(who.login) ?? "";
const page = (path: string, who?: TestUser) => call(server, "GET", path, who ? { cookie: cookieOf(who) } : {});
const send = (path: string, who: TestUser, fields: Readonly<Record<string, string>>) =>
  call(server, "POST", path, {
    cookie: cookieOf(who),
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });

async function aBranch(repo: string, branch: string, path: string, text: string): Promise<void> {
  const body = { content: Buffer.from(text).toString("base64"), branch: "main", new_branch: branch, message: "Add it" };
  await call(server, "POST", `/api/v1/repos/ada/${repo}/contents/${path}`, { token: ada.token, body });
}

/** What the next page would say: the message the answer left in its cookie. */
function said(answer: { headers: Headers }): string {
  const kept = /hearth_flash=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? "";
  return Buffer.from(kept, "base64url").toString();
}

test("a pull request is made from a comparison, reviewed, answered, resolved and merged by forms alone", async () => {
  const { name } = aRepo(server, ada.user, { name: "engine", files: { "a.txt": "a\n" } });
  await aBranch(name, "add-parser", "parser.txt", "one\ntwo\n");
  expect((await page(`/ada/${name}/pulls/new/add-parser`, ada)).headers.get("location")).toBe(
    `/ada/${name}/compare/main...add-parser?expand=1`,
  );
  const compare = `/ada/${name}/compare/main...add-parser`;
  expect((await page(compare, ada)).text).toContain('value="Add it"');
  expect((await page(compare)).text).not.toContain('name="content"');
  const made = await send(compare, ada, { title: "Add the parser", content: "It <b>reads</b> **all**.", draft: "on" });
  expect([made.status, made.headers.get("location")]).toEqual([303, `/ada/${name}/pulls/1`]);
  const at = `/ada/${name}/pulls/1`;
  const first = (await page(at)).text;
  expect(first).toContain("WIP: Add the parser");
  expect(first).toContain("<strong>all</strong>");
  expect(first).not.toContain(`action="${at}`);
  expect((await page(compare, ada)).text).toContain(`href="${at}"`);

  await send(`${at}/draft`, ada, { draft: "false" });
  const line = { path: "parser.txt", side: "proposed", line: "2", content: "Why two?" };
  expect((await send(`${at}/files/reviews/comments`, grace, line)).status).toBe(303);
  const review = { type: "reject", content: "Not yet" };
  const sent = await send(`${at}/files/reviews/submit`, grace, review);
  const [, anchor] = /#(issuecomment-\d+)$/.exec(sent.headers.get("location") ?? "") ?? [];
  expect([sent.status, sent.headers.get("location")]).toEqual([303, `${at}#${anchor}`]);
  expect((await page(at, ada)).text).toContain(`id="${anchor}"`);
  const reviewed = (await page(at, ada)).text;
  for (const text of ["Changes requested", "Not yet", "Why two?", "+two"]) expect(reviewed).toContain(text);
  const id = /name="comment_id" value="(\d+)"/.exec(reviewed)?.[1] ?? "";
  await send(`${at}/replies`, ada, { comment_id: id, content: "Because." });
  const resolve = `${at.replace(/pulls\/\d+$/, "issues")}/resolve_conversation`;
  expect((await page(at, ada)).text).toContain(`action="${resolve}"`);
  const resolved = await send(resolve, ada, { comment_id: id, action: "Resolve", origin: "timeline" });
  expect(resolved.headers.get("location")).toStartWith(`${at}#issuecomment-`);
  expect((await page(at, grace)).text).toContain("Because.");
  expect((await page(at, grace)).text).toContain("Resolved");

  await send(`${at}/merge`, grace, { do: "merge" });
  expect((await page(at)).text).not.toContain("badge-merged");
  const head = /name="head_commit_id" value="([0-9a-f]+)"/.exec((await page(at, ada)).text)?.[1] ?? "";
  await send(`${at}/merge`, ada, { do: "squash", merge_title_field: "Parsed", head_commit_id: head });
  const merged = (await page(at, ada)).text;
  expect(merged).toContain("badge-merged");
  expect(merged).toContain("cleanup");
  await send(`${at}/cleanup`, ada, {});
  expect((await page(at, ada)).text).toContain("deleted the branch <code>add-parser</code>");
  expect((await page(`/ada/${name}`, ada)).text).toContain("Parsed");
});

test("each of its pages is there, also once the branch is gone; its texts are those of the API", async () => {
  const { name } = aRepo(server, ada.user, { name: "parts", files: { "a.txt": "a\n" } });
  await aBranch(name, "topic", "b.txt", "b\n");
  await send(`/ada/${name}/compare/main...topic`, ada, { title: "Parts" });
  const at = `/ada/${name}/pulls/1`;
  const diff = (await page(`${at}.diff`)).text;
  expect(diff).toStartWith("diff --git");
  expect(diff).toBe((await call(server, "GET", `/api/v1/repos/ada/${name}/pulls/1.diff`)).text);
  await call(server, "DELETE", `/api/v1/repos/ada/${name}/branches/topic`, { token: ada.token });
  for (const sub of ["", "/commits", "/files", ".diff", ".patch"])
    expect([sub, (await page(at + sub)).status]).toEqual([sub, 200]);
  const list = JSON.parse((await page(`${at}/commits/list`)).text);
  expect(list).toMatchObject({ last_review_commit_sha: "", locale: { show_all_commits: "All changes" } });
  expect(list.commits).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      short_sha: expect.stringMatching(/^[0-9a-f]{10}$/),
      summary: "Add it",
      committer_or_author_name: "ada",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ]);
  for (const sub of ["/pulls/2", "/pulls/x", "/pulls/0/files"])
    expect([sub, (await page(`/ada/${name}${sub}`)).status]).toEqual([sub, 404]);
  await send(`${at}/comments`, ada, { content: "Bye", status: "close" });
  expect((await page(at)).text).toContain("Bye");
});

test("the forms and facts of an item are below its number, as an issue and as a pull request", async () => {
  const { name } = aRepo(server, ada.user, { files: { "a.txt": "a\n" } });
  const repo = `/repos/ada/${name}`;
  const file = { content: btoa("b\n"), message: "Add b", new_branch: "b" };
  await call(server, "POST", `/api/v1${repo}/contents/b.txt`, { token: ada.token, body: file });
  const pull = { title: "B", head: "b", base: "main" };
  expect((await call(server, "POST", `/api/v1${repo}/pulls`, { token: ada.token, body: pull })).status).toBe(201);
  for (const kind of ["issues", "pulls"]) {
    const at = `/ada/${name}/${kind}/1`;
    expect((await send(`${at}/title`, ada, { title: `As ${kind}` })).status).toBe(303);
    expect((await page(`${at}/info`)).text).toContain(`As ${kind}`);
    expect((await page(`${at}/content-history/overview`)).status).toBe(200);
    expect((await page(`${at}/attachments`)).text).toBe("[]");
    expect((await send(`${at}/time_estimate`, ada, { time_estimate: "1h" })).headers.get("location")).toBe(
      `/ada/${name}/pulls/1`,
    );
  }
});

test("a branch is closed and reopened with a comment; what is refused is said in words", async () => {
  const { name } = aRepo(server, ada.user, { name: "words", files: { "a.txt": "a\n" } });
  await aBranch(name, "topic", "b.txt", "b\n");
  await send(`/ada/${name}/compare/main...topic`, ada, { title: "Words" });
  const at = `/ada/${name}/pulls/1`;
  await send(`${at}/comments`, ada, { content: "", status: "close" });
  expect((await page(at)).text).toContain("closed this");
  await send(`${at}/comments`, ada, { content: "", status: "reopen" });
  expect((await page(at)).text).toContain("reopened this");
  const again = await send(`/ada/${name}/compare/main...topic`, ada, { title: "Again" });
  expect(said(again)).toContain("already");
  const own = await send(`${at}/files/reviews/submit`, ada, { type: "approve" });
  expect(said(own)).toContain("approve their own");
  expect(own.headers.get("location")).toBe(`${at}/files`);
  // A review that was sent is shown where it stands in the conversation.
  const sent = await send(`${at}/files/reviews/submit`, ada, { type: "comment", content: "Hm" });
  expect(sent.headers.get("location")).toMatch(/\/pulls\/1#issuecomment-\d+$/);
  expect(server.errors).toEqual([]);
});

test("the form of a new pull request begins with its only commit and the template, and takes what is planned", async () => {
  const { name } = aRepo(server, ada.user, {
    files: {
      "a.txt": "a\n",
      ".gitea/pull_request_template.md": "---\nname: Change\nabout: A change\nlabels: [bug]\n---\nWhat and why?",
    },
  });
  const api = <Body>(path: string, body: unknown) =>
    call<Body>(server, "POST", `/api/v1/repos/ada/${name}/${path}`, { token: ada.token, body });
  const label = await api<{ id: number }>("labels", { name: "bug", color: "#ff0000" });
  const milestone = await api<{ id: number }>("milestones", { title: "Soon" });
  await call(server, "PUT", `/api/v1/repos/ada/${name}/collaborators/grace`, {
    token: ada.token,
    body: { permission: "write" },
  });
  const content = Buffer.from("text\n").toString("base64");
  const message = "Parse it\n\nIt was not parsed.";
  await api("contents/b.txt", { content, branch: "main", new_branch: "it's-new", message });
  const compare = `/ada/${name}/compare/main...it's-new`;
  const shown = (await page(compare, ada)).text;
  for (const part of [
    'value="Parse it"',
    "It was not parsed.\n\nWhat and why?",
    `name="labels" value="${label.body.id}" checked`,
    'name="reviewers" value="grace"',
    "-o &#x27;topic=it",
  ])
    expect(shown).toContain(part);
  expect(shown).not.toContain('name="reviewers" value="ada"');
  expect((await page(compare, grace)).text).toContain("new-pull");
  const planned = { labels: `${label.body.id}`, assignees: "grace", milestone_id: `${milestone.body.id}` };
  const none = await send(compare, ada, { ...planned, title: "", content: "Kept", reviewers: "grace" });
  expect(none.headers.get("location")).toContain("body=Kept");
  const made = await send(compare, ada, { ...planned, title: "Parse it", content: "Text", reviewers: "grace" });
  expect(made.headers.get("location")).toBe(`/ada/${name}/pulls/1`);
  const pull = await call(server, "GET", `/api/v1/repos/ada/${name}/pulls/1`, { token: ada.token });
  expect(pull.body).toMatchObject({
    labels: [{ name: "bug" }],
    assignees: [{ login: "grace" }],
    milestone: { title: "Soon" },
    requested_reviewers: [{ login: "grace" }],
  });
});

test("a template that is a form is filled in, and becomes the text", async () => {
  const form = `name: Change\nabout: A change\nbody:\n  - type: input\n    id: why\n    attributes:\n      label: Why\n`;
  const files = { "a.txt": "a\n", ".github/PULL_REQUEST_TEMPLATE.yaml": form };
  const { name } = aRepo(server, ada.user, { files });
  await aBranch(name, "more", "b.txt", "b\n");
  const compare = `/ada/${name}/compare/main...more`;
  expect((await page(compare, ada)).text).toContain('name="form-field-why"');
  const fields = { title: "More", "form-field-why": "Because", "template-file": ".github/PULL_REQUEST_TEMPLATE.yaml" };
  expect((await send(compare, ada, fields)).status).toBe(303);
  const pull = await call<{ body: string }>(server, "GET", `/api/v1/repos/ada/${name}/pulls/1`, { token: ada.token });
  expect(pull.body.body).toBe("### Why\n\nBecause");
});

test("of equal branches an empty one can be made, unless it would be taken for merged", async () => {
  const { name } = aRepo(server, ada.user, { name: "equal", files: { "a.txt": "a\n" } });
  await call(server, "POST", `/api/v1/repos/ada/${name}/branches`, {
    token: ada.token,
    body: { new_branch_name: "same" },
  });
  const compare = `/ada/${name}/compare/main...same`;
  expect((await page(compare)).text).toContain("There is no need to create a pull request.");
  expect((await page(`/ada/${name}/compare/main...main`, ada)).text).not.toContain('name="content"');
  expect((await page(compare, ada)).text).toContain("These branches are equal. This PR will be empty.");
  const settings = { allow_manual_merge: true, autodetect_manual_merge: true };
  await call(server, "PATCH", `/api/v1/repos/ada/${name}`, { token: ada.token, body: settings });
  expect((await page(compare, ada)).text).not.toContain('name="content"');
  await call(server, "PATCH", `/api/v1/repos/ada/${name}`, {
    token: ada.token,
    body: { autodetect_manual_merge: false },
  });
  const made = await send(compare, ada, { title: "Nothing yet" });
  expect([made.status, made.headers.get("location")]).toEqual([303, `/ada/${name}/pulls/1`]);
});

test("an unknown way merges nothing, and the form may say how a branch is brought up to date", async () => {
  const { name } = aRepo(server, ada.user, { name: "ways", files: { "a.txt": "a\n" } });
  await aBranch(name, "topic", "b.txt", "b\n");
  await send(`/ada/${name}/compare/main...topic`, ada, { title: "Ways" });
  await aBranch(name, "main", "c.txt", "c\n");
  const at = `/ada/${name}/pulls/1`;
  const refused = await send(`${at}/merge`, ada, { do: "by-hand" });
  expect([refused.status, refused.headers.get("location"), said(refused).includes("error")]).toEqual([303, at, true]);
  type Pull = { merged: boolean; head: { sha: string } };
  const pull = async () =>
    (await call<Pull>(server, "GET", `/api/v1/repos/ada/${name}/pulls/1`, { token: ada.token })).body;
  expect((await pull()).merged).toBe(false);
  expect((await send(`${at}/update`, ada, { style: "rebase" })).status).toBe(303);
  const path = `/api/v1/repos/ada/${name}/git/commits/${(await pull()).head.sha}`;
  const head = await call<{ parents: { sha: string }[] }>(server, "GET", path, { token: ada.token });
  const main = await call<{ commit: { id: string } }>(server, "GET", `/api/v1/repos/ada/${name}/branches/main`, {});
  expect(head.body.parents.map(({ sha }) => sha)).toEqual([main.body.commit.id]);
});
