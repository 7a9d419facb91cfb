import { beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aUser, call, settled, type TestUser } from "../../builders.ts";
import type { Shown } from "../mirrors/shown.ts";
import { twoServers } from "./forge.ts";

/** Pull requests of a second Hearth, with all that was said of them, compared over REST. */

const servers = twoServers();
let { here, there, ada, bob } = servers;
let cyd: TestUser;
beforeAll(async () => {
  ({ here, there, ada, bob } = servers);
  cyd = await aUser(there, { login: "cyd" });
});
const askHere = anApi(() => here);
const askThere = anApi(() => there);
type Members = Readonly<Record<string, unknown>>;

async function make<Body = Shown>(path: string, who: TestUser, body: unknown, status = 201): Promise<Body> {
  const made = await askThere<Body>("POST", path, who, body);
  expect([path, made.status, made.text]).toEqual([path, status, made.text]);
  return made.body;
}
const addFile = (path: string, who: TestUser, name: string, text: string, more: Members) =>
  make(`${path}/contents/${name}`, who, { content: Buffer.from(text).toString("base64"), ...more });

/** Five: merged, open with reviews, closed, a draft, and one of a fork; between them an issue. */
async function aSource(): Promise<{ path: string; url: string }> {
  const repo = aRepo(there, bob.user, { files: { "a.txt": "one\ntwo\nthree\n" } });
  const path = `/repos/bob/${repo.name}`;
  const bug = await make(`${path}/labels`, bob, { name: "bug", color: "#ff0000" });
  const soon = await make(`${path}/milestones`, bob, { title: "soon" });
  for (const name of ["first", "second", "third", "fourth"])
    await addFile(path, bob, `${name}.txt`, `${name}\nmore\n`, { branch: "main", new_branch: name });
  const fork = await make(`${path}/forks`, cyd, {}, 202);
  await addFile(`/repos/cyd/${fork.name}`, cyd, "fifth.txt", "fifth\n", { branch: "main", new_branch: "fifth" });
  const pull = (head: string, title: string, who: TestUser, more: Members = {}) =>
    make(`${path}/pulls`, who, { head, base: "main", title, body: `about ${title}`, ...more });
  await pull("first", "Merged", bob, { labels: [bug.id], milestone: soon.id });
  await make(`${path}/issues`, bob, { title: "An issue" });
  await pull("second", "Reviewed", bob);
  await pull("third", "Closed", bob);
  await pull("fourth", "WIP: Draft", bob);
  await pull("cyd:fifth", "Of a fork", cyd);
  await make(`${path}/pulls/1/reviews`, cyd, { event: "APPROVED", body: "good" }, 200);
  await make(`${path}/pulls/1/merge`, bob, { Do: "merge" }, 200);
  const lines = [{ path: "second.txt", body: "why this?", new_position: 2 }];
  await make(`${path}/pulls/3/reviews`, cyd, { event: "REQUEST_CHANGES", body: "not yet", comments: lines }, 200);
  await make(`${path}/issues/3/comments`, bob, { body: "will do" });
  await make(`${path}/issues/3/reactions`, cyd, { content: "heart" });
  const [comment] = (await askThere<{ id: number }[]>("GET", `${path}/issues/3/comments`, bob)).body;
  await make(`${path}/issues/comments/${comment?.id}/reactions`, cyd, { content: "+1" });
  await askThere("PATCH", `${path}/pulls/4`, bob, { state: "closed" });
  await settled(there);
  return { path, url: `${there.url}bob/${repo.name}.git` };
}

const migrate = (body: Members) =>
  askHere<Shown>("POST", "/repos/migrate", ada, { service: "gitea", issues: true, pull_requests: true, ...body });

