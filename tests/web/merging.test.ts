import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";

/** Pages about merging, as browsers without JavaScript use them: conflicts, the merge box, the merge queue. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const cookies = new Map<string, string>();

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  for (const { user } of [ada, bob]) cookies.set(user.login, await aSession(server, user));
});
afterAll(() => server.close());

const page = (path: string, who?: TestUser) =>
  call(server, "GET", path, who ? { cookie: cookies.get(who.login) ?? "" } : {});
const send = (path: string, who: TestUser, fields: Readonly<Record<string, string>>) =>
  call(server, "POST", path, {
    cookie: cookies.get(who.login) ?? "",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
const api = <Body>(method: string, path: string, body?: unknown, who = ada) =>
  call<Body>(server, method, `/api/v1/repos/${path}`, { token: who.token, ...(body === undefined ? {} : { body }) });

const base64 = (text: string | Uint8Array) => Buffer.from(text).toString("base64");

/** Puts files in place of what a branch has, in one commit; undefined: the file goes. */
async function change(
  repo: string,
  branch: string,
  files: Readonly<Record<string, string | Uint8Array | undefined>>,
  who = ada,
  newBranch?: string,
): Promise<void> {
  const operations = [];
  for (const [path, content] of Object.entries(files)) {
    const old = await api<{ sha: string }>("GET", `${repo}/contents/${path}?ref=${branch}`);
    const sha = old.status === 200 ? { sha: old.body.sha } : {};
    const operation = content === undefined ? "delete" : old.status === 200 ? "update" : "create";
    operations.push({ operation, path, ...sha, ...(content === undefined ? {} : { content: base64(content) }) });
  }
  const to = newBranch === undefined ? { branch } : { branch, new_branch: newBranch };
  const made = await api("POST", `${repo}/contents`, { ...to, message: "Change files", files: operations }, who);
  expect(made.status).toBe(201);
}

const text = async (repo: string, path: string, ref: string) => {
  const { body, status } = await api<{ content: string }>("GET", `${repo}/contents/${path}?ref=${ref}`);
  return status === 200 ? Buffer.from(body.content, "base64").toString() : undefined;
};

/** The values of hidden fields, as a browser would send them. */
function hidden(html: string): Record<string, string> {
  const found = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...found].map(([, name = "", value = ""]) => [name, value]));
}

const lines = (mark: string) => `one\ntwo ${mark}\nthree\n${"same\n".repeat(20)}four ${mark}\nfive\n`;

