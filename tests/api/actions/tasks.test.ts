import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { operator } from "../../../src/access/principal.ts";
import { homeOfOther, homeOfRepo } from "../../../src/actions/homes.ts";
import { Result } from "../../../src/actions/runners/protocol/runner_pb.ts";
import { Secret } from "../../../src/secrets/secret.ts";
import { aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";
import { type GivenJob, type MadeRunner, RunnerRefused } from "./made-runner.ts";
import { aRun, aRunner, jobStates, runState, seen } from "./world.ts";

/** How runners take jobs and report on them (contract actions.md 6.6 to 6.10). */

let server: TestServer;
let ada: TestUser;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

let repos = 0;
async function aBench() {
  repos++;
  const repo = aRepo(server, ada.user, { name: `t${repos}` });
  const here = seen(server, repo, ada);
  return { repo, here, runner: await aRunner(server, here) };
}

const ONE = "on: push\njobs:\n  b:\n    runs-on: self\n    steps: [{run: echo hi}, {name: Two, run: x}]\n";

async function running() {
  const bench = await aBench();
  const { id } = await aRun(server, bench.repo, ONE);
  return { ...bench, id, task: await bench.runner.take() };
}

const refusal = (work: Promise<unknown>): Promise<RunnerRefused> =>
  work.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: unknown) => (error instanceof RunnerRefused ? error : Promise.reject(error)),
  );

describe("which runner gets a job", () => {
  test("one that has its labels, and is enabled", async () => {
    const { here, repo, runner } = await aBench();
    const other = await aRunner(server, here, { labels: ["self", "big"] });
    await aRun(server, repo, ONE.replace("runs-on: self", "runs-on: [big, self]"));
    expect((await runner.fetch()).task).toBeUndefined();
    const home = homeOfRepo(here);
    server.services.actionsRunners.setDisabled(home, other.id, true);
    const off = await other.fetch();
    expect(off.task).toBeUndefined();
    server.services.actionsRunners.setDisabled(home, other.id, false);
    expect((await other.fetch(off.version)).task).toBeDefined();
  });

  test("one of its repository, its owner or the site", async () => {
    const [{ repo }, elsewhere] = [await aBench(), await aBench()];
    await aRun(server, repo, ONE);
    expect((await elsewhere.runner.fetch()).task).toBeUndefined();
    const ofSite = await aRunner(server, undefined);
    expect((await ofSite.fetch()).task).toBeDefined();
  });

  test("one of many that ask at once", async () => {
    const { here, repo } = await aBench();
    const runners = await Promise.all([1, 2, 3, 4, 5].map(() => aRunner(server, here)));
    await aRun(server, repo, ONE);
    const got = await Promise.all(runners.map((runner) => runner.fetch()));
    expect(got.filter(({ task }) => task !== undefined)).toHaveLength(1);
  });

  test("the version tells it when to ask again", async () => {
    const { repo, runner } = await aBench();
    const { version } = await runner.fetch();
    expect(version).toBeGreaterThan(0);
    expect((await runner.fetch(version)).version).toBe(version);
    await aRun(server, repo, ONE);
    const next = await runner.fetch(version);
    expect([next.version > version, next.task !== undefined]).toEqual([true, true]);
    expect((await runner.fetch(next.version)).task).toBeUndefined();
  });

  test("an ephemeral one gets one in its life", async () => {
    const { here, repo } = await aBench();
    const runner = await aRunner(server, here, { ephemeral: true });
    await aRun(server, repo, ONE);
    await aRun(server, repo, ONE);
    const task = await runner.take();
    expect((await runner.fetch()).task).toBeUndefined();
    await runner.finish(task);
    expect((await refusal(runner.fetch())).status).toBe(401);
  });

  test("none, when the server cannot put it together", async () => {
    const { repo, runner } = await aBench();
    const { id } = await aRun(server, repo, ONE);
    server.core.db.query("UPDATE actions_runs SET payload = '{' WHERE id = ?").run(id);
    expect((await runner.fetch()).task).toBeUndefined();
    expect(server.errors.splice(0).join()).toContain("a job could not be put together");
    server.core.db.query("UPDATE actions_runs SET payload = '{}' WHERE id = ?").run(id);
    expect((await runner.fetch()).task).toBeDefined();
  });

  test("nobody, when the runner has gone before it was answered", async () => {
    const { repo, runner, here } = await aBench();
    await aRun(server, repo, ONE);
    const gone = new AbortController();
    const known = server.services.actionsRunners.get(homeOfRepo(here), runner.id);
    const given = await server.services.actionsTasks.claim(known, gone.signal);
    expect(given).toBeDefined();
    gone.abort();
    const task = await runner.take();
    expect(task.id).not.toBe(given?.id);
  });
});