/** What both servers say of a path, without what must differ. */
async function both(paths: readonly [string, string], path: string, names: readonly string[]) {
  const only = (value: Members | readonly Members[]) =>
    [value].flat().map((each) => Object.fromEntries(names.map((name) => [name, (each as Members)[name]])));
  const [theirs, ours] = await Promise.all([
    askThere<Members | Members[]>("GET", paths[0] + path, bob),
    askHere<Members | Members[]>("GET", paths[1] + path, ada),
  ]);
  return { ours: only(ours.body), theirs: only(theirs.body) };
}

test("pull requests come with numbers, states, heads and all that was said, field by field", async () => {
  const { path, url } = await aSource();
  const made = await migrate({
    clone_addr: url,
    auth_token: bob.token,
    repo_name: "all",
    labels: true,
    milestones: true,
  });
  expect([made.status, made.text]).toEqual([201, made.text]);
  const paths = [path, "/repos/ada/all"] as const;
  const fields = [
    ...["number", "title", "body", "state", "draft", "merged", "merge_commit_sha", "merge_base", "created_at"],
    ...[
      "closed_at",
      "merged_at",
      "additions",
      "deletions",
      "changed_files",
      "comments",
      "mergeable",
      "review_comments",
    ],
  ];
  for (const number of [1, 3, 4, 5, 6]) {
    const { ours, theirs } = await both(paths, `/pulls/${number}`, fields);
    expect(ours).toEqual(theirs);
    const commits = await both(paths, `/pulls/${number}/commits`, ["sha"]);
    expect(commits.ours).toEqual(commits.theirs);
    expect(commits.theirs).not.toEqual([]);
    const files = await both(paths, `/pulls/${number}/files`, ["filename", "additions", "status"]);
    expect(files.ours).toEqual(files.theirs);
    const reviews = await both(paths, `/pulls/${number}/reviews`, [
      ...["state", "body", "commit_id", "stale", "dismissed", "comments_count", "submitted_at"],
    ]);
    expect(reviews.ours).toEqual(reviews.theirs);
    const comments = await both(paths, `/issues/${number}/comments`, ["body", "created_at", "updated_at"]);
    expect(comments.ours).toEqual(comments.theirs);
  }
  const issue = await both(paths, "/issues/2", ["number", "title", "pull_request"]);
  expect(issue.ours).toEqual(issue.theirs);
  const shown = (await askHere<{ base: Members; head: Members }>("GET", "/repos/ada/all/pulls/1", ada)).body;
  expect(shown).toMatchObject({
    labels: [{ name: "bug" }],
    milestone: { title: "soon" },
    base: { label: "main" },
    head: { label: "first" },
  });
  expect((await askHere<Members>("GET", "/repos/ada/all/issues/1", ada)).body).toMatchObject({
    original_author: "bob",
    original_author_id: bob.user.id,
    pull_request: { merged: true },
  });
  const ofFork = (await askHere<{ head: Members }>("GET", "/repos/ada/all/pulls/6", ada)).body;
  expect(ofFork.head).toMatchObject({ label: "fifth", ref: "refs/pull/6/head", repo_id: -1, repo: null });
  const [review] = (await askHere<{ id: number }[]>("GET", "/repos/ada/all/pulls/3/reviews", ada)).body;
  const [line] = (await askHere<Members[]>("GET", `/repos/ada/all/pulls/3/reviews/${review?.id}/comments`, ada)).body;
  expect(line).toMatchObject({ path: "second.txt", position: 2, body: "why this?" });
  expect(line?.["diff_hunk"]).toContain("+more");
  expect((await askHere<Members[]>("GET", "/repos/ada/all/issues/3/reactions", ada)).body).toMatchObject([
    { content: "heart" },
  ]);
  expect((await askHere<Members[]>("GET", "/repos/ada/all/pulls?state=all", ada)).body).toHaveLength(5);
  await settled(here);
  expect((await askHere<Members[]>("GET", "/notifications", ada)).body).toEqual([]);
});