test("conflicts of texts are decided one by one, as a whole, or by a side, and become one merge commit", async () => {
  const { name } = aRepo(server, ada.user, {
    files: {
      "a.txt": lines(""),
      "b.txt": "old\n",
      "gone.txt": "old\n",
      "crlf.txt": "old\r\n",
      "bin.dat": new Uint8Array([0, 1, 2]),
    },
  });
  const repo = `ada/${name}`;
  const all = (mark: string, deletes: boolean) => ({
    "a.txt": lines(mark),
    "b.txt": `${mark}\n`,
    "crlf.txt": `${mark}\r\n`,
    "gone.txt": deletes ? undefined : `${mark}\n`,
    "bin.dat": new Uint8Array([0, mark.length]),
  });
  await change(repo, "main", all("ours", true), ada, "work");
  await change(repo, "main", all("theirs!", false));
  expect((await api("POST", `${repo}/pulls`, { head: "work", base: "main", title: "Work" })).status).toBe(201);
  const at = `/${repo}/pulls/1`;
  expect((await page(at, ada)).text).toContain(`href="${at}/conflicts"`);

  // A reader sees what conflicts, and no form.
  const read = await page(`${at}/conflicts`, bob);
  expect([read.status, read.text.includes("two theirs!"), read.text.includes("textarea")]).toEqual([200, true, false]);
  expect((await send(`${at}/conflicts`, bob, hidden((await page(`${at}/conflicts`, ada)).text))).status).toBe(403);

  const shown = (await page(`${at}/conflicts`, ada)).text;
  const fields = hidden(shown);
  const paths = Object.entries(fields).filter(([field]) => field.startsWith("path-"));
  expect(paths.map(([, path]) => path)).toEqual(["a.txt", "b.txt", "bin.dat", "crlf.txt", "gone.txt"]);
  const some = {
    ...fields,
    "how-0": "pieces",
    "piece-0-0": "theirs",
    "piece-0-1": "own",
    "own-piece-0-1": "mine\r\nand more",
    "how-1": "text",
    "text-1": "whole\r\nnew text\r\n",
    "how-2": "ours",
    "how-3": "pieces",
    "piece-3-0": "theirs-ours",
  };
  // Nothing is said of the last file: refused, and what was typed is still there.
  const refused = await send(`${at}/conflicts`, ada, some);
  expect([refused.status, refused.text.includes("mine\nand more")]).toEqual([422, true]);
  const marked = { ...some, "how-4": "theirs", "text-1": "<<<<<<< work\nx\n" };
  expect((await send(`${at}/conflicts`, ada, marked)).status).toBe(422);
  const main = await api<{ commit: { id: string } }>("GET", `${repo}/branches/main`);
  const done = await send(`${at}/conflicts`, ada, { ...some, "how-4": "theirs", message: "Both" });
  expect([done.status, done.headers.get("location")]).toEqual([303, at]);
  expect(await text(repo, "a.txt", "work")).toBe(
    `one\ntwo theirs!\nthree\n${"same\n".repeat(20)}mine\nand more\nfive\n`,
  );
  expect(await text(repo, "b.txt", "work")).toBe("whole\nnew text\n");
  expect(await text(repo, "crlf.txt", "work")).toBe("theirs!\r\nours\r\n");
  expect(await text(repo, "gone.txt", "work")).toBe("theirs!\n");
  expect(await text(repo, "bin.dat", "work")).toBe("\0\u0004");
  const tip = await api<{ commit: { id: string; message: string } }>("GET", `${repo}/branches/work`);
  expect(tip.body.commit.message.trim()).toBe("Both");
  const commit = await api<{ parents: { sha: string }[] }>("GET", `${repo}/git/commits/${tip.body.commit.id}`);
  expect(commit.body.parents[1]?.sha).toBe(main.body.commit.id);
  expect((await api<{ mergeable: boolean }>("GET", `${repo}/pulls/1`)).body.mergeable).toBe(true);
  expect((await page(`${at}/conflicts`, ada)).text).toContain("There are no conflicts.");
  // The head has moved since: what was decided of the old one is refused.
  expect((await send(`${at}/conflicts`, ada, { ...some, "how-4": "theirs" })).status).toBe(422);
});

test("a maintainer decides conflicts on the branch of a fork whose owner lets them, and no one else does", async () => {
  const { name } = aRepo(server, ada.user, { files: { "a.txt": "old\n" } });
  expect((await api("POST", `ada/${name}/forks`, { name: `fork-${name}` }, bob)).status).toBe(202);
  const fork = `bob/fork-${name}`;
  await change(fork, "main", { "a.txt": "bob\n" }, bob, "work");
  await change(`ada/${name}`, "main", { "a.txt": "ada\n" });
  const head = "bob:work";
  const closed = { head, base: "main", title: "Work", allow_maintainer_edit: false };
  expect((await api("POST", `ada/${name}/pulls`, closed, bob)).status).toBe(201);
  const at = `/ada/${name}/pulls/1`;
  expect((await page(`${at}/conflicts`, ada)).text).not.toContain("textarea");
  await api("PATCH", `ada/${name}/pulls/1`, { allow_maintainer_edit: true }, bob);
  const fields = hidden((await page(`${at}/conflicts`, ada)).text);
  const done = await send(`${at}/conflicts`, ada, { ...fields, "how-0": "pieces", "piece-0-0": "ours-theirs" });
  expect(done.status).toBe(303);
  expect(await text(fork, "a.txt", "work")).toBe("bob\nada\n");
  expect(server.errors).toEqual([]);
});

