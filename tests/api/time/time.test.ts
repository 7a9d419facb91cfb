import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { durationText, estimateText, parseEstimate, parseTimeNote } from "../../../src/time/duration.ts";
import { anApi, aRepo, aServer, aToken, aUser, type TestServer, type TestUser } from "../../builders.ts";

/** Stopwatches and tracked times over REST (contract issues.md 15). */

let server: TestServer;
let ada: TestUser;
let wendy: TestUser;
let bob: TestUser;
let root: TestUser;

beforeAll(async () => {
  server = await aServer();
  const user = (login: string, isAdmin = false) => aUser(server, { login, isAdmin });
  [ada, wendy, bob, root] = [await user("ada"), await user("wendy"), await user("bob"), await user("root", true)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const api = anApi(() => server);

interface TimeBody {
  readonly id: number;
  readonly time: number;
  readonly user_name: string;
  readonly created: string;
  readonly issue: { readonly number: number; readonly repository: { readonly full_name: string } };
}

async function aProject(request: Parameters<typeof aRepo>[2] = {}) {
  const repo = aRepo(server, ada.user, request);
  const seen = server.services.repos.see(asAccount(ada.user), "ada", repo.name, () => "");
  server.services.collaborators.put(seen, wendy.user, "write");
  const path = `/repos/ada/${repo.name}`;
  const anIssue = async (who = ada) => {
    const { id, number } = (await api<{ id: number; number: number }>("POST", `${path}/issues`, who, { title: "one" }))
      .body;
    return { id, number, path: `${path}/issues/${number}` };
  };
  return { repo, seen, path, anIssue };
}

const times = (path: string, who: TestUser) => api<TimeBody[]>("GET", `${path}/times`, who);
const seconds = async (path: string, who: TestUser) => (await times(path, who)).body.map(({ time }) => time);
const kinds = (issueId: number) =>
  server.core.db
    .query<{ kind: string; body: string }>("SELECT kind, body FROM timeline WHERE issue_id = ? ORDER BY id")
    .all(issueId)
    .map(({ kind, body }) => (body === "" ? kind : `${kind}: ${body}`));

describe("stopwatches", () => {
  test("stop when their item is closed by who runs them, and book their time", async () => {
    const { anIssue, seen } = await aProject();
    const { id, number, path } = await anIssue();
    await api("POST", `${path}/stopwatch/start`, wendy);
    await api("POST", `${path}/stopwatch/start`, ada);
    const change = { issueId: id, number, isPull: false, isClosed: true };
    const context = {
      repoId: seen.repo.id,
      ownerId: seen.owner.id,
      principal: { userId: wendy.user.id, via: undefined, tokenId: undefined },
    };
    server.core.db.transaction(() => {
      server.core.outbox.append("issue.state-changed", context, change);
    });
    expect((await api("GET", "/user/stopwatches", wendy)).body).toEqual([] as never);
    expect((await api<unknown[]>("GET", "/user/stopwatches", ada)).body).toHaveLength(1);
    expect((await times(path, ada)).body).toMatchObject([{ user_name: "wendy" }]);
    expect((await api("POST", `${path}/stopwatch/stop`, ada)).status).toBe(201);
  });

  test("of what one may no longer read are hidden, and end without a trace", async () => {
    const { anIssue, seen, repo } = await aProject({ isPrivate: true });
    const other = await aProject();
    const [hidden, open] = [await anIssue(), await other.anIssue()];
    await api("POST", `${hidden.path}/stopwatch/start`, wendy);
    server.services.collaborators.remove(seen, wendy.user);
    expect((await api("GET", "/user/stopwatches", wendy)).body).toEqual([] as never);
    expect((await api("POST", `${hidden.path}/stopwatch/stop`, wendy)).status).toBe(404);
    expect((await api("POST", `${open.path}/stopwatch/start`, wendy)).status).toBe(201);
    expect(kinds(hidden.id)).toEqual(["start_tracking"]);
    expect((await times(`/repos/ada/${repo.name}`, ada)).body).toEqual([]);
    await api("DELETE", `${open.path}/stopwatch/delete`, wendy);
  });

  test("are refused to who may not write and in archived repositories, for public-only tokens and without the scope", async () => {
    const { anIssue, seen } = await aProject();
    const { path } = await anIssue(bob);
    expect((await api("POST", `${path}/stopwatch/start`, bob)).status).toBe(403);
    expect((await api("POST", `${path}/stopwatch/start`)).status).toBe(401);
    const publicOnly = { token: aToken(server, ada.user, ["public-only", "all"]) };
    expect((await api("GET", "/user/stopwatches", publicOnly)).status).toBe(403);
    const scoped = { token: aToken(server, ada.user, ["write:repository"]) };
    expect((await api("POST", `${path}/stopwatch/start`, scoped)).status).toBe(403);
    server.services.repos.edit(seen, { isArchived: true });
    expect((await api("POST", `${path}/stopwatch/start`, ada)).status).toBe(423);
  });
});

describe("tracked times", () => {
  test("are booked by writers and posters, and by everyone where the repository says so", async () => {
    const { anIssue, path: repoPath } = await aProject();
    const [own, other] = [await anIssue(bob), await anIssue()];
    const book = (path: string, who: TestUser) => api("POST", `${path}/times`, who, { time: 60 });
    expect((await book(own.path, bob)).status).toBe(200);
    expect((await book(other.path, bob)).status).toBe(403);
    expect((await book(other.path, wendy)).status).toBe(200);
    const tracker = {
      enable_time_tracker: true,
      allow_only_contributors_to_track_time: false,
      enable_issue_dependencies: true,
    };
    expect((await api("PATCH", repoPath, ada, { has_issues: true, internal_tracker: tracker })).status).toBe(200);
    expect((await book(other.path, bob)).status).toBe(200);
  });

  test("keep the time they were given, and are found by it; bounds are inclusive", async () => {
    const { anIssue, path: repoPath } = await aProject();
    const { path } = await anIssue();
    for (const [time, created] of [
      [1, "2026-01-01T00:00:00Z"],
      [2, "2026-01-02T02:00:00+02:00"],
      [3, "2026-01-03T00:00:00Z"],
    ])
      await api("POST", `${path}/times`, wendy, { time, created });
    for (const at of [`${path}/times`, `${repoPath}/times`, "/user/times"]) {
      const between = await api<TimeBody[]>(
        "GET",
        `${at}?since=2026-01-01T00:00:01Z&before=2026-01-03T00:00:00Z`,
        wendy,
      );
      expect(between.body.map(({ created, time }) => [time, created])).toEqual([
        [2, "2026-01-02T00:00:00Z"],
        [3, "2026-01-03T00:00:00Z"],
      ]);
      expect(between.headers.get("x-total-count")).toBe("2");
      expect((await api("GET", `${at}?since=never`, wendy)).status).toBe(422);
      expect((await api<TimeBody[]>("GET", `${at}?limit=1&page=3`, wendy)).body.map(({ time }) => time)).toEqual([3]);
    }
  });

  test("of others are for writers to see; who names one without that is refused", async () => {
    const { anIssue, path: repoPath } = await aProject();
    const { path } = await anIssue(bob);
    await api("POST", `${path}/times`, bob, { time: 1 });
    await api("POST", `${path}/times`, wendy, { time: 2 });
    for (const at of [path, repoPath]) {
      expect(await seconds(at, bob)).toEqual([1]);
      expect(await seconds(at, wendy)).toEqual([1, 2]);
      const refused = await api("GET", `${at}/times?user=wendy`, bob);
      expect([refused.status, refused.body["message"]]).toEqual([403, "query by user not allowed; not enough rights"]);
      expect((await api<TimeBody[]>("GET", `${at}/times?user=bob`, wendy)).body.map(({ time }) => time)).toEqual([1]);
      expect((await api("GET", `${at}/times`)).status).toBe(401);
    }
    expect((await api("GET", `${repoPath}/times/wendy`, bob)).status).toBe(403);
    expect((await api("GET", `${repoPath}/times/bob`, wendy)).status).toBe(403);
    expect((await api<TimeBody[]>("GET", `${repoPath}/times/wendy`, ada)).body.map(({ time }) => time)).toEqual([2]);
    expect((await api("GET", `${repoPath}/times/nobody`, ada)).status).toBe(404);
  });

  test("are taken back by who booked them, under their own item, once", async () => {
    const { anIssue } = await aProject();
    const [one, two] = [await anIssue(), await anIssue()];
    const { id } = (await api<TimeBody>("POST", `${one.path}/times`, wendy, { time: 3660 })).body;
    expect((await api("DELETE", `${two.path}/times/${id}`, wendy)).status).toBe(404);
    expect((await api("DELETE", `${one.path}/times/${id}`, ada)).status).toBe(403);
    expect((await api("DELETE", `${one.path}/times/${id}`, root)).status).toBe(204);
    const again = await api("DELETE", `${one.path}/times/${id}`, wendy);
    expect([again.status, again.body["message"]]).toEqual([404, "tracked time was already deleted"]);
    await api("POST", `${one.path}/times`, wendy, { time: 30 });
    await api("POST", `${one.path}/times`, wendy, { time: 45 });
    expect((await api("DELETE", `${one.path}/times`, wendy)).status).toBe(204);
    expect((await api("DELETE", `${one.path}/times`, wendy)).status).toBe(404);
    expect(kinds(one.id)).toEqual([
      "add_time_manual: 1 hour 1 minute",
      "delete_time_manual: 1 hour 1 minute",
      "add_time_manual: 30 seconds",
      "add_time_manual: 45 seconds",
      "delete_time_manual: 1 minute",
    ]);
    expect(await seconds(one.path, wendy)).toEqual([]);
  });

  test("are no more in the list of who may no longer read their items", async () => {
    const { anIssue, seen, repo } = await aProject({ isPrivate: true });
    const { path } = await anIssue();
    await api("POST", `${path}/times`, wendy, { time: 7 });
    const full = `ada/${repo.name}`;
    const own = async () =>
      (await api<TimeBody[]>("GET", "/user/times?limit=50", wendy)).body.filter(
        ({ issue }) => issue.repository.full_name === full,
      );
    expect(await own()).toHaveLength(1);
    server.services.collaborators.remove(seen, wendy.user);
    expect(await own()).toEqual([]);
    expect((await times(path, wendy)).status).toBe(404);
  });

  test("refuse what is no time", async () => {
    const { anIssue } = await aProject();
    const { path } = await anIssue();
    for (const body of [
      { time: 0 },
      { time: -5 },
      { time: 1.5 },
      { time: "1h" },
      { time: 1e15 },
      { time: 5, created: "yesterday" },
      { time: 5, user_name: ["ada"] },
      {},
    ])
      expect((await api("POST", `${path}/times`, ada, body)).status).toBe(422);
    expect((await api("DELETE", `${path}/times/none`, ada)).status).toBe(404);
    expect(kinds((await api<{ id: number }>("GET", path, ada)).body.id)).toEqual([]);
  });

  test("lists are read from their indexes", () => {
    const plan = (sql: string) =>
      server.core.db
        .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail)
        .join(" ");
    for (const column of ["issue_id", "repo_id", "user_id"]) {
      const sql = `SELECT * FROM tracked_times WHERE deleted_at IS NULL AND ${column} = 1 ORDER BY created_at, id LIMIT 30`;
      expect(plan(sql)).toMatch(/USING INDEX tracked_times_by_\w+(?!.*TEMP B-TREE)/);
    }
  });
});

describe("spans of time", () => {
  test("are told in whole hours and minutes", () => {
    const told = [0, 1, 30, 59, 60, 61, 3600, 3660, 7260, 90_000].map(durationText);
    expect(told).toEqual([
      "",
      "1 second",
      "30 seconds",
      "59 seconds",
      "1 minute",
      "1 minute",
      "1 hour",
      "1 hour 1 minute",
      "2 hours 1 minute",
      "25 hours",
    ]);
  });

  test("are read as estimates", () => {
    for (const [text, expected] of [
      ["1h 30m", 5400],
      ["1h30m5s", 5405],
      [" 90m ", 5400],
      ["", 0],
      ["30m 1h", undefined],
      ["1d", undefined],
      ["1.5h", undefined],
      ["-1h", undefined],
      [`${"9".repeat(50)}h`, undefined],
    ] as const)
      expect([text, parseEstimate(text)]).toEqual([text, expected]);
    expect(estimateText(5405)).toBe("1h 30m 5s");
  });

  test("are read from notes in commits", () => {
    for (const [text, expected] of [
      ["1h30m", 5400],
      ["1,5h", 5400],
      ["1.5d", 43_200],
      ["1w1d1h1m", 144_000 + 28_800 + 3600 + 60],
      ["30m1h", undefined],
      ["0m", undefined],
      ["", undefined],
      ["x", undefined],
    ] as const)
      expect([text, parseTimeNote(text)]).toEqual([text, expected]);
  });
});