test("what came is a pull request like any other: shown, followed by its branch, merged", async () => {
  const { url } = await aSource();
  const made = await migrate({ clone_addr: url, auth_token: bob.token, repo_name: "alive" });
  expect([made.status, made.text]).toEqual([201, made.text]);
  const page = await call(here, "GET", "/ada/alive/pulls/3", {});
  expect(page.status).toBe(200);
  for (const word of ["not yet", "why this?", "cyd", "will do"]) expect(page.text).toContain(word);
  expect(page.text.includes(">Ghost<")).toBe(false);
  expect(/>bob<\/a> merged/.test((await call(here, "GET", "/ada/alive/pulls/1", {})).text)).toBe(true);
  for (const path of ["pulls/6", "pulls/6/files", "pulls/6/commits", "pulls/1/files", "pulls", "issues/2"])
    expect([path, (await call(here, "GET", `/ada/alive/${path}`, {})).status]).toEqual([path, 200]);
  const file = { content: Buffer.from("again").toString("base64"), branch: "second" };
  expect((await askHere("POST", "/repos/ada/alive/contents/again.txt", ada, file)).status).toBe(201);
  await settled(here);
  expect((await askHere<Members>("GET", "/repos/ada/alive/pulls/3", ada)).body["changed_files"]).toBe(2);
  for (const number of [3, 6]) {
    const merged = await askHere("POST", `/repos/ada/alive/pulls/${number}/merge`, ada, { Do: "merge" });
    expect([number, merged.status, merged.text]).toEqual([number, 200, merged.text]);
  }
  const next = await askHere<Members>("POST", "/repos/ada/alive/issues", ada, { title: "next" });
  expect(next.body["number"]).toBe(7);
});

test("people are those who sign in here with their account there, and nobody by name alone", async () => {
  const { path, url } = await aSource();
  await askThere("PATCH", `${path}/issues/2`, bob, { assignees: ["bob"] });
  await aUser(here, { login: "bob" });
  const eve = await aUser(here, { login: "eve" });
  const issuer = there.url.replace(/\/$/, "");
  const { db } = here.core;
  db.transaction(() => {
    db.query(
      `INSERT INTO sign_in_sources (id, name, lower_name, kind, is_active, is_synchronized, skips_second_factor, settings, created_at, updated_at)
       VALUES (1, 'there', 'there', 'oauth2', 1, 0, 0, '{}', 0, 0)`,
    ).run();
    db.query(
      `INSERT INTO outside_accounts (source_id, issuer, subject, user_id, name, created_at, last_used_at)
       VALUES (1, ?, ?, ?, 'bob', 0, 0)`,
    ).run(issuer, String(bob.user.id), eve.user.id);
  });
  const made = await migrate({ clone_addr: url, auth_token: bob.token, repo_name: "people" });
  expect([made.status, made.text]).toEqual([201, made.text]);
  const issue = (await askHere<Members>("GET", "/repos/ada/people/issues/2", ada)).body;
  expect(issue).toMatchObject({ original_author: "", user: { login: "eve" }, assignees: [{ login: "eve" }] });
  expect((await askHere<Members>("GET", "/repos/ada/people/pulls/1", ada)).body).toMatchObject({
    user: { login: "eve" },
    merged_by: { login: "eve" },
  });
  // What was moved there before names people of yet another forge.
  const again = await askThere<Shown>("POST", "/repos/migrate", cyd, {
    ...{
      clone_addr: `${here.url}ada/people.git`,
      repo_name: "twice",
      service: "gitea",
      issues: true,
      pull_requests: true,
    },
  });
  expect([again.status, again.text]).toEqual([201, again.text]);
  const back = await migrate({ clone_addr: `${there.url}cyd/twice.git`, repo_name: "back" });
  expect([back.status, back.text]).toEqual([201, back.text]);
  expect((await askHere<Members>("GET", "/repos/ada/back/issues/2", ada)).body).toMatchObject({
    original_author: "eve",
    user: { login: "Ghost" },
  });
});
