import { beforeAll, describe, expect, test } from "bun:test";
import { anApi, aRepo, settled } from "../../builders.ts";
import { untilHolds } from "../../until.ts";
import type { Shown } from "../mirrors/shown.ts";
import { aForge, twoServers } from "./forge.ts";

/** GitHub, as its documentation shows its answers: pull requests, reviews and answers on lines, pages, and limits. */

const servers = twoServers();
let { here, there, ada, bob } = servers;
beforeAll(() => {
  ({ here, there, ada, bob } = servers);
});

const ask = anApi(() => here);
const askThere = anApi(() => there);
type Members = Readonly<Record<string, unknown>>;
let count = 0;
const migrate = (forge: { url: URL }, body: Members = {}) =>
  ask<Shown>("POST", "/repos/migrate", ada, {
    clone_addr: `${forge.url.href}o/r.git`,
    repo_name: `g${++count}`,
    service: "github",
    issues: true,
    pull_requests: true,
    labels: true,
    ...body,
  });

const at = "2020-01-02T03:04:05Z";
const octo = { login: "octocat", id: 1 };
const hubot = { login: "hubot", id: 2 };

/** A repository with two branches and the head of a pull request that has none. */
async function aSource() {
  const repo = aRepo(there, bob.user, { files: { "a.txt": "one\ntwo\n" } });
  const path = `/repos/bob/${repo.name}/contents/b.txt`;
  await askThere("POST", path, bob, { content: btoa("b\n"), branch: "main", new_branch: "topic" });
  const { refs } = there.services;
  const [main, topic] = ["main", "topic"].map((name) => refs.find(repo.id, `refs/heads/${name}`)?.oid ?? "");
  const changes = [1, 2].map((n) => ({ name: `refs/pull/${n}/head`, oldOid: null, newOid: topic ?? "" }));
  const { operator } = await import("../../../src/access/principal.ts");
  refs.change(repo.id, { principal: operator, changes, atomic: true });
  return { repo, main: main ?? "", topic: topic ?? "" };
}

test("pull requests come with reviews, answers on lines, who merged them, and reactions", async () => {
  const { main, repo, topic } = await aSource();
  const branch = (ref: string, sha: string, id: number) => ({ ref, sha, label: `o:${ref}`, repo: { id } });
  const common = { user: octo, created_at: at, updated_at: at, locked: false, labels: [], assignees: [] };
  const base = branch("main", main, 77);
  const merged = {
    ...common,
    ...{
      number: 1,
      title: "Merged",
      body: "it",
      state: "closed",
      closed_at: at,
      merged_at: at,
      merge_commit_sha: main,
    },
    ...{ draft: false, base, head: { ...branch("gone", topic, 9), repo: null } },
  };
  const open = {
    ...common,
    ...{ number: 2, title: "Open", body: null, state: "open", draft: true, merge_commit_sha: topic, merged_at: null },
    assignees: [octo, { login: "a`@ada`b", id: 3 }],
    ...{ base, head: branch("topic", topic, 77), requested_reviewers: [hubot] },
  };
  const line = {
    ...{ id: 11, pull_request_review_id: 21, path: "b.txt", line: 1, side: "RIGHT", commit_id: topic, user: hubot },
    ...{ original_commit_id: topic, diff_hunk: "@@ -0,0 +1 @@\n+b", body: "why", created_at: at, updated_at: at },
  };
  const gone = { ...line, id: 13, line: null, original_line: 4, body: "of a line that is gone" };
  using forge = aForge(there, repo, (path, page) => {
    if (page > 1) return [];
    switch (path) {
      case "":
        return { description: "hub", homepage: "", topics: ["x"] };
      case "/pulls":
        return [merged, open];
      case "/pulls/1":
        return { ...merged, merged: true, merged_by: hubot, comments: 0 };
      case "/issues/1":
        return { number: 1, comments: 0, reactions: { total_count: 0 } };
      case "/issues/2":
        return { number: 2, comments: 1, reactions: { total_count: 2 } };
      case "/issues/2/reactions":
        return [
          { user: octo, content: "rocket", created_at: at },
          { user: hubot, content: "no such", created_at: at },
        ];
      case "/issues/2/comments":
        return [{ id: 5, user: hubot, body: "hi", created_at: at, updated_at: at, reactions: { total_count: 0 } }];
      case "/pulls/2/reviews":
        return [
          { id: 21, user: hubot, state: "CHANGES_REQUESTED", body: "no", commit_id: topic, submitted_at: at },
          { id: 22, user: octo, state: "COMMENTED", body: "", commit_id: topic, submitted_at: at },
          { id: 23, user: octo, state: "PENDING", body: "secret", commit_id: topic },
          { id: 24, user: hubot, state: "DISMISSED", body: "old", commit_id: main, submitted_at: at },
        ];
      case "/pulls/2/comments":
        return [
          line,
          { ...line, id: 12, pull_request_review_id: 22, in_reply_to_id: 11, user: octo, body: "so" },
          gone,
        ];
      default:
        return path.startsWith("/issues/") ? {} : [];
    }
  });
  const made = await migrate(forge);
  expect([made.status, made.text]).toEqual([201, made.text]);
  const copy = `/repos/ada/${made.body.name}`;
  expect((await ask<Members>("GET", `${copy}/pulls/1`, ada)).body).toMatchObject({
    state: "closed",
    merged: true,
    merged_at: at,
    merge_commit_sha: main,
    merged_by: { login: "Ghost" },
    changed_files: 1,
    head: { label: "gone", ref: "refs/pull/1/head", sha: topic, repo: null },
  });
  expect((await ask<Members>("GET", `${copy}/pulls/2`, ada)).body).toMatchObject({
    body: "*Assigned to `octocat`, `a @ada b`*",
    title: "WIP: Open",
    draft: true,
    state: "open",
    merge_commit_sha: null,
    requested_reviewers: [],
    changed_files: 1,
    head: { ref: "topic", sha: topic },
  });
  const reviews = (await ask<Members[]>("GET", `${copy}/pulls/2/reviews`, ada)).body;
  expect(
    reviews.map(({ body, comments_count, dismissed, stale, state }) => [state, body, comments_count, dismissed, stale]),
  ).toEqual([
    ["REQUEST_CHANGES", "no", 3, false, false],
    ["REQUEST_CHANGES", "old", 0, true, true],
  ]);
  const lines = (await ask<Members[]>("GET", `${copy}/pulls/2/reviews/${reviews[0]?.["id"]}/comments`, ada)).body;
  expect(lines.map(({ body, diff_hunk, position }) => [body, position, diff_hunk])).toEqual([
    ["why", 1, "@@ -0,0 +1 @@\n+b"],
    ["so", 1, "@@ -0,0 +1 @@\n+b"],
    ["of a line that is gone", 4, "@@ -0,0 +1 @@\n+b"],
  ]);
  expect((await ask<Members[]>("GET", `${copy}/issues/2/reactions`, ada)).body).toMatchObject([{ content: "rocket" }]);
  expect((await ask<Members[]>("GET", `${copy}/issues/2/comments`, ada)).body).toMatchObject([
    { body: "hi", original_author: "hubot", original_author_id: 2 },
  ]);
});

