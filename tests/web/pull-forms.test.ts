import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aTeam,
  aUser,
  settled,
  type TestServer,
  type TestUser,
} from "../builders.ts";
import { aPageOf, type Visitor } from "./browser-calls.ts";

/** Forms around the conversation of a pull request: its base, its branch, who reviews it and who may push to it. */

let server: TestServer;
let own: TestUser;
let wri: TestUser;
let out: TestUser;
const pages = new Map<TestUser, Visitor>();
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  [own, wri, out] = (await Promise.all(["own", "wri", "out"].map((login) => aUser(server, { login })))) as [
    TestUser,
    TestUser,
    TestUser,
  ];
  for (const who of [own, wri, out]) pages.set(who, await aPageOf(server, who.user));
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

interface Pull {
  readonly number: number;
  readonly base: { readonly ref: string };
  readonly head: { readonly sha: string };
  readonly merged: boolean;
  readonly allow_maintainer_edit: boolean;
  readonly requested_reviewers: { readonly login: string }[];
  readonly requested_reviewers_teams: { readonly name: string }[];
}

const page = async (who: TestUser, path: string) => (await pages.get(who)?.get(path))?.text ?? "";
/** @returns what the page says of it; empty: it was done in silence */
async function send(who: TestUser, path: string, fields: Record<string, string>): Promise<string> {
  const answer = await pages.get(who)?.post(path, fields);
  expect([path, answer?.status]).toEqual([path, 303]);
  return Buffer.from(
    /hearth_flash=([^;]+)/.exec(answer?.headers.get("set-cookie") ?? "")?.[1] ?? "",
    "base64url",
  ).toString();
}

let made = 0;
async function aPull(who: TestUser, owner: string, repo: string, from = owner, fromRepo = repo): Promise<number> {
  const branch = `work-${++made}`;
  const change = { content: "eA==", branch: "main", new_branch: branch };
  expect((await api("POST", `/repos/${from}/${fromRepo}/contents/${branch}.txt`, who, change)).status).toBe(201);
  const head = from === owner ? branch : `${from}/${fromRepo}:${branch}`;
  const pull = await api<Pull>("POST", `/repos/${owner}/${repo}/pulls`, who, { title: "Work", head, base: "main" });
  expect(pull.status).toBe(201);
  return pull.body.number;
}

const read = async (owner: string, repo: string, number: number) =>
  (await api<Pull>("GET", `/repos/${owner}/${repo}/pulls/${number}`, own)).body;

test("the base is changed by who may edit, and what stands against it is said", async () => {
  const { name } = aRepo(server, own.user, { files: { "a.txt": "a\n" } });
  await api("POST", `/repos/own/${name}/branches`, own, { new_branch_name: "dev" });
  const number = await aPull(own, "own", name);
  const at = `/own/${name}/pulls/${number}`;
  expect(await page(own, at)).toContain('<option value="dev">');
  expect(await page(out, at)).not.toContain("target_branch");
  expect(await send(own, `${at}/target_branch`, { target_branch: "nowhere" })).toContain("There is no branch nowhere.");
  const foreign = await pages.get(out)?.post(`${at}/target_branch`, { target_branch: "dev" });
  expect(foreign?.status).toBe(403);
  expect((await read("own", name, number)).base.ref).toBe("main");
  await send(own, `${at}/target_branch`, { target_branch: "dev" });
  expect((await read("own", name, number)).base.ref).toBe("dev");
  await send(own, `/own/${name}/pull/${number}/target_branch`, { target_branch: "main" });
  expect((await read("own", name, number)).base.ref).toBe("main");
});

