import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { asAccount, operator } from "../../../src/access/principal.ts";
import { runTexts } from "../../../src/actions/runs/store.ts";
import type { Run } from "../../../src/actions/runs/types.ts";
import { HistoryService } from "../../../src/content/history/service.ts";
import type { Repo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";
import { aRunner, seen } from "./world.ts";

/** Which workflows start when something happens (contract actions.md 2 and 3.8). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  [ada, bob] = await Promise.all([aUser(server, { login: "ada" }), aUser(server, { login: "bob" })]);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

/** A workflow of one job for these events. */
const workflow = (on: string, more = "") =>
  `on: ${on}\n${more}jobs:\n  b:\n    runs-on: self\n    steps: [{ run: a }]\n`;
const folder = ".gitea/workflows";

/** A repository with these workflows, and one file more. */
function aFlow(workflows: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}): Repo {
  const all = Object.entries(workflows).map(([name, source]) => [`${folder}/${name}`, source]);
  return aRepo(server, ada.user, { files: { "README.md": "1", ...files, ...Object.fromEntries(all) } });
}

/** What was started so far, the oldest first. */
async function runsOf(repo: Repo): Promise<Run[]> {
  await settled(server);
  const here = server.services.repos.seeById(operator, repo.id);
  if (!here) throw new Error("the repository is there");
  return server.services.actionsRunLists.page(here, {}, { limit: 50, offset: 0 }).items.toReversed();
}

const started = async (repo: Repo) => (await runsOf(repo)).map(({ event, workflow: id }) => `${id} ${event}`);

async function put(repo: Repo, path: string, text: string, more: object = {}, who = ada): Promise<string> {
  const body = { content: Buffer.from(text).toString("base64"), message: `write ${path}`, ...more };
  const owner = repo.ownerId === ada.user.id ? "ada" : "bob";
  const answer = await api<{ commit: { sha: string } }>(
    "POST",
    `/repos/${owner}/${repo.name}/contents/${path}`,
    who,
    body,
  );
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body.commit.sha;
}

/** Of an answer what tests look at. */
interface Made {
  readonly id: number;
  readonly number: number;
}

