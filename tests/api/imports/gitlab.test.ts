import { beforeAll, expect, test } from "bun:test";
import { operator } from "../../../src/access/principal.ts";
import { anApi, aRepo, call } from "../../builders.ts";
import type { Shown } from "../mirrors/shown.ts";
import { type Asked, aForge, twoServers } from "./forge.ts";

/** GitLab, as its documentation shows its answers: groups in groups, merge requests with numbers of their own, discussions. */

const servers = twoServers();
let { here, there, ada, bob } = servers;
beforeAll(() => {
  ({ here, there, ada, bob } = servers);
});

const ask = anApi(() => here);
const askThere = anApi(() => there);
type Members = Readonly<Record<string, unknown>>;
const at = "2020-01-02T03:04:05.678Z";
const root = { id: 1, username: "root", name: "Administrator" };
const dev = { id: 2, username: "dev", name: "Developer" };

async function aSource() {
  const repo = aRepo(there, bob.user, { files: { "a.txt": "one\n" } });
  const path = `/repos/bob/${repo.name}/contents/b.txt`;
  await askThere("POST", path, bob, { content: btoa("b\n"), branch: "main", new_branch: "topic" });
  const { refs } = there.services;
  const [main = "", topic = ""] = ["main", "topic"].map((name) => refs.find(repo.id, `refs/heads/${name}`)?.oid);
  const changes = [1, 2].map((n) => ({ name: `refs/merge-requests/${n}/head`, oldOid: null, newOid: topic }));
  refs.change(repo.id, { principal: operator, changes, atomic: true });
  return { repo, main, topic };
}

interface World {
  readonly answers: (path: string, page: number, asked: Asked) => unknown;
  readonly heard: { readonly tokens: Set<string>; readonly paths: string[] };
}

function aProject({ main, topic }: Awaited<ReturnType<typeof aSource>>): World {
  const heard = { tokens: new Set<string>(), paths: [] as string[] };
  const common = {
    author: root,
    created_at: at,
    updated_at: at,
    labels: ["type::bug"],
    assignees: [],
    user_notes_count: 1,
  };
  const issue = { ...common, iid: 3, title: "Three", description: "of three", state: "opened", due_date: "2030-01-02" };
  const few = { ...common, iid: 2, title: "for few people", description: "", state: "opened", confidential: true };
  const merged = {
    ...common,
    ...{ iid: 1, title: "Draft: Done", description: "d", state: "merged", merged_at: at, merge_user: dev, sha: topic },
    ...{ source_branch: "topic", target_branch: "main", source_project_id: 7, target_project_id: 7 },
    ...{ merge_commit_sha: main, squash_commit_sha: null, draft: false, milestone: { title: "v1" } },
  };
  const open = {
    ...merged,
    ...{ iid: 2, title: "Draft: Open", state: "opened", merged_at: null, merge_commit_sha: null, draft: true },
    ...{ source_branch: "fix", source_project_id: 8 },
  };
  const note = (id: number, body: string, more: Members = {}) => ({
    ...{ id, body, author: dev, created_at: at, updated_at: at, system: false, resolvable: false },
    ...more,
  });
  const position = {
    head_sha: topic,
    base_sha: main,
    old_path: "b.txt",
    new_path: "b.txt",
    new_line: 1,
    old_line: null,
  };
  const answers = (path: string, page: number, { query, request }: Asked): unknown => {
    heard.tokens.add(request.headers.get("private-token") ?? "");
    heard.paths.push(path);
    if (page > 1) return [];
    const isNewest = query.get("sort") === "desc";
    switch (path) {
      case "":
        return { id: 7, description: "from a lab", topics: ["lab"] };
      case "/labels":
        return [{ name: "type::bug", color: "#d9534f", description: "broken" }];
      case "/milestones":
        return [{ title: "v1", description: "first", state: "closed", due_date: "2030-01-02" }];
      case "/issues":
        return isNewest ? [issue, few] : [few, issue];
      case "/merge_requests":
        return isNewest ? [open, merged] : [merged, open];
      case "/merge_requests/1":
        return { ...merged, diff_refs: { base_sha: main, head_sha: topic, start_sha: main } };
      case "/merge_requests/2":
        return { ...open, diff_refs: { base_sha: main, head_sha: topic, start_sha: main } };
      case "/merge_requests/1/approvals":
        return { approved_by: [{ user: dev }], created_at: at };
      case "/merge_requests/1/discussions":
        return [
          { id: "a", notes: [note(1, "merged", { system: true })] },
          { id: "b", notes: [note(2, "a word"), note(3, "an answer")] },
          {
            id: "c",
            notes: [
              note(4, "this line", { position, resolvable: true, resolved: true, resolved_by: root }),
              note(5, "done", { position, author: root, resolvable: true, resolved: true, resolved_by: root }),
            ],
          },
          { id: "d", notes: [note(6, "between us", { internal: true })] },
        ];
      case "/issues/3/discussions":
        return [{ id: "e", notes: [note(7, "of an issue")] }];
      case "/issues/3/award_emoji":
        return [
          { name: "thumbsup", user: dev, created_at: at },
          { name: "no such", user: dev, created_at: at },
        ];
      case "/releases":
        return [{ tag_name: "v1", name: "One", description: "notes", released_at: at, assets: { links: [] } }];
      default:
        return path.endsWith("/approvals") ? Response.json({ message: "404" }, { status: 404 }) : [];
    }
  };
  return { answers, heard };
}