test("a merge that is scheduled again is made as it was said last", async () => {
  const { name } = aRepo(server, own.user, { files: { "a.txt": "a\n" } });
  await api("PUT", `/repos/own/${name}/collaborators/wri`, own, { permission: "write" });
  const rule = { rule_name: "main", enable_status_check: true, status_check_contexts: ["ci"] };
  await api("POST", `/repos/own/${name}/branch_protections`, own, rule);
  const number = await aPull(own, "own", name);
  const at = `/own/${name}/pulls/${number}`;
  const later = { merge_when_checks_succeed: "true", merge_title_field: "First" };
  await send(own, `${at}/merge`, { ...later, do: "merge" });
  await send(wri, `${at}/merge`, { ...later, do: "squash", merge_title_field: "Second" });
  await api("POST", `/repos/own/${name}/statuses/work-${made}`, own, { state: "success", context: "ci" });
  await settled(server);
  const merged = await api<{ merged_by: { login: string } }>("GET", `/repos/own/${name}/pulls/${number}`, own);
  expect(merged.body.merged_by.login).toBe("wri");
  const [last] = (await api<{ commit: { message: string } }[]>("GET", `/repos/own/${name}/commits`, own)).body;
  expect(last?.commit.message).toStartWith("Second");
});

test("teams are asked while a pull request is made", async () => {
  const org = anOrganization(server, own.user);
  const { name } = aRepo(server, org, { creator: own.user, files: { "a.txt": "a\n" } });
  const team = aTeam(server, org, { name: "early", permission: "write", units: ["repo.code", "repo.pulls"] });
  await api("PUT", `/teams/${team.id}/repos/${org.login}/${name}`, own);
  const change = { content: "eA==", branch: "main", new_branch: "topic" };
  await api("POST", `/repos/${org.login}/${name}/contents/b.txt`, own, change);
  const compare = `/${org.login}/${name}/compare/main...topic`;
  expect(await page(own, compare)).toContain('name="team_reviewers" value="early"');
  expect(await page(out, compare)).not.toContain("team_reviewers");
  await send(own, compare, { title: "Work", team_reviewers: "early" });
  expect((await read(org.login, name, 1)).requested_reviewers_teams).toMatchObject([{ name: "early" }]);
});

test("programs name the reviewers of a new pull request by number, teams with a minus", async () => {
  const org = anOrganization(server, own.user);
  const { name } = aRepo(server, org, { creator: own.user, files: { "a.txt": "a\n" } });
  const units = ["repo.code", "repo.pulls"];
  const team = aTeam(server, org, { name: "numbered", permission: "write", units, members: [wri.user] });
  const foreign = aTeam(server, anOrganization(server, out.user), { name: "secret", permission: "write", units });
  await api("PUT", `/teams/${team.id}/repos/${org.login}/${name}`, own);
  const change = { content: "eA==", branch: "main", new_branch: "topic" };
  await api("POST", `/repos/${org.login}/${name}/contents/b.txt`, own, change);
  const reviewer_ids = `${wri.user.id}, -${team.id},-${foreign.id},999999,x`;
  expect(await send(own, `/${org.login}/${name}/compare/main...topic`, { title: "Work", reviewer_ids })).toBe("");
  const { requested_reviewers, requested_reviewers_teams } = await read(org.login, name, 1);
  expect(requested_reviewers.map(({ login }) => login)).toEqual(["wri"]);
  expect(requested_reviewers_teams.map((each) => each.name)).toEqual(["numbered"]);
});