describe("what a job comes with", () => {
  test("a payload, the facts of the run, and tokens", async () => {
    const { id, repo, task } = await running();
    expect(task.payload).toContain("echo hi");
    expect(task.context).toMatchObject({
      repository: `ada/${repo.name}`,
      repository_owner: "ada",
      ref: "refs/heads/main",
      ref_name: "main",
      ref_type: "branch",
      ref_protected: false,
      event_name: "push",
      event: {},
      actor: "ada",
      run_id: String(id),
      run_number: "1",
      run_attempt: "1",
      job: "b",
      workflow: "a.yml",
      secret_source: "Actions",
      gitea_default_actions_url: "https://github.com",
      graphql_url: "",
    });
    expect(task.token).toMatch(/^[0-9a-f]{40}$/);
    expect(task.secrets).toEqual({ GITHUB_TOKEN: task.token, GITEA_TOKEN: task.token });
    const claims = JSON.parse(Buffer.from(task.runtimeToken.split(".")[1] ?? "", "base64url").toString());
    expect(claims).toMatchObject({ RunID: id, TaskID: task.id, ac: '[{"Scope":"","Permission":2}]' });
    expect(claims.scp).toBe(`Actions.Results:${id}:${claims.JobID}`);
  });

  test("variables and secrets, the nearer over the farther; a stranger's code gets none", async () => {
    const { here, repo, runner } = await aBench();
    const owner = await aUser(server);
    const { actionsSecrets: secrets, actionsVariables: variables } = server.services;
    const [near, far] = [homeOfRepo(here), homeOfOther(operator, ada.user)];
    variables.create(far, { name: "both", value: "far", description: "" });
    variables.create(near, { name: "both", value: "near", description: "" });
    variables.create(far, { name: "only", value: "far", description: "" });
    secrets.put(far, { name: "s", value: new Secret("far"), description: "" });
    secrets.put(near, { name: "s", value: new Secret("near"), description: "" });
    secrets.put(homeOfOther(operator, owner.user), { name: "theirs", value: new Secret("x"), description: "" });
    await aRun(server, repo, ONE);
    const task = await runner.take();
    expect(task.vars).toMatchObject({ BOTH: "near", ONLY: "far" });
    expect(task.secrets).toEqual({ S: "near", GITHUB_TOKEN: task.token, GITEA_TOKEN: task.token });
    await aRun(server, repo, ONE, { isOfFork: true, event: "pull_request" });
    expect(Object.keys((await runner.take()).secrets).sort()).toEqual(["GITEA_TOKEN", "GITHUB_TOKEN"]);
    await aRun(server, repo, ONE, { isOfFork: true, event: "pull_request_target" });
    expect((await runner.take()).secrets).toMatchObject({ S: "near" });
  });

  test("inputs as text", async () => {
    const { repo, runner } = await aBench();
    const payload = { inputs: { flag: true, name: "x" } };
    await aRun(server, repo, ONE.replace("push", "workflow_dispatch"), { event: "workflow_dispatch", payload });
    expect((await runner.take()).context["event"]).toEqual({ inputs: { flag: "true", name: "x" } });
  });

  test("of a pull request that targets a branch, that branch", async () => {
    const { repo, runner } = await aBench();
    const payload = { pull_request: { base: { ref: "main", sha: "0" }, head: { ref: "topic" } } };
    const request = { event: "pull_request_target", payload, ref: "refs/pull/7/head" };
    await aRun(server, repo, ONE.replace("push", "pull_request_target"), request);
    const { context } = await runner.take();
    expect(context).toMatchObject({
      ref: "refs/heads/main",
      ref_name: "main",
      ref_type: "branch",
      base_ref: "main",
      head_ref: "topic",
    });
    await aRun(server, repo, ONE.replace("push", "pull_request"), { ...request, event: "pull_request" });
    expect((await runner.take()).context).toMatchObject({ ref: "refs/pull/7/head", ref_name: "7", ref_type: "" });
  });
});

