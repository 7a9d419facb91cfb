import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Result } from "../../../src/actions/runners/protocol/runner_pb.ts";
import type { Repo } from "../../../src/repos/types.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aToken,
  aUser,
  call,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { plansDuring, scans } from "../../plans.ts";
import { aRun, aRunner, COMMIT, seen } from "./world.ts";

/** Runs, their jobs and tasks over REST: lists, filters, who sees them, again and away (contract actions.md 8.6 to 8.8, 8.10). */

let server: TestServer;
let root: TestUser;
let ada: TestUser;
let bob: TestUser;
let garden: Repo;
let vault: Repo;
const api = anApi(() => server);

interface Shown {
  readonly id: number;
  readonly run_number: number;
  readonly run_attempt: number;
  readonly status: string;
  readonly conclusion?: string;
  readonly previous_attempt_url: string | null;
  readonly head_branch?: string;
  readonly actor: { readonly login: string };
  readonly trigger_actor: { readonly login: string };
}
interface Runs {
  readonly workflow_runs: readonly Shown[];
  readonly total_count: number;
}
interface JobShown {
  readonly id: number;
  readonly run_id: number;
  readonly name: string;
  readonly status: string;
  readonly conclusion?: string;
  readonly runner_name?: string;
  readonly steps: readonly { readonly name: string; readonly status: string }[];
}
interface Jobs {
  readonly jobs: readonly JobShown[];
  readonly total_count: number;
}

beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { login: "root", isAdmin: true });
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  garden = aRepo(server, ada.user, { name: "garden" });
  vault = aRepo(server, ada.user, { name: "vault", isPrivate: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const flow = "on: push\njobs:\n  a:\n    runs-on: self\n    steps: [{run: echo hi}]\n";
const two =
  "on: push\njobs:\n  a: {runs-on: self, steps: [{run: a}]}\n  b: {runs-on: self, needs: a, steps: [{run: b}]}\n";
const at = (repo: string) => `/repos/ada/${repo}/actions`;

/** A repository of its own with a runner, and a run in it that is done. */
async function aBench(result = Result.SUCCESS, source = flow) {
  const repo = aRepo(server, ada.user);
  const runner = await aRunner(server, seen(server, repo, ada));
  const run = await aRun(server, repo, source);
  const job = await runner.take();
  await runner.log(job, 0, ["first", "second"], true);
  await runner.finish(job, result);
  return { repo, runner, run, job, path: at(repo.name) };
}

const idsOf = async (path: string, who = ada) => {
  const answer = await api<Runs>("GET", path, who);
  expect([path, answer.status]).toEqual([path, 200]);
  expect(answer.headers.get("x-total-count")).toBe(String(answer.body.total_count));
  return answer.body.workflow_runs.map(({ id }) => id);
};

describe("lists of runs", () => {
  test("are narrowed by what clients ask, the newest first", async () => {
    const { path, repo, run: done } = await aBench(Result.FAILURE);
    const waiting = await aRun(server, repo, flow, { event: "workflow_dispatch", userId: bob.user.id });
    const tagged = await aRun(server, repo, flow, { ref: "refs/tags/v1", commit: "2".repeat(40), workflow: "b.yml" });
    const ids = (query: string) => idsOf(`${path}/runs${query}`);
    expect(await ids("")).toEqual([tagged.id, waiting.id, done.id]);
    expect(await ids("?event=push")).toEqual([tagged.id, done.id]);
    expect(await ids("?branch=main")).toEqual([waiting.id, done.id]);
    expect(await ids("?branch=v1")).toEqual([]);
    expect(await ids(`?head_sha=${COMMIT}`)).toEqual([waiting.id, done.id]);
    expect(await ids("?actor=bob")).toEqual([waiting.id]);
    expect(await ids("?actor=BOB")).toEqual([waiting.id]);
    expect(await ids("?actor=nobody-at-all")).toEqual([]);
    expect(await ids("?actor=gitea-actions")).toEqual([]);
    expect(await ids("?status=queued")).toEqual([tagged.id, waiting.id]);
    expect(await ids("?status=completed")).toEqual([done.id]);
    expect(await ids("?status=failure&status=queued&event=push")).toEqual([tagged.id, done.id]);
    expect(await ids("?status=")).toHaveLength(3);
    for (const word of ["pending", "waiting", "requested", "action_required", "in_progress", "success", "cancelled"])
      expect([word, await ids(`?status=${word}`)]).toEqual([word, []]);
    const refused = await api("GET", `${path}/runs?status=bogus`, ada);
    expect([refused.status, refused.body]).toMatchObject([400, { message: "invalid status bogus" }]);
  });

  test("come in pages", async () => {
    const repo = aRepo(server, ada.user);
    const made = [await aRun(server, repo, flow), await aRun(server, repo, flow), await aRun(server, repo, flow)];
    const first = await api<Runs>("GET", `${at(repo.name)}/runs?limit=2`, ada);
    expect(first.body).toMatchObject({ total_count: 3, workflow_runs: [{ id: made[2]?.id }, { id: made[1]?.id }] });
    expect(first.headers.get("link")).toContain('rel="next"');
    expect(await idsOf(`${at(repo.name)}/runs?limit=2&page=2`)).toEqual([made[0]?.id ?? 0]);
    expect(await idsOf(`${at(repo.name)}/runs?limit=2&page=9`)).toEqual([]);
  });

  test("of accounts and the site have what may be seen there", async () => {
    const guild = anOrganization(server, ada.user, { login: "guild" });
    const hall = aRepo(server, guild, { name: "hall", isPrivate: true });
    const mine = await aRun(server, vault, flow);
    const theirs = await aRun(server, hall, flow);
    expect(await idsOf("/user/actions/runs?limit=50")).toContain(mine.id);
    expect(await idsOf("/user/actions/runs?limit=50")).not.toContain(theirs.id);
    expect(await idsOf("/orgs/guild/actions/runs")).toEqual([theirs.id]);
    expect(await idsOf("/admin/actions/runs?limit=50", root)).toEqual(expect.arrayContaining([mine.id, theirs.id]));
    expect((await api("GET", "/orgs/guild/actions/runs", bob)).status).toBe(403);
    expect((await api("GET", "/admin/actions/runs", ada)).status).toBe(403);
    const open = { token: aToken(server, ada.user, ["public-only", "read:organization", "read:user"]) };
    expect((await api<Runs>("GET", "/orgs/guild/actions/runs", open)).body.total_count).toBe(0);
    expect((await api("GET", "/user/actions/runs", open)).status).toBe(403);
    for (const path of ["/orgs/guild/actions", "/user/actions"]) {
      expect((await api("GET", `${path}/jobs?status=bogus`, ada)).status).toBe(400);
      expect((await api("GET", `${path}/jobs?sort=name`, ada)).status).toBe(422);
    }
    const jobs = await api<Jobs>("GET", "/orgs/guild/actions/jobs", ada);
    expect(jobs.body).toMatchObject({ total_count: 1, jobs: [{ run_id: theirs.id, status: "queued", steps: [] }] });
  });

  test("a member who may not read a repository does not see its runs", async () => {
    const union = anOrganization(server, ada.user, { login: "union" });
    const secret = aRepo(server, union, { name: "secret", isPrivate: true });
    await aRun(server, secret, flow);
    const team = { name: "few", permission: "read", units: ["repo.actions"] };
    const { id } = (await api<{ id: number }>("POST", "/orgs/union/teams", ada, team)).body;
    expect((await api("PUT", `/teams/${id}/members/bob`, ada)).status).toBe(204);
    expect((await api<Runs>("GET", "/orgs/union/actions/runs", bob)).body.total_count).toBe(0);
    expect((await api<Runs>("GET", "/orgs/union/actions/runs", ada)).body.total_count).toBe(1);
  });

  test("never walk a whole table", async () => {
    const { path } = await aBench();
    const queries = [
      "runs",
      "runs?status=failure",
      "runs?event=push&branch=main&actor=ada",
      "jobs",
      "jobs?status=queued",
    ];
    const plans = await plansDuring(
      server,
      async () => {
        for (const query of queries) expect((await api("GET", `${path}/${query}`, ada)).status).toBe(200);
        await api("GET", `${path}/tasks`, ada);
        await api("GET", `${path}/artifacts`, ada);
        await api("GET", "/user/actions/runs", ada);
        await api("GET", "/user/actions/jobs?status=queued", ada);
      },
      /actions_/,
    );
    expect(plans.length).toBeGreaterThan(10);
    expect(scans(plans)).toEqual([]);
  });
});

describe("a run", () => {
  test("is shown as clients know it", async () => {
    const { path, repo, run } = await aBench();
    const { body, status } = await api<Shown & Record<string, unknown>>("GET", `${path}/runs/${run.id}`, ada);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: run.id,
      url: `${server.url}api/v1${path}/runs/${run.id}`,
      html_url: `${server.url}ada/${repo.name}/actions/runs/${run.id}`,
      previous_attempt_url: null,
      display_title: "a title",
      path: "a.yml@refs/heads/main",
      event: "push",
      run_attempt: 1,
      run_number: 1,
      head_sha: COMMIT,
      head_branch: "main",
      status: "completed",
      conclusion: "success",
      actor: { login: "ada" },
      trigger_actor: { login: "ada" },
      repository: { full_name: `ada/${repo.name}` },
      pull_requests: [],
    });
    const open = await aRun(server, repo, flow, { ref: "refs/pull/7/head" });
    const before = await api<Record<string, unknown>>("GET", `${path}/runs/${open.id}`, ada);
    expect(before.body).toMatchObject({ status: "queued", started_at: "1970-01-01T00:00:00Z" });
    expect(Object.keys(before.body)).not.toContain("conclusion");
    expect(before.body["head_branch"]).toBe("");
  });

  test("is found by its number in its own repository alone", async () => {
    const { path, run } = await aBench();
    const missing = await api("GET", `${path}/runs/999999`, ada);
    expect([missing.status, missing.body]).toMatchObject([
      404,
      { message: "run with id 999999: resource does not exist" },
    ]);
    for (const rest of [`runs/${run.id}`, `runs/${run.id}/jobs`, `runs/${run.id}/attempts/1`, "runs/x", "runs/1e3"])
      expect([rest, (await api("GET", `${at("garden")}/${rest}`, ada)).status]).toEqual([rest, 404]);
    const attempt = await api("GET", `${path}/runs/${run.id}/attempts/3`, ada);
    expect(attempt.body).toMatchObject({ message: `run attempt 3 for run ${run.id}: resource does not exist` });
  });

  test("of a public repository is everybody's, lists and logs are for accounts, and of a private one nobody's but its readers'", async () => {
    const hidden = await aRun(server, vault, flow);
    const shown = await aRun(server, garden, flow);
    const job = async (repo: string, id: number) =>
      (await api<Jobs>("GET", `${at(repo)}/runs/${id}/jobs`, ada)).body.jobs[0]?.id ?? 0;
    const open = (id: number) => [`runs/${id}`, `runs/${id}/jobs`, `runs/${id}/attempts/1/jobs`, "tasks", "artifacts"];
    const closed = (id: number) => ["runs", "jobs", `jobs/${id}`];
    for (const rest of open(shown.id))
      expect([rest, (await api("GET", `${at("garden")}/${rest}`)).status]).toEqual([rest, 200]);
    for (const rest of closed(await job("garden", shown.id))) {
      expect([rest, (await api("GET", `${at("garden")}/${rest}`)).status]).toEqual([rest, 401]);
      expect([rest, (await api("GET", `${at("garden")}/${rest}`, bob)).status]).toEqual([rest, 200]);
    }
    for (const rest of [...open(hidden.id), ...closed(await job("vault", hidden.id))])
      for (const who of [undefined, bob])
        expect([rest, (await api("GET", `${at("vault")}/${rest}`, who)).status]).toEqual([rest, 404]);
  });

  test("runs again as another attempt, and the first stays", async () => {
    const { path, run, runner } = await aBench(Result.FAILURE);
    const again = await api<Shown>("POST", `${path}/runs/${run.id}/rerun`, ada);
    expect([again.status, again.body]).toMatchObject([201, { id: run.id, run_attempt: 2, status: "queued" }]);
    expect(again.body.previous_attempt_url).toEndWith(`/runs/${run.id}/attempts/1`);
    expect((await api("POST", `${path}/runs/${run.id}/rerun`, ada)).status).toBe(400);
    await runner.finish(await runner.take());
    const first = await api<Shown>("GET", `${path}/runs/${run.id}/attempts/1`, ada);
    expect(first.body).toMatchObject({ run_attempt: 1, conclusion: "failure", previous_attempt_url: null });
    expect((await api<Shown>("GET", `${path}/runs/${run.id}`, ada)).body.conclusion).toBe("success");
    const jobs = await api<Jobs>("GET", `${path}/runs/${run.id}/attempts/1/jobs`, ada);
    expect(jobs.body).toMatchObject({ total_count: 1, jobs: [{ conclusion: "failure" }] });
    expect((await api("POST", `${path}/runs/${run.id}/rerun-failed-jobs`, ada)).body).toMatchObject({
      message: "this workflow run has no failed jobs to re-run",
    });
  });

  test("is run again, cancelled, approved and deleted by who may write", async () => {
    const { path, run } = await aBench();
    for (const rest of ["rerun", "rerun-failed-jobs", "cancel", "approve"]) {
      const target = `${path}/runs/${run.id}/${rest}`;
      expect([rest, (await api("POST", target, bob)).status]).toEqual([rest, 403]);
      expect([rest, (await api("POST", target)).status]).toEqual([rest, 401]);
      expect([rest, (await api("POST", `${path}/runs/999999/${rest}`, ada)).status]).toEqual([rest, 404]);
    }
    expect((await api("DELETE", `${path}/runs/${run.id}`, bob)).status).toBe(403);
    expect((await api("DELETE", `${path}/runs/${run.id}`, ada)).status).toBe(204);
    expect((await api("GET", `${path}/runs/${run.id}`, ada)).status).toBe(404);
    expect((await api("DELETE", `${path}/runs/${run.id}`, ada)).status).toBe(404);
  });

  test("that goes on is cancelled, not deleted", async () => {
    const repo = aRepo(server, ada.user);
    const run = await aRun(server, repo, flow);
    const path = `${at(repo.name)}/runs/${run.id}`;
    const refused = await api("DELETE", path, ada);
    expect([refused.status, refused.body]).toMatchObject([400, { message: "this workflow run is not done" }]);
    const cancelled = await api<Shown>("POST", `${path}/cancel`, ada);
    expect([cancelled.status, cancelled.body]).toMatchObject([200, { status: "completed", conclusion: "cancelled" }]);
    expect((await api("DELETE", path, ada)).status).toBe(204);
  });

  test("that waits for an approval begins with it", async () => {
    const repo = aRepo(server, ada.user);
    const run = await aRun(server, repo, flow, { needsApproval: true });
    const path = `${at(repo.name)}/runs/${run.id}`;
    expect((await api<Shown>("GET", path, ada)).body.status).toBe("waiting");
    expect((await api<Shown>("POST", `${path}/approve`, ada)).body.status).toBe("queued");
  });
});