const EVERYTHING = {
  ...{ service: "gitlab", issues: true, pull_requests: true, labels: true, milestones: true, releases: true },
  auth_token: "glpat-1",
};

test("a project comes with issues, merge requests after them, discussions of lines, approvals and releases", async () => {
  const source = await aSource();
  const { answers, heard } = aProject(source);
  const api = /^\/api\/v4\/projects\/group%2Fsub%2Fr(\/.*)?$/;
  using forge = aForge(there, source.repo, answers, { at: "group/sub/r", api });
  const made = await ask<Shown>("POST", "/repos/migrate", ada, {
    ...{ clone_addr: `${forge.url.href}group/sub/r.git`, repo_name: "lab" },
    ...EVERYTHING,
  });
  expect([made.status, made.text]).toEqual([201, made.text]);
  expect([...heard.tokens]).toEqual(["glpat-1"]);
  const copy = "/repos/ada/lab";
  expect((await ask<Members>("GET", copy, ada)).body).toMatchObject({ description: "from a lab" });
  // What is confidential there is left out of a public repository.
  const items = (await ask<Members[]>("GET", `${copy}/issues?state=all&sort=oldest`, ada)).body;
  expect(items.map(({ number, title }) => [number, title]).sort()).toEqual([
    [3, "Three"],
    [4, "Done"],
    [5, "WIP: Open"],
  ]);
  expect((await ask<Members>("GET", `${copy}/issues/3`, ada)).body).toMatchObject({
    ...{ body: "of three", original_author: "root", original_author_id: 1, comments: 1 },
    labels: [{ name: "type::bug", color: "d9534f", exclusive: true }],
    due_date: "2030-01-02T00:00:00Z",
  });
  expect((await ask<Members[]>("GET", `${copy}/issues/3/reactions`, ada)).body).toMatchObject([{ content: "+1" }]);
  expect((await ask<Members>("GET", `${copy}/pulls/4`, ada)).body).toMatchObject({
    ...{ state: "closed", merged: true, merge_commit_sha: source.main, changed_files: 1, draft: false },
    milestone: { title: "v1", state: "closed" },
    base: { ref: "main" },
    head: { label: "topic", sha: source.topic },
  });
  expect((await ask<Members>("GET", `${copy}/pulls/5`, ada)).body).toMatchObject({
    ...{ state: "open", draft: true, changed_files: 1 },
    head: { label: "fix", ref: "refs/pull/5/head", sha: source.topic, repo: null },
  });
  const said = (await ask<Members[]>("GET", `${copy}/issues/4/comments`, ada)).body;
  expect(said.map(({ body }) => body)).toEqual(["a word", "an answer"]);
  const reviews = (await ask<Members[]>("GET", `${copy}/pulls/4/reviews`, ada)).body;
  expect(reviews.map(({ comments_count, state }) => [state, comments_count]).sort()).toEqual([
    ["APPROVED", 0],
    ["COMMENT", 2],
  ]);
  const lines = reviews.find(({ state }) => state === "COMMENT");
  const comments = (await ask<Members[]>("GET", `${copy}/pulls/4/reviews/${lines?.["id"]}/comments`, ada)).body;
  expect(comments.map(({ body, path, position, resolver }) => [body, path, position, resolver !== null])).toEqual([
    ["this line", "b.txt", 1, true],
    ["done", "b.txt", 1, true],
  ]);
  expect((await ask<Members[]>("GET", `${copy}/releases`, ada)).body).toMatchObject([{ tag_name: "v1", name: "One" }]);
  for (const path of ["pulls/4", "pulls/4/files", "pulls/5"])
    expect([path, (await call(here, "GET", `/ada/lab/${path}`, {})).status]).toEqual([path, 200]);
  expect((await ask<Members>("POST", `${copy}/issues`, ada, { title: "next" })).body["number"]).toBe(6);
});