describe("pages and limits", () => {
  test("a list goes where its Link leads, but to no other server", async () => {
    const { repo } = await aSource();
    const asked: string[] = [];
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json([{ name: "stolen" }]) });
    using forge: ReturnType<typeof aForge> = aForge(there, repo, (path, page, { query, request }) => {
      if (path !== "/labels") return path === "" ? {} : [];
      asked.push(`${page} ${query.get("after") ?? ""}`);
      const next = new URL(request.url);
      next.searchParams.set("after", "x");
      if (page === 1 && !query.has("after"))
        return Response.json([{ name: "one" }], {
          headers: { link: `<${next.href}>; rel="next", <${next.href}>; rel="last"` },
        });
      if (query.has("after"))
        return Response.json([{ name: "two" }], { headers: { link: `<${other.url.href}labels>; rel="next"` } });
      return [];
    });
    const made = await migrate(forge);
    const labels = (await ask<Members[]>("GET", `/repos/ada/${made.body.name}/labels`, ada)).body;
    expect(labels.map(({ name }) => name).sort()).toEqual(["one", "two"]);
    expect(asked).toEqual(["1 ", "1 x", "3 "]);
  });

  test("a token that is spent gives way to the next one", async () => {
    const { repo } = await aSource();
    const heard = new Set<string>();
    using forge = aForge(there, repo, (path, _, { request }) => {
      const token = request.headers.get("authorization") ?? "";
      heard.add(token);
      if (token === "token spent")
        return new Response("{}", {
          status: 403,
          headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9e9" },
        });
      return path === "" ? {} : [];
    });
    expect((await migrate(forge, { auth_token: "spent, fresh" })).status).toBe(201);
    expect([...heard]).toEqual(["token spent", "token fresh"]);
  });

  test.each([
    ["until tomorrow", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9999999999" }, "{}"],
    ["without an end", { "retry-after": "never" }, "{}"],
  ])("a limit %s fails an import that someone waits for", async (_name, headers, body) => {
    const { repo } = await aSource();
    using forge = aForge(there, repo, (path) => (path === "" ? {} : new Response(body, { status: 403, headers })));
    const made = await migrate(forge, { auth_token: "Geheim-1" });
    expect([made.status, made.body.message]).toEqual([422, "Remote visit addressed rate limitation."]);
  });

  test("a 403 that speaks of no limit is a refusal", async () => {
    const { repo } = await aSource();
    using forge = aForge(there, repo, (path) => (path === "" ? new Response("no", { status: 403 }) : []));
    expect((await migrate(forge)).body.message).toStartWith("Authentication failed: ");
  });

  test("an import that nobody waits for rests, says so, and goes on", async () => {
    const { repo } = await aSource();
    let isOpen = false;
    using forge = aForge(there, repo, (path, page) => {
      if (path === "" || page > 1) return path === "" ? {} : [];
      if (path === "/labels") return [{ name: "before" }];
      if (path !== "/issues" || isOpen) return [];
      return new Response("{}", { status: 429, headers: { "retry-after": "3600" } });
    });
    const request = {
      ...{ owner: ada.user, name: "rests", address: `${forge.url.href}o/r.git`, service: "github" as const },
      ...{ username: "", password: "", token: "", description: "", isPrivate: false, isMirror: false, interval: "" },
      ...{ parts: ["labels", "issues"] as const, lfsEndpoint: "", isAwaited: false },
    };
    const { asAccount } = await import("../../../src/access/principal.ts");
    const { imports } = here.services;
    const made = await imports.begin(asAccount(ada.user), request);
    await untilHolds(() => imports.of(made.id)?.import.waitsUntil !== undefined);
    expect(imports.of(made.id)).toMatchObject({ import: { failure: "" }, step: "" });
    isOpen = true;
    here.core.db.transaction(() =>
      here.core.db.query("UPDATE jobs SET run_at = 0 WHERE kind = 'imports.run' AND state = 'waiting'").run(),
    );
    here.core.jobs.wake(0);
    await untilHolds(() => imports.of(made.id) === undefined);
    expect((await ask<Members[]>("GET", "/repos/ada/rests/labels", ada)).body).toMatchObject([{ name: "before" }]);
    await settled(here);
  });
});