describe("reports", () => {
  test("are steps, outputs and signs of life", async () => {
    const { runner, task } = await running();
    const startedAt = timestampFromMs(Date.UTC(2024, 4, 1, 10));
    const answer = await runner.update(
      task,
      {
        steps: [
          { id: 0n, result: Result.SUCCESS, startedAt, stoppedAt: startedAt, logIndex: 1n, logLength: 2n },
          { id: 1n, startedAt },
          { id: 99n, result: Result.FAILURE },
        ],
      },
      { k: "v", [`${"x".repeat(256)}`]: "ignored" },
    );
    expect([answer.state?.result, answer.sentOutputs]).toEqual([Result.UNSPECIFIED, ["k"]]);
    expect((await runner.update(task, {}, { k: "other", l: "" })).sentOutputs.toSorted()).toEqual(["k", "l"]);
    const steps = server.core.db
      .query(
        "SELECT position, name, status, log_index, log_length FROM actions_steps WHERE task_id = ? ORDER BY position",
      )
      .values(task.id);
    expect(steps).toEqual([
      [0, "Run echo hi", 1, 1, 2],
      [1, "Two", 6, 0, 0],
    ]);
  });

  test("that are final stay so", async () => {
    const { id, runner, task } = await running();
    expect(await runner.finish(task)).toBe(Result.SUCCESS);
    expect(await runner.finish(task, Result.FAILURE)).toBe(Result.SUCCESS);
    expect([runState(server, id), jobStates(server, id)]).toEqual(["success", { b: "success" }]);
  });

  test("are the runner's alone", async () => {
    const { here, task } = await running();
    const intruder: MadeRunner = await aRunner(server, here);
    for (const work of [
      () => intruder.finish(task),
      () => intruder.log(task, 0, ["x"]),
      () => intruder.finish({ id: 999_999 }),
    ])
      expect((await refusal(work())).message).toBe("invalid runner for task");
  });
});

describe("a log", () => {
  const text = async (task: GivenJob) => new Response(server.services.actionsLogs.text(task)).text();

  test("grows by what is new", async () => {
    const { runner, task } = await running();
    expect(await runner.log(task, 0, ["a", "b", "c"])).toBe(3);
    expect(await runner.log(task, 0, ["a", "b", "c", "d", "e"])).toBe(5);
    expect(await runner.log(task, 1, ["b", "c"])).toBe(5);
    expect(await runner.log(task, 9, ["z"])).toBe(5);
    expect(await runner.log(task, 5, [])).toBe(5);
    expect(await text(task)).toBe(
      ["a", "b", "c", "d", "e"].map((line) => `2026-01-02T03:04:05.0000000Z ${line}\n`).join(""),
    );
  });

  test("goes on after the job until there is no more", async () => {
    const { runner, task } = await running();
    await runner.log(task, 0, ["a"]);
    await runner.finish(task);
    expect(await runner.log(task, 1, ["b"])).toBe(2);
    expect(await runner.log(task, 2, [], true)).toBe(2);
    expect(await runner.log(task, 2, [], true)).toBe(2);
    expect((await refusal(runner.log(task, 2, ["c"]))).message).toBe("log file has been archived");
  });

  test("has a line a row, whatever is in it", async () => {
    const { runner, task } = await running();
    await runner.log(task, 0, ["one\ntwo\r\nthree\r", "ünï 😀", "", "😀".repeat(20_000)]);
    const lines = (await text(task)).split("\n").map((line) => line.slice(29));
    expect(lines.slice(0, 3)).toEqual(["one\\ntwo\\nthree", "ünï 😀", ""]);
    expect(lines[3]).toBe("😀".repeat(16_384));
    expect(lines).toHaveLength(5);
  });

  test("of many rows is read from any row to any other", async () => {
    const { runner, task } = await running();
    const rows = Array.from({ length: 5000 }, (_, index) => `${index} ${"x".repeat(index % 200)}`);
    for (let at = 0; at < rows.length; at += 700) await runner.log(task, at, rows.slice(at, at + 700));
    const { actionsLogs } = server.services;
    for (const [from, to] of [
      [0, 1],
      [699, 701],
      [4990, 6000],
      [1234, 3210],
    ] as const)
      expect(actionsLogs.rows(task, from, to).map((line) => line.text)).toEqual(rows.slice(from, to));
    expect(actionsLogs.rows(task, 4999, 5000)).toMatchObject([{ index: 4999, at: Date.UTC(2026, 0, 2, 3, 4, 5) }]);
    expect((await text(task)).split("\n")).toHaveLength(5001);
  });
});

