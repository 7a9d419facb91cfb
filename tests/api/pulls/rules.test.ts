import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { anApi, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";

/** Single rules of pull requests over REST: words of refusals, whose reviews count, what messages of merges say. */

let server: TestServer;
let own: TestUser;
let wri: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  own = await aUser(server, { login: "own" });
  wri = await aUser(server, { login: "wri" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

interface Review {
  readonly id: number;
  readonly official: boolean;
  readonly dismissed: boolean;
}

/** A repository of `own` that `wri` writes to, with a branch `work`. */
async function aPlace(name: string): Promise<string> {
  aRepo(server, own.user, { name, files: { "a.txt": "a\n" } });
  const at = `/repos/own/${name}`;
  await api("PUT", `${at}/collaborators/wri`, own, { permission: "write" });
  await write(at, "b.txt", { branch: "main", new_branch: "work" });
  return at;
}

const write = async (at: string, path: string, fields: object) => {
  const made = await api("POST", `${at}/contents/${path}`, own, { content: btoa(`${path}\n`), ...fields });
  expect(made.status).toBe(201);
};

async function aPull(at: string, fields: object = {}, who = own): Promise<string> {
  const asked = { head: "work", base: "main", title: "Work", ...fields };
  const made = await api<{ number: number }>("POST", `${at}/pulls`, who, asked);
  expect(made.status).toBe(201);
  return `${at}/pulls/${made.body.number}`;
}

test("a branch that is not there is named in the refusal", async () => {
  const at = await aPlace("named");
  for (const asked of [
    { head: 'no"where', base: "main" },
    { head: "work", base: 'no"where' },
  ]) {
    const answer = await api<{ message: string }>("POST", `${at}/pulls`, own, { ...asked, title: "x" });
    expect([answer.status, answer.body.message]).toEqual([404, 'ref "no"where" does not exist']);
  }
});

test("whoever is blocked by the owner or the poster asks nobody for a review", async () => {
  const at = await aPlace("blocked");
  const out = await aUser(server, { login: "out" });
  expect((await api("POST", `${at}/forks`, out, { name: "mine" })).status).toBe(202);
  await settled(server);
  const file = { content: btoa("c\n"), branch: "main", new_branch: "theirs" };
  expect((await api("POST", "/repos/out/mine/contents/c.txt", out, file)).status).toBe(201);
  const pull = await aPull(at, { head: "out:theirs" }, out);
  expect((await api("PUT", `/user/blocks/out`, own)).status).toBe(204);
  const answer = await api<{ message: string }>("POST", `${pull}/requested_reviewers`, out, { reviewers: ["wri"] });
  expect([answer.status, answer.body.message]).toEqual([403, "user is blocked"]);
  expect((await api<Review[]>("GET", `${pull}/reviews`, own)).body).toEqual([]);
});

/** A pull request from the branch `theirs` of that person's fork, which is called `copy`. */
async function aForkPull(at: string, who: TestUser): Promise<string> {
  const { login } = who.user;
  expect((await api("POST", `${at}/forks`, who, { name: "copy" })).status).toBe(202);
  await settled(server);
  const file = { content: btoa("c\n"), branch: "main", new_branch: "theirs" };
  expect((await api("POST", `/repos/${login}/copy/contents/c.txt`, who, file)).status).toBe(201);
  return aPull(at, { head: `${login}:theirs` }, who);
}

test("one whose fork was deleted cannot be reopened, though the fork is still in the bin", async () => {
  const at = await aPlace("unforked");
  const dora = await aUser(server, { login: "dora" });
  const pull = await aForkPull(at, dora);
  expect((await api("DELETE", "/repos/dora/copy", dora)).status).toBe(204);
  const answer = await api<{ message: string }>("PATCH", pull, own, { state: "open" });
  expect([answer.status, answer.body.message]).toEqual([400, "the head branch theirs does not exist any more"]);
  expect((await api<{ state: string }>("GET", pull, own)).body.state).toBe("closed");
});

test("one that was merged outlives its fork as one without a branch", async () => {
  const at = await aPlace("outlived");
  const cleo = await aUser(server, { login: "cleo" });
  const pull = await aForkPull(at, cleo);
  expect((await api("POST", `${pull}/merge`, own, { do: "merge" })).status).toBe(200);
  expect((await api("DELETE", "/repos/cleo/copy", cleo)).status).toBe(204);
  const now = await api<{ number: number; head: object }>("GET", pull, own);
  const ref = `refs/pull/${now.body.number}/head`;
  expect(now.body.head).toMatchObject({ label: "theirs", ref, repo_id: -1, repo: null });
});

test("who merged stays someone when their account is gone", async () => {
  const at = await aPlace("merged");
  const admin = await aUser(server, { login: "root", isAdmin: true });
  const gone = await aUser(server, { login: "gone" });
  await api("PUT", `${at}/collaborators/gone`, own, { permission: "write" });
  const pull = await aPull(at);
  const open = await api<{ merged_by: unknown }>("GET", pull, own);
  expect(open.body.merged_by).toBeNull();
  expect((await api("POST", `${pull}/merge`, gone, { do: "merge" })).status).toBe(200);
  expect((await api("DELETE", "/admin/users/gone", admin)).status).toBe(204);
  const now = await api<{ merged: boolean; merged_by: { login: string } }>("GET", pull, own);
  expect([now.body.merged, now.body.merged_by.login]).toEqual([true, "Ghost"]);
});

test("an approval counts again once the verdict after it is deleted and its dismissal taken back", async () => {
  const at = await aPlace("official");
  await api("POST", `${at}/branch_protections`, own, { rule_name: "main", required_approvals: 1 });
  const pull = await aPull(at);
  const approval = await api<Review>("POST", `${pull}/reviews`, wri, { event: "APPROVED" });
  const rejection = await api<Review>("POST", `${pull}/reviews`, wri, { event: "REQUEST_CHANGES", body: "no" });
  expect((await api("DELETE", `${pull}/reviews/${rejection.body.id}`, wri)).status).toBe(204);
  const [left] = (await api<Review[]>("GET", `${pull}/reviews`, own)).body;
  expect(left).toMatchObject({ id: approval.body.id, official: true, dismissed: true });
  expect((await api("POST", `${pull}/merge`, own, { do: "merge" })).status).toBe(405);
  expect((await api("POST", `${pull}/reviews/${approval.body.id}/undismissals`, own)).status).toBe(200);
  expect((await api("POST", `${pull}/merge`, own, { do: "merge" })).status).toBe(200);
});

test("an approval for a branch that is deleted is judged again for the one that takes its place", async () => {
  const at = await aPlace("retargeted");
  const rule = { rule_name: "main", required_approvals: 1, enable_approvals_whitelist: true };
  await api("POST", `${at}/branch_protections`, own, { ...rule, approvals_whitelist_username: ["own"] });
  await write(at, "c.txt", { branch: "work", new_branch: "more" });
  const pull = await aPull(at, { head: "more", base: "work" });
  const approval = await api<Review>("POST", `${pull}/reviews`, wri, { event: "APPROVED" });
  expect(approval.body.official).toBe(true);
  expect((await api("DELETE", `${at}/branches/work`, own)).status).toBe(204);
  await settled(server);
  const now = await api<{ state: string; base: { ref: string }; changed_files: number }>("GET", pull, own);
  expect(now.body).toMatchObject({ state: "open", base: { ref: "main" }, changed_files: 2 });
  expect((await api<Review[]>("GET", `${pull}/reviews`, own)).body).toMatchObject([{ official: false }]);
  const refused = await api<{ message: string }>("POST", `${pull}/merge`, own, { do: "merge" });
  expect([refused.status, refused.body.message]).toEqual([405, "Does not have enough approvals"]);
  const number = pull.split("/").at(-1);
  const entries = (await api<{ type: string; body: string }[]>("GET", `${at}/issues/${number}/timeline`, own)).body;
  const pushes = entries.filter(({ type }) => type === "pull_push");
  expect(pushes.map(({ body }) => (JSON.parse(body) as { commit_ids: string[] }).commit_ids.length)).toEqual([2]);
});

test("templates of messages know the issues that close, and what the last commit of a rebase said", async () => {
  const at = await aPlace("templates");
  const template = (style: string, text: string) =>
    write(at, `.gitea/default_merge_message/${style}_TEMPLATE.md`, { content: btoa(text) });
  await template("REBASE", "$CommitTitle (#$PullRequestIndex)\n\n$CommitBody");
  await template("MERGE", "$PullRequestTitle: $ClosingIssues");
  for (const title of ["one", "two"]) await api("POST", `${at}/issues`, own, { title });
  const last = async () =>
    (await api<{ commit: { message: string }; parents: unknown[] }[]>("GET", `${at}/commits?limit=1`, own)).body[0];

  await write(at, "c.txt", { branch: "work", message: "Add c\n\nIt was missing." });
  const rebased = await aPull(at, { title: "Letters" });
  expect((await api("POST", `${rebased}/merge`, own, { do: "rebase" })).status).toBe(200);
  expect((await last())?.commit.message).toBe("Add c (#3)\n\nIt was missing.\n");

  await write(at, "d.txt", { branch: "main", new_branch: "more" });
  const merged = await aPull(at, { head: "more", title: "Done", body: "fixes #1, closes #2" });
  expect((await api("POST", `${merged}/merge`, own, { do: "merge" })).status).toBe(200);
  expect((await last())?.commit.message).toBe("Done: close #1, close #2\n");
});

test("a squash names the other authors, after the trailers that its text has", async () => {
  const at = await aPlace("squash");
  const by = (name: string, email: string) => ({ author: { name, email }, branch: "work" });
  await write(at, "c.txt", by("Cleo", "cleo@example.org"));
  await write(at, "d.txt", by("Another name", own.user.email));
  const pull = await aPull(at, { body: "All letters." });
  const { mergeMessages, pulls, repos } = server.services;
  const proposed = async () => {
    const seen = repos.see(asAccount(own.user), "own", "squash", () => "");
    return (await mergeMessages.of(pulls.see(seen, 1), "squash")).body;
  };
  const cleo = "Co-authored-by: Cleo <cleo@example.org>";
  expect(await proposed()).toBe(`All letters.\n\n---------\n\n${cleo}`);
  await api("PATCH", pull, own, { body: "All letters.\n\nSigned-off-by: Own <own@example.org>" });
  expect(await proposed()).toBe(`All letters.\n\nSigned-off-by: Own <own@example.org>\n${cleo}`);
  await api("PATCH", pull, own, { body: "" });
  expect(await proposed()).toBe(`---------\n\n${cleo}`);
});

/** The last one: no job runs after it. */
test("what is pushed after an approval is not merged on it, however soon", async () => {
  const at = await aPlace("stale");
  const rule = { rule_name: "main", required_approvals: 1, dismiss_stale_approvals: true };
  await api("POST", `${at}/branch_protections`, own, rule);
  const pull = await aPull(at);
  await api("POST", `${pull}/reviews`, wri, { event: "APPROVED" });
  await settled(server);
  // As right after a push: what follows from it waits its turn, and the merge does not wait for that.
  await server.core.jobs.stop(0);
  await write(at, "c.txt", { branch: "work" });
  const merge = await api<{ message: string }>("POST", `${pull}/merge`, own, { do: "merge" });
  expect([merge.status, merge.body.message]).toEqual([405, "Does not have enough approvals"]);
  const [approval] = (await api<Review[]>("GET", `${pull}/reviews`, own)).body;
  expect(approval?.dismissed).toBe(true);
});