describe("jobs", () => {
  test("are listed, sorted and narrowed", async () => {
    const { path, repo, run, runner } = await aBench();
    const next = await aRun(server, repo, two);
    const all = async (query: string) =>
      (await api<Jobs>("GET", `${path}/jobs${query}`, ada)).body.jobs.map(
        ({ name, run_id: of }) => `${of === run.id ? 1 : 2}${name}`,
      );
    expect(await all("")).toEqual(["1a", "2a", "2b"]);
    expect(await all("?sort=id&order=desc")).toEqual(["2b", "2a", "1a"]);
    expect(await all("?status=waiting")).toEqual(["2b"]);
    expect(await all("?status=queued&status=success")).toEqual(["1a", "2a"]);
    const refused = await api("GET", `${path}/jobs?order=sideways`, ada);
    expect([refused.status, refused.body]).toMatchObject([422, { message: 'Invalid sort order: "sideways"' }]);
    expect((await api("GET", `${path}/runs/${next.id}/jobs?sort=name`, ada)).status).toBe(422);
    await runner.finish(await runner.take());
    const ofRun = await api<Jobs>("GET", `${path}/runs/${next.id}/jobs?status=queued`, ada);
    expect(ofRun.body).toMatchObject({ total_count: 1, jobs: [{ name: "b", status: "queued" }] });
  });

  test("are shown with their runner and steps once one took them", async () => {
    const { path, run } = await aBench();
    const [job] = (await api<Jobs>("GET", `${path}/runs/${run.id}/jobs`, ada)).body.jobs;
    expect(job).toMatchObject({
      name: "a",
      runner_name: "made",
      conclusion: "success",
      steps: [{ name: "Run echo hi" }],
    });
    const one = await api<JobShown>("GET", `${path}/jobs/${job?.id}`, ada);
    expect(one.body).toEqual(job as JobShown);
    expect((await api("GET", `${at("garden")}/jobs/${job?.id}`, ada)).status).toBe(404);
  });

  test("have a log, for accounts that may read it", async () => {
    const { path, repo, run, job } = await aBench();
    const [listed] = (await api<Jobs>("GET", `${path}/runs/${run.id}/jobs`, ada)).body.jobs;
    const log = await api("GET", `${path}/jobs/${listed?.id}/logs`, ada);
    expect([log.status, log.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(log.headers.get("content-disposition")).toBe(`attachment; filename=a-a-${job.id}.log`);
    expect(log.text).toBe("2026-01-02T03:04:05.0000000Z first\n2026-01-02T03:04:05.0000000Z second\n");
    expect((await api("GET", `${path}/jobs/${listed?.id}/logs`)).status).toBe(401);
    const open = await aRun(server, repo, flow);
    const [waiting] = (await api<Jobs>("GET", `${path}/runs/${open.id}/jobs`, ada)).body.jobs;
    const none = await api("GET", `${path}/jobs/${waiting?.id}/logs`, ada);
    expect([none.status, none.body]).toMatchObject([404, { message: "job not started" }]);
  });

  test("that runners took are listed as tasks", async () => {
    const { path, repo, run, job } = await aBench();
    await aRun(server, repo, flow);
    const { body } = await api<Runs>("GET", `${path}/tasks`);
    expect(body).toMatchObject({
      total_count: 1,
      workflow_runs: [
        {
          id: job.id,
          name: "a",
          head_branch: "main",
          head_sha: COMMIT,
          run_number: 1,
          event: "push",
          display_title: "a title",
          status: "success",
          workflow_id: "a.yml",
          url: `${server.url}ada/${repo.name}/actions/runs/${run.id}`,
        },
      ],
    });
  });
});

test("a badge says how the newest run of a workflow on a branch went", async () => {
  const { repo } = await aBench(Result.FAILURE);
  const badge = (rest: string, token?: string) =>
    call(server, "GET", `/ada/${repo.name}/actions/workflows/${rest}`, { token });
  const shown = await badge("a.yml/badge.svg");
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  expect(shown.text).toContain("failure");
  expect(shown.text).toContain("#e05d44");
  const elsewhere = await call(server, "GET", `/ada/${repo.name}/badges/workflows/a.yml/badge.svg`);
  expect([elsewhere.status, elsewhere.text]).toEqual([200, shown.text]);
  for (const rest of ["b.yml/badge.svg", "a.yml/badge.svg?branch=other", "a.yml/badge.svg?event=release"])
    expect([rest, (await badge(rest)).text.includes("no status")]).toEqual([rest, true]);
  expect((await badge("a.yml/badge.svg?event=push&style=flat-square")).text).toContain('rx="0"');
  const hidden = "/ada/vault/actions/workflows/a.yml/badge.svg";
  expect((await call(server, "GET", hidden)).status).toBe(404);
  expect((await call(server, "GET", hidden, { token: ada.token })).status).toBe(200);
});