async function ask(method: string, path: string, body?: unknown, who = ada): Promise<Made> {
  const answer = await api<Made>(method, `/repos/ada/${path}`, who, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
  return answer.body;
}

async function aPull(
  repo: Repo,
  path = "changed",
  title = "a change",
): Promise<{ number: number; branch: string; sha: string }> {
  const branch = `topic-${path.replaceAll("/", "-")}`;
  const sha = await put(repo, path, "x", { new_branch: branch });
  const { number } = await ask("POST", `${repo.name}/pulls`, { head: branch, base: "main", title });
  return { number, branch, sha };
}

describe("the files", () => {
  test("are those of the pushed commit, in the first folder that is there", async () => {
    const repo = aFlow({ "a.yml": workflow("push") }, { ".github/workflows/b.yml": workflow("push") });
    const sha = await put(repo, "x", "1");
    const [, run] = await runsOf(repo);
    expect(run).toMatchObject({
      workflow: "a.yml",
      workflowFolder: folder,
      event: "push",
      commit: sha,
      sourceCommit: sha,
      ref: "refs/heads/main",
      number: 2,
      title: "write x",
      userId: ada.user.id,
      needsApproval: false,
      isOfFork: false,
    });
    await put(repo, ".forgejo/workflows/c.yml", workflow("push"));
    expect(await started(repo)).toEqual(["a.yml push", "a.yml push", "c.yml push"]);
  });

  test("that cannot be read or run stop neither the push nor the others", async () => {
    const bomb = `a: &a [${"x,".repeat(50)}]\n${[..."bcdefgh"].map((name, at) => `${name}: &${name} [${`*${"abcdefg"[at]},`.repeat(50)}]`).join("\n")}\n`;
    const bad = {
      "bomb.yml": `${bomb}${workflow("push")}`,
      "deep.yml": "[".repeat(300_000),
      "large.yml": `${workflow("push")}# ${"x".repeat(1 << 20)}`,
      "bytes.yml": "\u0000\u0001",
      "empty.yml": "",
      "expression.yml": workflow("push").replace("self", "${{ ( }}"),
      "group.yml": workflow("push", "concurrency: ${{ nobody() }}\n"),
      "many.yml": workflow("push", "").replace(
        "b:",
        "b:\n    strategy: {matrix: {x: [1, 2, 3, 4], y: '${{ fromJSON(toJSON(github)) }}'}}",
      ),
      "circle.yml": workflow("push").replace("b:", "b:\n    needs: b"),
      "name.yml": workflow("push").replace("b:", `"${"k".repeat(300)}":`),
      "pattern.yml": workflow("{push: {branches: ['[']}}"),
      "notes.md": workflow("push"),
    };
    const repo = aFlow({ ...bad, "good.yml": workflow("push") });
    expect(await started(repo)).toEqual(["good.yml push"]);
    const { workflows } = await server.services.actionsWorkflows.list(seen(server, repo, ada));
    const broken = workflows.filter(({ problem }) => problem !== undefined).map(({ id }) => id);
    expect(broken.toSorted()).toEqual([
      "bomb.yml",
      "bytes.yml",
      "circle.yml",
      "deep.yml",
      "empty.yml",
      "large.yml",
      "name.yml",
    ]);
  });
});

describe("what happened", () => {
  test("makes no second run when it is looked at again, as after a crash", async () => {
    const repo = aFlow({ "a.yml": workflow("push"), "b.yml": workflow("push") });
    const { db, jobs } = server.core;
    const rows = db.query("SELECT * FROM actions_happenings WHERE repo_id = ? ORDER BY id").all(repo.id);
    const [id] = rows.map((row) => (row as { id: number }).id).slice(-1);
    expect(id).toBeDefined();
    expect(await runsOf(repo)).toHaveLength(2);
    const source = {
      source: "push",
      repoId: repo.id,
      ref: "refs/heads/main",
      oldOid: null,
      newOid: (await runsOf(repo))[0]?.commit,
    };
    const columns = "id, repo_id, type, detail, user_id, payload, is_source, created_at";
    const again = `INSERT INTO actions_happenings (${columns}) VALUES (?, ?, 'push', '', NULL, ?, 1, 0)`;
    db.query(again).run(id ?? 0, repo.id, JSON.stringify(source));
    db.transaction(() => jobs.enqueue("actions.happened", { repoId: repo.id }));
    expect(await runsOf(repo)).toHaveLength(2);
    expect(db.query("SELECT 1 FROM actions_happenings WHERE repo_id = ?").get(repo.id)).toBeNull();
  });
});

describe("a push", () => {
  test("of a new branch counts the files of its last commit alone", async () => {
    const repo = aFlow({
      "docs.yml": workflow("{push: {branches: ['**'], paths: ['docs/**']}}"),
      "zz.yml": workflow("push"),
    });
    await put(repo, "docs/a", "1", { new_branch: "one" });
    await put(repo, "src/a", "1", { branch: "one" });
    await ask("POST", `${repo.name}/branches`, { new_branch_name: "two", old_branch_name: "one" });
    expect(await started(repo)).toEqual(["zz.yml push", "docs.yml push", "zz.yml push", "zz.yml push", "zz.yml push"]);
  });

  test("of a tag that is annotated is at its commit", async () => {
    const repo = aFlow({ "a.yml": workflow("{push: {tags: ['v*']}, create: }") });
    await ask("POST", `${repo.name}/tags`, { tag_name: "v1", target: "main", message: "the first" });
    const runs = await runsOf(repo);
    expect(runs.map(({ event, ref }) => `${event} ${ref}`)).toEqual([
      "create refs/heads/main",
      "push refs/tags/v1",
      "create refs/tags/v1",
    ]);
    expect(new Set(runs.map(({ commit }) => commit)).size).toBe(1);
    await ask("DELETE", `${repo.name}/tags/v1`);
    expect(await runsOf(repo)).toHaveLength(3);
  });

  test("says nothing while the message asks for it", async () => {
    const repo = aFlow({ "a.yml": workflow("push"), "create.yml": workflow("create") });
    for (const word of ["[skip ci]", "[ci skip]", "[no ci]", "[skip actions]", "[actions skip]"])
      await put(repo, word.replaceAll(/\W/g, ""), "1", { message: `a change\n\n${word}` });
    expect(await started(repo)).toEqual(["create.yml create", "a.yml push"]);
  });

  test("says nothing to a workflow that is switched off, nor in a repository that is archived or has no Actions", async () => {
    const repo = aFlow({ "a.yml": workflow("push"), "b.yml": workflow("push") });
    await runsOf(repo);
    await server.services.actionsWorkflows.setEnabled(seen(server, repo, ada), "a.yml", false);
    await put(repo, "x", "1");
    expect(await started(repo)).toEqual(["a.yml push", "b.yml push", "b.yml push"]);
    await ask("PATCH", repo.name, { has_actions: false });
    await put(repo, "y", "1");
    await ask("PATCH", repo.name, { has_actions: true });
    expect(await runsOf(repo)).toHaveLength(3);
    await put(repo, "z", "1");
    expect(await runsOf(repo)).toHaveLength(4);
  });

  test("with the token of a job says nothing", async () => {
    const repo = aFlow({ "a.yml": workflow("{push: , issues: }", "permissions: write-all\n") });
    await runsOf(repo);
    const runner = await aRunner(server, seen(server, repo, ada));
    const job = await runner.take();
    const token = { token: String(job.context["token"]) };
    const body = { content: "", message: "by the job" };
    expect((await api("POST", `/repos/ada/${repo.name}/contents/new`, token, body)).status).toBe(201);
    expect((await api("POST", `/repos/ada/${repo.name}/issues`, token, { title: "by the job" })).status).toBe(201);
    expect(await started(repo)).toEqual(["a.yml push"]);
  });
});

describe("what happens to issues", () => {
  test("starts workflows by its kind, on the default branch", async () => {
    const kinds = [
      "opened",
      "edited",
      "closed",
      "reopened",
      "assigned",
      "unassigned",
      "labeled",
      "unlabeled",
      "milestoned",
      "demilestoned",
    ];
    const repo = aFlow(
      Object.fromEntries(kinds.map((kind) => [`${kind}.yml`, workflow(`{issues: {types: [${kind}]}}`)])),
    );
    const { number } = await ask("POST", `${repo.name}/issues`, { title: "one" });
    const path = `${repo.name}/issues/${number}`;
    await ask("PATCH", path, { title: "two" });
    await ask("PATCH", path, { state: "closed" });
    await ask("PATCH", path, { state: "open" });
    await ask("PATCH", path, { assignees: ["ada"] });
    await ask("PATCH", path, { assignees: [] });
    const { id } = await ask("POST", `${repo.name}/labels`, { name: "l", color: "#112233" });
    await ask("POST", `${path}/labels`, { labels: [id] });
    await ask("DELETE", `${path}/labels/${id}`);
    const { id: milestone } = await ask("POST", `${repo.name}/milestones`, { title: "m" });
    await ask("PATCH", path, { milestone });
    await ask("PATCH", path, { milestone: 0 });
    expect(await started(repo)).toEqual(kinds.map((kind) => `${kind}.yml issues`));
    const [run] = await runsOf(repo);
    expect(run).toMatchObject({ ref: "refs/heads/main", issueId: undefined });
  });

  test("tells them which labels came and went", async () => {
    const repo = aFlow({ "a.yml": workflow("issues") });
    const { number } = await ask("POST", `${repo.name}/issues`, { title: "one" });
    const bug = await ask("POST", `${repo.name}/labels`, { name: "bug", color: "#112233" });
    const docs = await ask("POST", `${repo.name}/labels`, { name: "docs", color: "#112233" });
    const path = `/repos/ada/${repo.name}/issues/${number}/labels`;
    await api("PUT", path, ada, { labels: [bug.id] });
    await api("PUT", path, ada, { labels: [docs.id] });
    await api("PATCH", `/repos/ada/${repo.name}/issues/${number}`, ada, { title: "two" });
    const [, ...later] = await runsOf(repo);
    const changes = later.map(({ id }) => runTexts(server.core.db, id).payload["changes"]);
    expect(changes).toMatchObject([
      { added_labels: [{ name: "bug" }], removed_labels: [] },
      { added_labels: [{ name: "docs" }], removed_labels: [{ name: "bug" }] },
      { title: { from: "one" }, added_labels: null, removed_labels: null },
    ]);
  });

  test("and to comments", async () => {
    const repo = aFlow({ "a.yml": workflow("issue_comment"), "pull.yml": workflow("pull_request_comment") });
    const { number } = await ask("POST", `${repo.name}/issues`, { title: "one" });
    const { id } = await ask("POST", `${repo.name}/issues/${number}/comments`, { body: "hello" });
    await ask("PATCH", `${repo.name}/issues/comments/${id}`, { body: "hello again" });
    await ask("DELETE", `${repo.name}/issues/comments/${id}`);
    expect(await started(repo)).toEqual(["a.yml issue_comment", "a.yml issue_comment", "a.yml issue_comment"]);
    const pull = await aPull(repo);
    await ask("POST", `${repo.name}/issues/${pull.number}/comments`, { body: "hello" });
    const [, , , onIssue, onPull, ...more] = await runsOf(repo);
    expect(more).toEqual([]);
    expect(onIssue).toMatchObject({ workflow: "a.yml", event: "issue_comment", ref: "refs/heads/main" });
    expect(onPull).toMatchObject({
      event: "pull_request_comment",
      ref: `refs/pull/${pull.number}/head`,
      commit: pull.sha,
    });
  });
});

describe("what happens to pages of the wiki, releases and forks", () => {
  test("starts its workflows", async () => {
    const repo = aFlow({
      "wiki.yml": workflow("gollum"),
      "release.yml": workflow("{release: {types: [published, edited]}}"),
      "fork.yml": workflow("fork"),
    });
    await ask("POST", `${repo.name}/wiki/new`, { title: "Home", content_base64: "eA==" });
    const { id } = await ask("POST", `${repo.name}/releases`, { tag_name: "v1", target_commitish: "main", name: "r" });
    await ask("PATCH", `${repo.name}/releases/${id}`, { name: "s" });
    await ask("POST", `${repo.name}/forks`, { name: `${repo.name}-fork` }, bob);
    const runs = await runsOf(repo);
    expect(runs.map(({ event, ref, userId }) => [event, ref, userId])).toEqual([
      ["gollum", "refs/heads/main", ada.user.id],
      ["release", "refs/tags/v1", ada.user.id],
      ["release", "refs/tags/v1", ada.user.id],
      ["fork", "refs/heads/main", bob.user.id],
    ]);
  });
});

describe("a pull request", () => {
  test("starts runs at its head, and of what says target from its base", async () => {
    const repo = aFlow({
      "a.yml": workflow("pull_request", "run-name: base\n"),
      "target.yml": workflow("pull_request_target", "run-name: base\n"),
    });
    await put(repo, `${folder}/b.yml`, workflow("pull_request"), { new_branch: "topic" });
    const { number } = await ask("POST", `${repo.name}/pulls`, { head: "topic", base: "main", title: "a change" });
    const runs = await runsOf(repo);
    expect(runs.map((run) => run.workflow)).toEqual(["a.yml", "b.yml", "target.yml"]);
    const [own, , target] = runs;
    expect(own).toMatchObject({
      ref: `refs/pull/${number}/head`,
      title: "base",
      sourceCommit: own?.commit,
      isOfFork: false,
    });
    expect(target).toMatchObject({ ref: own?.ref, commit: own?.commit, isOfFork: false, needsApproval: false });
    expect(target?.sourceCommit).not.toBe(target?.commit);
    expect(runs.every((run) => run.issueId !== undefined)).toBe(true);
  });

  test("starts others with more commits, but not when it is labelled", async () => {
    const repo = aFlow({
      "a.yml": workflow("pull_request"),
      "labels.yml": workflow("{pull_request: {types: [labeled, unlabeled]}}"),
    });
    const { branch, number } = await aPull(repo);
    await runsOf(repo);
    const sha = await put(repo, "more", "1", { branch });
    expect((await runsOf(repo)).map(({ commit, workflow: id }) => [id, commit === sha])).toEqual([
      ["a.yml", false],
      ["a.yml", true],
    ]);
    const { id } = await ask("POST", `${repo.name}/labels`, { name: "l", color: "#112233" });
    await ask("POST", `${repo.name}/issues/${number}/labels`, { labels: [id] });
    await ask("DELETE", `${repo.name}/issues/${number}/labels/${id}`);
    expect((await started(repo)).slice(2)).toEqual(["labels.yml pull_request", "labels.yml pull_request"]);
  });

  test("starts runs when it is reviewed, edited and closed", async () => {
    const repo = aFlow({
      "review.yml": workflow("{pull_request_review: {types: [submitted]}}"),
      "comment.yml": workflow("pull_request_review_comment"),
      "edited.yml": workflow("{pull_request: {types: [edited, closed, review_requested]}}"),
    });
    const { number, sha } = await aPull(repo);
    await ask("POST", `${repo.name}/pulls/${number}/reviews`, { event: "APPROVED", body: "good" }, bob);
    await ask("POST", `${repo.name}/pulls/${number}/reviews`, { event: "COMMENT", body: "well" }, bob);
    await ask("PATCH", `${repo.name}/pulls/${number}`, { title: "another" });
    await ask("PATCH", `${repo.name}/pulls/${number}`, { state: "closed" });
    const runs = await runsOf(repo);
    expect(runs.map(({ event, ref, workflow: id }) => [id, event, ref === sha])).toEqual([
      ["review.yml", "pull_request_review", true],
      ["review.yml", "pull_request_review", true],
      ["comment.yml", "pull_request_review_comment", true],
      ["edited.yml", "pull_request", false],
      ["edited.yml", "pull_request", false],
    ]);
  });

  test("whose files no workflow is about is not held up by a check that is required", async () => {
    const docs = workflow("{pull_request: {paths: ['docs/**']}}", "name: Docs\n");
    const repo = aFlow({ "docs.yml": docs, "zz.yml": workflow("pull_request") });
    await ask("POST", `${repo.name}/branch_protections`, {
      rule_name: "main",
      enable_status_check: true,
      status_check_contexts: ["Docs / *"],
    });
    const { sha } = await aPull(repo);
    expect(await started(repo)).toEqual(["zz.yml pull_request"]);
    const statuses = await api<{ context: string; status: string; target_url: string }[]>(
      "GET",
      `/repos/ada/${repo.name}/commits/${sha}/statuses`,
      ada,
    );
    expect(statuses.body.find(({ context }) => context === "Docs / b (pull_request)")).toMatchObject({
      status: "skipped",
      description: "Skipped",
      target_url: "",
    } as object);
  });

  test("whose title asks for it starts nothing", async () => {
    const repo = aFlow({ "a.yml": workflow("[pull_request, pull_request_target]") });
    await aPull(repo, "one", "wip [skip ci]");
    expect(await started(repo)).toEqual([]);
  });
});

describe("how a run goes", () => {
  test("starts workflows by the name of its own, and no chain without end", async () => {
    const repo = aFlow({
      "first.yml": workflow("push", "name: First\n"),
      "after.yml": workflow("{workflow_run: {workflows: [First, Second], types: [completed]}}", "name: Second\n"),
      "begun.yml": workflow("{workflow_run: {workflows: [First], types: [requested], branches: [main]}}"),
      "other.yml": workflow("{workflow_run: {workflows: [Nobody]}}"),
      "elsewhere.yml": workflow("{workflow_run: {branches: [dev]}}"),
    });
    expect(await started(repo)).toEqual(["first.yml push", "begun.yml workflow_run"]);
    const runner = await aRunner(server, seen(server, repo, ada));
    for (let done = 0; done < 7; done++) {
      await runner.finish(await runner.take());
      await settled(server);
    }
    const runs = await runsOf(repo);
    expect(runs.filter((run) => run.workflow === "after.yml").map(({ depth }) => depth)).toEqual([1, 2, 3, 4, 5]);
    expect(runs).toHaveLength(7);
    expect(runs.map(({ userId }) => userId)).toEqual(runs.map(() => ada.user.id));
  });
});

describe("a pull request from a fork", () => {
  async function aForkPull(repo: Repo, who: TestUser): Promise<void> {
    const name = `f-${repo.name}-${who.login}`;
    await ask("POST", `${repo.name}/forks`, { name }, who);
    await settled(server);
    const body = { content: "", message: "a change", branch: "main" };
    const put = await api("POST", `/repos/${who.login}/${name}/contents/new-${who.login}`, who, body);
    expect(put.status).toBe(201);
    await ask("POST", `${repo.name}/pulls`, { head: `${who.login}:main`, base: "main", title: "from a fork" }, who);
  }

  test("waits for approval, when a stranger opened it", async () => {
    const repo = aFlow({ "a.yml": workflow("pull_request"), "target.yml": workflow("pull_request_target") });
    await aForkPull(repo, bob);
    const [own, target] = await runsOf(repo);
    expect(own).toMatchObject({ workflow: "a.yml", isOfFork: true, needsApproval: true });
    expect(target).toMatchObject({ workflow: "target.yml", isOfFork: false, needsApproval: false });
  });

  test("does not, when the author may write or one was merged before", async () => {
    const repo = aFlow({ "a.yml": workflow("pull_request") });
    const cora = await aUser(server);
    await ask("PUT", `${repo.name}/collaborators/${cora.login}`, { permission: "write" });
    await aForkPull(repo, cora);
    await aForkPull(repo, bob);
    const runs = await runsOf(repo);
    expect(runs.map(({ isOfFork, needsApproval }) => [isOfFork, needsApproval])).toEqual([
      [true, false],
      [true, true],
    ]);
    await ask("POST", `${repo.name}/pulls/2/merge`, { Do: "merge" });
    await settled(server);
    const fork = `f-${repo.name}-bob`;
    await api("POST", `/repos/bob/${fork}/contents/second`, bob, { content: "", message: "again" });
    await ask("POST", `${repo.name}/pulls`, { head: "bob:main", base: "main", title: "again" }, bob);
    expect((await runsOf(repo)).at(-1)).toMatchObject({ isOfFork: true, needsApproval: false });
  });

  test("waits all the same, when its author is restricted", async () => {
    const repo = aFlow({ "a.yml": workflow("pull_request") });
    const dora = await aUser(server, { isRestricted: true });
    await ask("PUT", `${repo.name}/collaborators/${dora.login}`, { permission: "write" });
    await aForkPull(repo, dora);
    expect((await runsOf(repo)).map(({ needsApproval }) => needsApproval)).toEqual([true]);
  });
});

test("the commits of a push are looked into where a workflow there asks for pushes, and not for others", async () => {
  const changes = spyOn(HistoryService.prototype, "changesOf");
  try {
    const looksInto = async (on: string, expected: string[]) => {
      const repo = aFlow({ "a.yml": workflow(on) });
      await settled(server);
      changes.mockClear();
      expect((await api("POST", `/repos/ada/${repo.name}/tags`, ada, { tag_name: "v1" })).status).toBe(201);
      expect((await started(repo)).filter((run) => run.endsWith("push"))).toEqual(expected);
      return changes.mock.calls.length > 0;
    };
    expect(await looksInto("push", ["a.yml push", "a.yml push"])).toBe(true);
    expect(await looksInto("create", [])).toBe(false);
  } finally {
    changes.mockRestore();
  }
});

test("tags that come by the dozen in one push start nothing, and the branches beside them do", async () => {
  const repo = aFlow({ "a.yml": workflow("push") });
  await settled(server);
  const { refs } = server.services;
  const tip = refs.find(repo.id, "refs/heads/main")?.oid ?? "";
  const bring = (tags: number, name: string) =>
    refs.change(repo.id, {
      principal: asAccount(ada.user),
      atomic: true,
      changes: [
        { name: `refs/heads/${name}`, oldOid: null, newOid: tip },
        ...Array.from({ length: tags }, (_, at) => ({
          name: `refs/tags/${name}-${at}`,
          oldOid: null,
          newOid: tip,
        })),
      ],
    });
  bring(31, "history");
  expect((await runsOf(repo)).slice(1).map(({ ref }) => ref)).toEqual(["refs/heads/history"]);
  bring(3, "few");
  expect((await runsOf(repo)).slice(2).map(({ ref }) => ref)).toEqual([
    "refs/heads/few",
    "refs/tags/few-0",
    "refs/tags/few-1",
    "refs/tags/few-2",
  ]);
});