test("people and teams are asked and unasked, and an administrator dismisses a verdict", async () => {
  const org = anOrganization(server, own.user);
  const { name } = aRepo(server, org, { creator: own.user, files: { "a.txt": "a\n" } });
  const team = aTeam(server, org, {
    name: "lookers",
    permission: "write",
    units: ["repo.code", "repo.pulls"],
    members: [wri.user],
  });
  await api("PUT", `/teams/${team.id}/repos/${org.login}/${name}`, own);
  const number = await aPull(own, org.login, name);
  const at = `/${org.login}/${name}/pulls/${number}`;
  const asked = async () => {
    const { requested_reviewers, requested_reviewers_teams } = await read(org.login, name, number);
    return [...requested_reviewers.map(({ login }) => login), ...requested_reviewers_teams.map((found) => found.name)];
  };
  expect(await page(own, at)).toContain('<option value="lookers">');
  const items = `/${org.login}/${name}/issues`;
  const [, id = ""] = /name="issue_ids" value="(\d+)"/.exec(await page(own, at)) ?? [];
  const request = (who: TestUser, fields: Record<string, string>) =>
    send(who, `${items}/request_review`, { issue_ids: id, redirect_to: at, ...fields });
  expect(await request(own, { reviewer: "", team: "lookers" })).toBe("");
  await request(own, { reviewer: "wri", team: "" });
  expect(await asked()).toEqual(["wri", "lookers"]);
  expect(await request(out, { action: "detach", team: "lookers" })).not.toBe("");
  expect(await asked()).toEqual(["wri", "lookers"]);
  await request(own, { action: "detach", team: "lookers" });
  // Whoever was asked says no.
  expect(await page(wri, at)).toContain("Take back the request to wri");
  await request(wri, { action: "detach", reviewer: "wri" });
  expect(await asked()).toEqual([]);
  // Programs send numbers, teams with a minus.
  const byNumber = (who: TestUser, fields: Record<string, string>, ids = id) =>
    pages.get(who)?.post(`${items}/request_review?issue_ids=${ids}`, fields);
  for (const each of [String(wri.user.id), String(-team.id)]) {
    const answer = await byNumber(own, { action: "attach", id: each });
    expect([answer?.status, JSON.parse(answer?.text ?? "")]).toEqual([200, { ok: true, redirect: items }]);
  }
  expect(await asked()).toEqual(["wri", "lookers"]);
  expect((await byNumber(out, { action: "detach", id: String(-team.id) }))?.status).toBe(403);
  expect((await byNumber(own, { action: "attach", id: String(own.user.id) }))?.status).toBe(403);
  const foreign = aTeam(server, anOrganization(server, out.user), {
    name: "covert",
    permission: "write",
    units: ["repo.code"],
  });
  for (const each of ["999999", String(-foreign.id)]) {
    const answer = await byNumber(own, { action: "attach", id: each });
    expect([answer?.status, answer?.text.includes("covert")]).toEqual([404, false]);
  }
  expect((await byNumber(own, { action: "attach", id: String(wri.user.id) }, "999999"))?.status).toBe(404);
  for (const each of [String(wri.user.id), String(-team.id)]) await byNumber(own, { action: "detach", id: each });
  expect(await asked()).toEqual([]);

  await send(wri, `${at}/files/reviews/submit`, { type: "reject", content: "Not yet" });
  const review = /name="review_id" value="(\d+)"/.exec(await page(own, at))?.[1] ?? "";
  expect(review).not.toBe("");
  expect(await page(wri, at)).not.toContain("dismiss_review");
  const dismiss = `${items}/dismiss_review`;
  expect((await pages.get(wri)?.post(dismiss, { review_id: review }))?.status).toBe(404);
  expect((await pages.get(own)?.post(dismiss, { review_id: "999999" }))?.status).toBe(404);
  await send(own, dismiss, { review_id: review, message: "It is done" });
  expect(await page(own, at)).toContain("It is done");
  expect(await page(own, at)).not.toContain('name="review_id"');
});

test("a branch that was deleted is restored where the pull request left it", async () => {
  const { name } = aRepo(server, own.user, { files: { "a.txt": "a\n" } });
  const number = await aPull(own, "own", name);
  const at = `/own/${name}/pulls/${number}`;
  expect(await page(own, at)).not.toContain("restore_branch");
  await api("POST", `/repos/own/${name}/pulls/${number}/merge`, own, { do: "merge", delete_branch_after_merge: true });
  expect(await page(out, at)).not.toContain("restore_branch");
  expect(await page(own, at)).toContain("restore_branch");
  expect((await pages.get(out)?.post(`${at}/restore_branch`))?.status).toBe(404);
  expect(await send(own, `${at}/restore_branch`, {})).toContain("restored");
  const { body } = await api<{ commit: { id: string } }[]>("GET", `/repos/own/${name}/branches`, own);
  expect(body.map(({ commit }) => commit.id)).toContain((await read("own", name, number)).head.sha);
  expect(await page(own, at)).toContain("cleanup");
});