test("what is confidential comes into a private repository, and what is switched off is passed over", async () => {
  const source = await aSource();
  const { answers } = aProject(source);
  const isOff = (path: string) => path.startsWith("/merge_requests") || path === "/releases";
  const refused = () => Response.json({ message: "403 Forbidden" }, { status: 403 });
  const api = /^\/api\/v4\/projects\/o%2Fr(\/.*)?$/;
  using forge = aForge(there, source.repo, (path, ...more) => (isOff(path) ? refused() : answers(path, ...more)), {
    api,
  });
  const made = await ask<Shown>("POST", "/repos/migrate", ada, {
    ...{ clone_addr: `${forge.url.href}o/r.git`, repo_name: "private-lab", private: true },
    ...EVERYTHING,
  });
  expect([made.status, made.text]).toEqual([201, made.text]);
  const items = (await ask<Members[]>("GET", "/repos/ada/private-lab/issues?state=all", ada)).body;
  expect(items.map(({ number }) => number).sort()).toEqual([2, 3]);
});

test("answers of any types are read, and nothing of them becomes more than it may be", async () => {
  const source = await aSource();
  const api = /^\/api\/v4\/projects\/o%2Fr(\/.*)?$/;
  const odd = { iid: 9, title: 3, state: "merged", sha: "x", source_branch: "../x", target_branch: {}, labels: "no" };
  const lost = { iid: 10, title: "lost", state: "opened", source_branch: "gone", target_branch: "main" };
  using forge = aForge(
    there,
    source.repo,
    (path, page) => {
      if (path === "") return [];
      if (page > 1) return [];
      if (path === "/issues") return [null, { iid: -1 }, { iid: "1" }, { iid: 1, author: [], labels: [3, null] }];
      if (path === "/merge_requests") return [odd, null, 7, lost];
      if (path === "/merge_requests/10") return lost;
      if (path === "/merge_requests/9") return odd;
      if (path.endsWith("/discussions"))
        return [{ notes: "no" }, { notes: [{ position: 3 }, { position: { new_line: "x" } }] }, 4];
      if (path.endsWith("/approvals")) return { approved_by: [{ user: "me" }, 3] };
      return [];
    },
    { api },
  );
  const made = await ask<Shown>("POST", "/repos/migrate", ada, {
    ...{ clone_addr: `${forge.url.href}o/r.git`, repo_name: "odd" },
    ...EVERYTHING,
  });
  expect([made.status, made.text]).toEqual([201, made.text]);
  const pulls = (await ask<Members[]>("GET", "/repos/ada/odd/pulls?state=all", ada)).body;
  expect(pulls.map(({ merged, title }) => [title, merged])).toEqual(expect.arrayContaining([["#9", true]]));
  for (const path of ["pulls", "pulls/10", "pulls/10/files", "pulls/10/commits"])
    expect([path, (await call(here, "GET", `/ada/odd/${path}`, {})).status < 500]).toEqual([path, true]);
  for (const path of ["10", "10.diff", "10.patch", "10/files", "10/commits", "10/reviews"])
    expect([path, (await ask("GET", `/repos/ada/odd/pulls/${path}`, ada)).status < 500]).toEqual([path, true]);
  const headless = (await ask<Members>("GET", "/repos/ada/odd/pulls/11", ada)).body;
  expect(headless).toMatchObject({
    state: "closed",
    merged: false,
    changed_files: 0,
    head: { sha: "" },
  });
  for (const path of ["11.diff", "11/files", "11/commits"])
    expect([path, (await ask("GET", `/repos/ada/odd/pulls/${path}`, ada)).status < 500]).toEqual([path, true]);
  for (const path of ["pulls/11", "pulls/11/files", "pulls/11/commits", "pulls/11/conflicts"])
    expect([path, (await call(here, "GET", `/ada/odd/${path}`, {})).status < 500]).toEqual([path, true]);
  const reopened = await ask("PATCH", "/repos/ada/odd/pulls/11", ada, { state: "open" });
  expect([reopened.status >= 400, reopened.status < 500]).toEqual([true, true]);
  for (const path of ["merge", "update"]) {
    const asked = await ask("POST", `/repos/ada/odd/pulls/11/${path}`, ada, { Do: "merge" });
    expect([path, asked.status >= 400 && asked.status < 500]).toEqual([path, true]);
  }
});