test("a clock that is set forward, or a machine that slept, fails no job whose runner is at it", async () => {
  const { id, runner, task } = await running();
  const { core } = server;
  try {
    setSystemTime(new Date(Date.now() + 24 * 3_600_000 - 60_000));
    core.clockWatch.look();
    core.db.transaction(() => core.jobs.enqueue("actions.stop-overdue", {}));
    await settled(server);
    expect(runState(server, id)).toBe("running");
  } finally {
    setSystemTime();
    core.clockWatch.look();
  }
  await runner.finish(task);
  expect(runState(server, id)).toBe("success");
});

test("jobs that nobody reports on fail, and those that nobody takes are cancelled", async () => {
  const { here, repo, runner } = await aBench();
  const silent = await aRun(server, repo, ONE);
  await runner.take();
  const waiting = await aRun(server, repo, ONE);
  const { db, jobs } = server.core;
  db.query("UPDATE actions_tasks SET updated_at = updated_at - 11 * 60000").run();
  db.query("UPDATE actions_jobs SET updated_at = updated_at - 25 * 3600000 WHERE run_id = ?").run(waiting.id);
  db.transaction(() => {
    jobs.enqueue("actions.stop-overdue", {});
    jobs.enqueue("actions.cancel-abandoned", {});
  });
  await settled(server);
  expect([runState(server, silent.id), runState(server, waiting.id)]).toEqual(["failure", "cancelled"]);
  const endless = await aRun(server, repo, ONE);
  const task = await runner.take();
  db.query("UPDATE actions_tasks SET started_at = started_at - 4 * 3600000 WHERE id = ?").run(task.id);
  db.transaction(() => jobs.enqueue("actions.stop-overdue", {}));
  await settled(server);
  expect(runState(server, endless.id)).toBe("failure");
  expect(await runner.finish(task)).toBe(Result.FAILURE);
  const last = await aRun(server, repo, ONE);
  await runner.take();
  server.services.actionsRunners.delete(homeOfRepo(here), runner.id);
  expect(runState(server, last.id)).toBe("failure");
});

test("a message of very many parts is cut, or refused, before it is read", async () => {
  const { runner, task } = await running();
  const rows = Array.from({ length: 50_000 }, (_, index) => String(index));
  let length = 0;
  for (let calls = 1; length < rows.length; calls++) {
    const next = await runner.log(task, length, rows.slice(length), true);
    expect(next).toBeGreaterThan(length);
    expect(calls).toBeLessThan(5);
    length = next;
  }
  expect(server.services.actionsLogs.rows(task, 49_999, 50_001).map((line) => line.text)).toEqual(["49999"]);
  expect((await refusal(runner.log(task, length, ["more"]))).code).toBe("already_exists");
  const steps = Array.from({ length: 20_000 }, (_, index) => ({ id: BigInt(index), result: Result.FAILURE }));
  expect((await refusal(runner.update(task, { steps }))).code).toBe("invalid_argument");
});