test("only the poster of a fork's pull request lets maintainers in, and a push of who may not merge ends a wait", async () => {
  const { name } = aRepo(server, own.user, { files: { "a.txt": "a\n" } });
  await api("POST", `/repos/own/${name}/forks`, out, { name });
  const number = await aPull(out, "own", name, "out", name);
  const at = `/own/${name}/pulls/${number}`;
  expect(await page(own, at)).not.toContain("set_allow_maintainer_edit");
  expect(await page(out, at)).toContain("set_allow_maintainer_edit");
  await send(out, `${at}/set_allow_maintainer_edit`, { allow_maintainer_edit: "on" });
  expect((await read("own", name, number)).allow_maintainer_edit).toBe(true);
  await send(out, `${at}/set_allow_maintainer_edit`, {});
  expect((await read("own", name, number)).allow_maintainer_edit).toBe(false);

  const rule = { rule_name: "main", enable_status_check: true, status_check_contexts: ["ci"] };
  expect((await api("POST", `/repos/own/${name}/branch_protections`, own, rule)).status).toBe(201);
  const later = { do: "merge", merge_when_checks_succeed: true };
  expect((await api("POST", `/repos/own/${name}/pulls/${number}/merge`, own, later)).status).toBe(201);
  const pull = await api<{ head: { ref: string } }>("GET", `/repos/own/${name}/pulls/${number}`, own);
  const change = { content: "eQ==", branch: pull.body.head.ref };
  expect((await api("POST", `/repos/out/${name}/contents/more.txt`, out, change)).status).toBe(201);
  await settled(server);
  expect((await api("DELETE", `/repos/own/${name}/pulls/${number}/merge`, own)).status).toBe(404);
  const { head } = await read("own", name, number);
  await api("POST", `/repos/own/${name}/statuses/${head.sha}`, own, { state: "success", context: "ci" });
  await settled(server);
  expect((await read("own", name, number)).merged).toBe(false);
});

test("administrators say on a page how pull requests are merged, and whether there are any", async () => {
  const { name } = aRepo(server, own.user, { files: { "a.txt": "a\n" } });
  const at = `/own/${name}/settings/pulls`;
  await api("PUT", `/repos/own/${name}/collaborators/wri`, own, { permission: "write" });
  expect((await pages.get(wri)?.get(at))?.status).toBe(404);
  const shown = await page(own, at);
  for (const part of [
    'name="allowSquash" type="checkbox" value="on" checked=""',
    "Ignore conflicts in white space only",
  ])
    expect(shown).toContain(part);
  const chosen = {
    has_pull_requests: "on",
    allowSquash: "on",
    allowRebaseUpdate: "on",
    defaultMergeStyle: "squash",
    defaultUpdateStyle: "rebase",
    ignoreWhitespaceConflicts: "on",
  };
  await send(own, at, chosen);
  const repo = async () => (await api("GET", `/repos/own/${name}`, own)).body;
  expect(await repo()).toMatchObject({
    has_pull_requests: true,
    allow_squash_merge: true,
    allow_merge_commits: false,
    allow_merge_update: false,
    default_merge_style: "squash",
    default_update_style: "rebase",
    ignore_whitespace_conflicts: true,
  });
  const refused = await pages.get(own)?.post(at, { ...chosen, defaultUpdateStyle: "merge" });
  expect([refused?.status, refused?.text.includes("The default update method must be allowed.")]).toEqual([422, true]);
  await send(own, at, {});
  expect(await repo()).toMatchObject({ has_pull_requests: false });
  await send(own, at, chosen);
  // What was chosen is there again with them.
  expect(await repo()).toMatchObject({ has_pull_requests: true, allow_squash_merge: true });
});