test("deleting the branch is offered to whoever may delete it: not for another's fork", async () => {
  const { name } = aRepo(server, ada.user, { files: { "a.txt": "old\n" } });
  expect((await api("POST", `ada/${name}/forks`, { name: `fork-${name}` }, bob)).status).toBe(202);
  await change(`bob/fork-${name}`, "main", { "a.txt": "bob\n" }, bob, "theirs");
  await change(`ada/${name}`, "main", { "b.txt": "ada\n" }, ada, "ours");
  const pulls = `ada/${name}/pulls`;
  expect((await api("POST", pulls, { head: "bob:theirs", base: "main", title: "Theirs" }, bob)).status).toBe(201);
  expect((await api("POST", pulls, { head: "ours", base: "main", title: "Ours" })).status).toBe(201);
  const offered = async (number: number) => {
    const { text: html } = await page(`/ada/${name}/pulls/${number}`, ada);
    expect(html).toContain('name="merge_title_field"');
    return html.includes('name="delete_branch_after_merge"');
  };
  expect([await offered(1), await offered(2)]).toEqual([false, true]);
});

test("the merge box shows checks with links, and the page of the queue who waits", async () => {
  const { name } = aRepo(server, ada.user, { files: { "a.txt": "old\n" } });
  const repo = `ada/${name}`;
  const rule = { rule_name: "main", enable_status_check: true, status_check_contexts: ["ci/*", "lint"] };
  await api("POST", `${repo}/branch_protections`, { ...rule, require_merge_queue: true });
  await change(repo, "main", { "b.txt": "b\n" }, ada, "work");
  const { body } = await api<{ head: { sha: string } }>("POST", `${repo}/pulls`, {
    head: "work",
    base: "main",
    title: "Work",
  });
  const status = {
    context: "ci/build",
    state: "failure",
    target_url: "https://ci.example.org/7",
    description: "Broken",
  };
  await api("POST", `${repo}/statuses/${body.head.sha}`, status);
  const unsafe = { context: "other", state: "success", target_url: "javascript:alert(1)" };
  await api("POST", `${repo}/statuses/${body.head.sha}`, unsafe);
  const at = `/${repo}/pulls/1`;
  const box = (await page(`${at}/merge_box`, ada)).text;
  for (const part of ['href="https://ci.example.org/7"', "Broken", "<code>lint</code>", "Add to merge queue"])
    expect(box).toContain(part);
  expect(box).not.toContain("javascript:");
  expect(box).not.toContain("<html");
  const head = /name="head_commit_id" value="([0-9a-f]+)"/.exec(box)?.[1] ?? "";
  expect((await send(`${at}/queue`, ada, { do: "merge", head_commit_id: head })).status).toBe(303);
  expect((await page(at, ada)).text).toContain("at position 1");
  const queue = await page(`/${repo}/merge_queue`, bob);
  expect([queue.status, queue.text.includes(`href="${at}"`), queue.text.includes("unqueue")]).toEqual([
    200,
    true,
    false,
  ]);
  expect((await page(`/${repo}/merge_queue`, ada)).text).toContain(`${at}/unqueue`);
  expect((await send(`${at}/unqueue`, ada, {})).status).toBe(303);
  expect((await page(`/${repo}/merge_queue`)).text).toContain("No pull request is waiting.");
});

test("another method than the one that was filled in gets its own message, unless someone wrote one", async () => {
  const { name } = aRepo(server, ada.user, { files: { "a.txt": "old\n" } });
  const repo = `ada/${name}`;
  const merged = async (branch: string, number: number, fields: Readonly<Record<string, string>>) => {
    await change(repo, "main", { [`${branch}.txt`]: "b\n" }, ada, branch);
    await api("POST", `${repo}/pulls`, { head: branch, base: "main", title: `Work ${branch}`, body: "Why" });
    const box = (await page(`/${repo}/pulls/${number}`, ada)).text;
    const title = /name="merge_title_field"[^>]*value="([^"]*)"/.exec(box)?.[1] ?? "";
    const message = /<textarea[^>]*name="merge_message_field"[^>]*>([^<]*)/.exec(box)?.[1] ?? "";
    const plain = title.replaceAll("&#x27;", "'");
    const asked = { prefilled: "merge", merge_title_field: plain, merge_message_field: message, do: "squash" };
    expect((await send(`/${repo}/pulls/${number}/merge`, ada, { ...asked, ...fields })).status).toBe(303);
    return (await api<{ commit: { message: string } }>("GET", `${repo}/branches/main`)).body.commit.message.trim();
  };
  expect(await merged("one", 1, {})).toBe("Work one (#1)\n\nWhy");
  expect(await merged("two", 2, { merge_title_field: "My own" })).toStartWith("My own\n");
});
