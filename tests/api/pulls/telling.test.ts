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
} from "../../builders.ts";

/** What hooks hear of pull requests, in which order, and what not (contract webhooks.md 7.2 to 7.4). */

interface Told {
  readonly action: string;
  readonly commit_id: string;
  readonly comment?: { readonly body: string };
  readonly changes?: { readonly body?: { readonly from: string } };
  readonly issue?: { readonly comments: number };
  readonly pull_request?: { readonly changed_files: number; readonly mergeable: boolean };
}

let server: TestServer;
let own: TestUser;
let wri: TestUser;
let receiver: ReturnType<typeof Bun.serve>;
const received: { type: string; body: Told }[] = [];
const api = anApi(() => server);

beforeAll(async () => {
  receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      received.push({ type: request.headers.get("x-gitea-event-type") ?? "", body: (await request.json()) as Told });
      return new Response("taken");
    },
  });
  server = await aServer({ "network.allow": ["loopback"] });
  own = await aUser(server, { login: "own" });
  wri = await aUser(server, { login: "wri" });
});
afterAll(async () => {
  await receiver.stop(true);
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

/** A repository with a hook and a branch with one new file. */
async function aPlace(owner: string, name: string, events: readonly string[]): Promise<string> {
  const at = `/repos/${owner}/${name}`;
  expect((await api("POST", `${at}/contents/b.txt`, own, content("b\n", "work"))).status).toBe(201);
  const config = { url: `http://127.0.0.1:${receiver.port}/`, content_type: "json" };
  expect((await api("POST", `${at}/hooks`, own, { type: "gitea", active: true, config, events })).status).toBe(201);
  await told();
  return at;
}

const content = (text: string, branch: string) => ({ content: btoa(text), branch: "main", new_branch: branch });

/** What came since this was asked last. */
async function told(): Promise<{ type: string; body: Told }[]> {
  await settled(server);
  return received.splice(0);
}
const words = (all: readonly { type: string; body: Told }[]) => all.map(({ body, type }) => `${type} ${body.action}`);

async function aPull(at: string, fields: object = {}): Promise<string> {
  const made = await api<{ number: number }>("POST", `${at}/pulls`, own, {
    head: "work",
    base: "main",
    title: "Work",
    ...fields,
  });
  expect(made.status).toBe(201);
  return `${at}/pulls/${made.body.number}`;
}

test("a new one is told of after the requests for its review, and before its labels, milestone and assignees", async () => {
  aRepo(server, own.user, { name: "new", files: { "a.txt": "a\n" } });
  const at = await aPlace("own", "new", ["pull_request"]);
  const label = await api<{ id: number }>("POST", `${at}/labels`, own, { name: "l", color: "#112233" });
  const milestone = await api<{ id: number }>("POST", `${at}/milestones`, own, { title: "m" });
  const pull = await aPull(at, {
    reviewers: ["wri"],
    labels: [label.body.id],
    milestone: milestone.body.id,
    assignees: ["own"],
  });
  expect(words(await told())).toEqual([
    "pull_request_review_request review_requested",
    "pull_request opened",
    "pull_request_label label_updated",
    "pull_request_milestone milestoned",
    "pull_request_assign assigned",
  ]);
  const number = pull.split("/").at(-1);
  const entries = (await api<{ type: string }[]>("GET", `${at}/issues/${number}/timeline`, own)).body;
  expect(entries.map(({ type }) => type)).toEqual(["milestone", "label", "assignees", "pull_push", "review_request"]);
});

test("a push is told of with the size it makes", async () => {
  aRepo(server, own.user, { name: "pushed", files: { "a.txt": "a\n" } });
  const at = await aPlace("own", "pushed", ["pull_request_sync"]);
  await aPull(at);
  await api("POST", `${at}/contents/c.txt`, own, { content: btoa("c\n"), branch: "work" });
  const [sync, ...more] = await told();
  expect(more).toEqual([]);
  expect(sync?.body.pull_request).toMatchObject({ changed_files: 2, mergeable: true });
});

test("answers on lines are comments, those of a review or of one that is not submitted are not", async () => {
  aRepo(server, own.user, { name: "talked", files: { "a.txt": "a\n" } });
  const at = await aPlace("own", "talked", ["pull_request_comment"]);
  const pull = await aPull(at);
  const line = { path: "b.txt", new_position: 1, body: "why?" };
  const review = await api<{ id: number }>("POST", `${pull}/reviews`, wri, { event: "COMMENT", comments: [line] });
  const pending = await api<{ id: number }>("POST", `${pull}/reviews`, wri, { body: "later", comments: [line] });
  const commentOf = async (id: number, who: TestUser) =>
    (await api<{ id: number }[]>("GET", `${pull}/reviews/${id}/comments`, who)).body[0]?.id;
  const hidden = await commentOf(pending.body.id, wri);
  expect((await api("PATCH", `${at}/issues/comments/${hidden}`, wri, { body: "when?" })).status).toBe(200);
  expect(await told()).toEqual([]);
  const shown = await commentOf(review.body.id, own);
  const reply = await api<{ id: number }>("POST", `${pull}/comments/${shown}/replies`, own, { body: "so" });
  expect(reply.status).toBe(201);
  expect((await api("PATCH", `${at}/issues/comments/${reply.body.id}`, own, { body: "thus" })).status).toBe(200);
  expect((await api("DELETE", `${at}/issues/comments/${reply.body.id}`, own)).status).toBe(204);
  const all = await told();
  expect(all.map(({ body, type }) => [type, body.action, body.comment?.body, body.changes?.body?.from])).toEqual([
    ["pull_request_comment", "created", "so", undefined],
    ["pull_request_comment", "edited", "thus", "so"],
    ["pull_request_comment", "deleted", "thus", undefined],
  ]);
  // Comments on lines are not among those that an item counts: the review is.
  expect(all.map(({ body }) => body.issue?.comments)).toEqual([1, 1, 1]);
});

test("issues that a merge or a commit closes name the commit", async () => {
  aRepo(server, own.user, { name: "closed", files: { "a.txt": "a\n" } });
  const at = await aPlace("own", "closed", ["issues"]);
  for (const title of ["by merge", "by commit", "by hand"]) await api("POST", `${at}/issues`, own, { title });
  const pull = await aPull(at, { body: "fixes #1" });
  await told();
  expect((await api("POST", `${pull}/merge`, own, { do: "merge" })).status).toBe(200);
  const merged = await api<{ merge_commit_sha: string }>("GET", pull, own);
  const file = await api<{ commit: { sha: string } }>("POST", `${at}/contents/d.txt`, own, {
    content: btoa("d"),
    message: "d\n\ncloses #2",
  });
  await api("PATCH", `${at}/issues/3`, own, { state: "closed" });
  const ids = (await told()).map(({ body }) => [body.action, body.commit_id]);
  expect(ids.toSorted()).toEqual(
    [
      ["closed", merged.body.merge_commit_sha],
      ["closed", file.body.commit.sha],
      ["closed", ""],
    ].toSorted(),
  );
  // Its own merge is no commit that refers to it.
  const number = pull.split("/").at(-1);
  const entries = (await api<{ type: string }[]>("GET", `${at}/issues/${number}/timeline`, own)).body;
  expect(entries.map(({ type }) => type)).toEqual(["pull_push", "merge_pull"]);
});

test("each member hears that a team is asked, and nobody that it is not any more", async () => {
  const crew = anOrganization(server, own.user, { login: "crew" });
  aTeam(server, crew, {
    name: "devs",
    permission: "read",
    units: ["repo.code", "repo.pulls"],
    includesAll: true,
    members: [wri.user],
  });
  aRepo(server, crew, { name: "team", creator: own.user, files: { "a.txt": "a\n" } });
  const at = await aPlace("crew", "team", ["pull_request_review_request"]);
  const pull = await aPull(at);
  const asked = { team_reviewers: ["devs"] };
  expect((await api("POST", `${pull}/requested_reviewers`, own, asked)).status).toBe(201);
  expect(words(await told())).toEqual(["pull_request_review_request review_requested"]);
  expect((await api("DELETE", `${pull}/requested_reviewers`, own, asked)).status).toBe(204);
  expect(await told()).toEqual([]);
});

test("a merge that waited is told apart in feeds", async () => {
  aRepo(server, own.user, { name: "waited", files: { "a.txt": "a\n" } });
  const at = await aPlace("own", "waited", []);
  const rule = { rule_name: "main", enable_status_check: true, status_check_contexts: ["ci"] };
  await api("POST", `${at}/branch_protections`, own, rule);
  const pull = await aPull(at);
  const later = { do: "merge", merge_when_checks_succeed: true };
  expect((await api("POST", `${pull}/merge`, own, later)).status).toBe(201);
  await api("POST", `${at}/statuses/work`, own, { state: "success", context: "ci" });
  await settled(server);
  const feed = await api<{ op_type: string; content: string }[]>("GET", `${at}/activities/feeds`, own);
  const merges = feed.body.filter(({ op_type }) => op_type.includes("merge"));
  expect(merges).toMatchObject([{ op_type: "auto_merge_pull_request", content: "1|Work" }]);
});
