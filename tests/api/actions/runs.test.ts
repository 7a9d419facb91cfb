import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Result } from "../../../src/actions/runners/protocol/runner_pb.ts";
import type { Repo } from "../../../src/repos/types.ts";
import { aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";
import { aRun, aRunner, jobStates, runState, seen } from "./world.ts";

/** How jobs of a run follow each other (contract actions.md 1.3, 3.6, 3.7, 8.6). */

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
async function aBench(labels?: readonly string[]) {
  repos++;
  const repo: Repo = aRepo(server, ada.user, { name: `r${repos}` });
  const here = seen(server, repo, ada);
  const runner = await aRunner(server, here, labels ? { labels } : {});
  return { repo, here, runner };
}

const job = (key: string, more = "") => `  ${key}:\n    runs-on: self\n${more}    steps: [{run: a}]\n`;
const flow = (jobs: string, more = "") => `on: push\n${more}jobs:\n${jobs}`;
const states = (id: number) => jobStates(server, id);

describe("needs", () => {
  test("are waited for, and their results and outputs are told", async () => {
    const { repo, runner } = await aBench();
    const { id } = await aRun(
      server,
      repo,
      flow(job("a") + job("b", "    needs: a\n") + job("c", "    needs: [a, b]\n")),
    );
    expect(states(id)).toEqual({ a: "waiting", b: "blocked", c: "blocked" });
    const a = await runner.take();
    expect([a.key, states(id), runState(server, id)]).toEqual([
      "a",
      { a: "running", b: "blocked", c: "blocked" },
      "running",
    ]);
    await runner.finish(a, Result.SUCCESS, { k: "v" });
    const b = await runner.take();
    expect(b.needs["a"]).toMatchObject({ result: Result.SUCCESS, outputs: { k: "v" } });
    await runner.finish(b, Result.SKIPPED);
    expect([states(id), runState(server, id)]).toEqual([{ a: "success", b: "skipped", c: "skipped" }, "success"]);
  });

  test("that fail skip what follows, whose condition may say otherwise", async () => {
    const { repo, runner } = await aBench();
    const text = flow(
      job("a") +
        job("b", "    needs: a\n") +
        job("c", "    needs: b\n    if: always()\n") +
        job("d", "    needs: b\n    if: failure()\n") +
        job("e", "    needs: a\n    if: needs.a.outputs.go == 'yes' && failure()\n"),
    );
    const { id } = await aRun(server, repo, text);
    await runner.finish(await runner.take(), Result.FAILURE, { go: "yes" });
    expect(states(id)).toMatchObject({ a: "failure", b: "skipped", c: "waiting", d: "waiting", e: "waiting" });
  });

  test("that may fail count as done well", async () => {
    const { repo, runner } = await aBench();
    const { id } = await aRun(
      server,
      repo,
      flow(job("a", "    continue-on-error: true\n") + job("b", "    needs: a\n")),
    );
    await runner.finish(await runner.take(), Result.FAILURE);
    await runner.finish(await runner.take());
    expect([states(id), runState(server, id)]).toEqual([{ a: "failure", b: "success" }, "success"]);
  });

  test("of a matrix are all its cells, whose later outputs count", async () => {
    const { repo, runner } = await aBench();
    const matrix = "    strategy:\n      matrix:\n        v: [1, 2]\n";
    const { id } = await aRun(server, repo, flow(job("a", matrix) + job("b", "    needs: a\n")));
    const [one, two] = [await runner.take(), await runner.take()];
    await runner.finish(two, Result.SUCCESS, { k: "two", empty: "" });
    expect(states(id)["b"]).toBe("blocked");
    await runner.finish(one, Result.SUCCESS, { k: "one", empty: "filled" });
    expect((await runner.take()).needs["a"]).toMatchObject({ outputs: { k: "two", empty: "filled" } });
  });

  test("give a matrix its values, and other ones when all is run again", async () => {
    const { here, repo, runner } = await aBench();
    const matrix = "    needs: a\n    strategy:\n      matrix:\n        v: ${{ fromJSON(needs.a.outputs.list) }}\n";
    const { id } = await aRun(server, repo, flow(job("a") + job("b", matrix) + job("c", "    needs: b\n")));
    await runner.finish(await runner.take(), Result.SUCCESS, { list: '["x","y"]' });
    await settled(server);
    expect(states(id)).toEqual({ a: "success", c: "blocked", "b (x)": "waiting", "b (y)": "waiting" });
    await runner.finish(await runner.take());
    await runner.finish(await runner.take());
    expect(states(id)["c"]).toBe("waiting");
    await runner.finish(await runner.take());
    server.services.actionsRuns.rerun(here, id);
    expect(states(id)).toEqual({ a: "waiting", b: "blocked", c: "blocked" });
    await runner.finish(await runner.take(), Result.SUCCESS, { list: '["z"]' });
    await settled(server);
    expect(states(id)).toEqual({ a: "success", c: "blocked", "b (z)": "waiting" });
    await runner.finish(await runner.take(), Result.FAILURE);
    server.services.actionsRuns.rerunFailed(here, id);
    expect(states(id)).toEqual({ a: "success", "b (z)": "waiting", c: "blocked" });
  });

  test("that give no matrix make the job fail, and nothing hang", async () => {
    const { repo, runner } = await aBench();
    const matrix = "    needs: a\n    strategy:\n      matrix:\n        v: ${{ fromJSON(needs.a.outputs.list) }}\n";
    const { id } = await aRun(server, repo, flow(job("a") + job("b", matrix)));
    await runner.finish(await runner.take(), Result.SUCCESS, { list: "no JSON" });
    await settled(server);
    expect([states(id)["b"], runState(server, id)]).toEqual(["failure", "failure"]);
  });
});

test("the same cause makes one run", async () => {
  const { repo } = await aBench();
  await aRun(server, repo, flow(job("a")), { cause: "once" });
  const again = await aRun(server, repo, flow(job("a")), { cause: "once" }).catch(String);
  expect(again).toBe("Error: the run was made before");
});

describe("groups", () => {
  const queue = flow(job("a"), "concurrency: queue\n");

  test("let one run go on and the newest wait", async () => {
    const { repo, runner } = await aBench();
    const first = await aRun(server, repo, queue);
    const task = await runner.take();
    const second = await aRun(server, repo, queue);
    expect(states(second.id)).toEqual({ a: "blocked" });
    const third = await aRun(server, repo, queue);
    expect([runState(server, first.id), runState(server, second.id), runState(server, third.id)]).toEqual([
      "running",
      "cancelled",
      "blocked",
    ]);
    expect((await runner.fetch()).task).toBeUndefined();
    await runner.finish(task);
    expect(runState(server, third.id)).toBe("waiting");
  });

  test("cancel what goes on, where the file says so", async () => {
    const { repo, runner } = await aBench();
    const text = flow(job("a"), "concurrency: {group: g, cancel-in-progress: true}\n");
    const first = await aRun(server, repo, text);
    const task = await runner.take();
    const second = await aRun(server, repo, text);
    expect([runState(server, first.id), runState(server, second.id)]).toEqual(["cancelled", "waiting"]);
    expect((await runner.update(task)).state?.result).toBe(Result.CANCELLED);
    expect(await runner.finish(task)).toBe(Result.CANCELLED);
    expect(runState(server, first.id)).toBe("cancelled");
  });

  test("of jobs hold one job of another run back", async () => {
    const { repo, runner } = await aBench();
    const text = flow(job("a", "    concurrency: deploy\n") + job("b"));
    const first = await aRun(server, repo, text);
    const a = await runner.take();
    expect(a.key).toBe("a");
    const second = await aRun(server, repo, text);
    expect(states(second.id)).toEqual({ a: "blocked", b: "waiting" });
    await runner.finish(a);
    expect(states(second.id)).toEqual({ a: "waiting", b: "waiting" });
    expect(runState(server, first.id)).toBe("waiting");
  });

  test("are of one repository", async () => {
    const [here, there] = [await aBench(), await aBench()];
    await aRun(server, here.repo, queue);
    await here.runner.take();
    expect(states((await aRun(server, there.repo, queue)).id)).toEqual({ a: "waiting" });
  });
});

describe("cancelling", () => {
  test("ends all that is open", async () => {
    const { here, repo, runner } = await aBench();
    const { id } = await aRun(server, repo, flow(job("a") + job("b", "    needs: a\n    if: always()\n")));
    const task = await runner.take();
    server.services.actionsRuns.cancel(here, id);
    expect([states(id), runState(server, id)]).toEqual([{ a: "cancelled", b: "cancelled" }, "cancelled"]);
    expect((await runner.update(task)).state?.result).toBe(Result.CANCELLED);
  });

  test("waits for a runner that ends its jobs by itself", async () => {
    const { here, repo } = await aBench();
    const runner = await aRunner(server, here, { capabilities: ["cancelling"] });
    const { id } = await aRun(server, repo, flow(job("a")));
    const task = await runner.take();
    server.services.actionsRuns.cancel(here, id);
    expect(runState(server, id)).toBe("cancelling");
    expect((await runner.update(task)).state?.result).toBe(Result.CANCELLED);
    expect(await runner.finish(task, Result.SUCCESS)).toBe(Result.CANCELLED);
    expect(runState(server, id)).toBe("cancelled");
  });

  test("and approving take the right to write", async () => {
    const { repo } = await aBench();
    const { id } = await aRun(server, repo, flow(job("a")), { needsApproval: true });
    const bob = await aUser(server);
    const theirs = server.services.repos.seeById(
      { ...seen(server, repo, ada).principal, via: "session", user: bob.user },
      repo.id,
    );
    if (!theirs) throw new Error("the repository is public");
    expect(() => server.services.actionsRuns.cancel(theirs, id)).toThrow("repository.needs-write");
    expect(() => server.services.actionsRuns.approve(theirs, id)).toThrow("repository.needs-write");
  });
});

test("a run that waits for an approval gives nothing to runners before it", async () => {
  const { here, repo, runner } = await aBench();
  const { id } = await aRun(server, repo, flow(job("a") + job("b", "    needs: a\n")), {
    needsApproval: true,
    isOfFork: true,
  });
  expect([states(id), (await runner.fetch()).task]).toEqual([{ a: "blocked", b: "blocked" }, undefined]);
  server.services.actionsRuns.approve(here, id);
  expect(states(id)).toEqual({ a: "waiting", b: "blocked" });
  const { secrets, token } = await runner.take();
  expect(secrets).toEqual({ GITHUB_TOKEN: token, GITEA_TOKEN: token });
});

describe("again", () => {
  const text = flow(job("good") + job("bad") + job("tail", "    needs: bad\n"));
  const failed = async () => {
    const bench = await aBench();
    const { id } = await aRun(server, bench.repo, text);
    await bench.runner.finish(await bench.runner.take(), Result.SUCCESS, { from: "good" });
    await bench.runner.finish(await bench.runner.take(), Result.FAILURE);
    return { ...bench, id };
  };

  test("all", async () => {
    const { here, id, runner } = await failed();
    expect(server.services.actionsRuns.rerun(here, id)).toMatchObject({ id, attempt: 2 });
    expect(states(id)).toEqual({ good: "waiting", bad: "waiting", tail: "blocked" });
    expect((await runner.take()).context).toMatchObject({ run_attempt: "2", triggering_actor: "ada" });
    expect(() => server.services.actionsRuns.rerun(here, id)).toThrow("actions.run-not-done");
  });

  test("what failed, with what depends on it", async () => {
    const { here, id, runner } = await failed();
    server.services.actionsRuns.rerunFailed(here, id);
    expect(states(id)).toEqual({ good: "success", bad: "waiting", tail: "blocked" });
    await runner.finish(await runner.take());
    await runner.finish(await runner.take());
    expect(runState(server, id)).toBe("success");
    expect(() => server.services.actionsRuns.rerunFailed(here, id)).toThrow("actions.nothing-failed");
  });

  test("one job", async () => {
    const { here, id, runner } = await failed();
    const sql = "SELECT id FROM actions_jobs WHERE run_id = ? AND key = 'good'";
    const good = server.core.db.query<{ id: number }>(sql).get(id)?.id ?? 0;
    const copy = server.services.actionsRuns.rerunJob(here, id, good);
    expect(copy).toBeGreaterThan(good);
    expect(states(id)).toEqual({ good: "waiting", bad: "failure", tail: "skipped" });
    await runner.finish(await runner.take());
    expect(runState(server, id)).toBe("failure");
    expect(() => server.services.actionsRuns.rerunJob(here, id, good)).toThrow("actions.no-such-job");
  });

  test("in the group that its words come to by then", async () => {
    const { here, repo, runner } = await aBench();
    const { id } = await aRun(server, repo, flow(job("a"), "concurrency: g-${{ github.run_attempt }}\n"));
    const group = () =>
      server.core.db.query<{ name: string }>("SELECT concurrency_group AS name FROM actions_runs WHERE id = ?").get(id)
        ?.name;
    expect(group()).toBe("g-1");
    await runner.finish(await runner.take());
    server.services.actionsRuns.rerun(here, id);
    expect(group()).toBe("g-2");
  });

  test("not of a workflow that is disabled", async () => {
    const { here, id, repo } = await failed();
    server.core.db.query("INSERT INTO actions_disabled_workflows (repo_id, workflow) VALUES (?, 'a.yml')").run(repo.id);
    expect(() => server.services.actionsRuns.rerun(here, id)).toThrow("actions.workflow-disabled");
  });
});

test("a run is deleted when it is done, with all that is of it", async () => {
  const { here, repo, runner } = await aBench();
  const { id } = await aRun(server, repo, flow(job("a")));
  const task = await runner.take();
  await runner.log(task, 0, ["a line"], true);
  expect(() => server.services.actionsRuns.delete(here, id)).toThrow("actions.run-not-done");
  await runner.finish(task);
  server.services.actionsRuns.delete(here, id);
  const left = (table: string, column: string, value: number) =>
    server.core.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).get(value)?.n;
  expect([
    left("actions_jobs", "run_id", id),
    left("actions_tasks", "id", task.id),
    left("actions_log_parts", "task_id", task.id),
  ]).toEqual([0, 0, 0]);
});

test("switching the unit off, archiving and deleting the repository end its runs", async () => {
  for (const end of ["off", "archive", "delete"] as const) {
    const { here, repo, runner } = await aBench();
    const { id } = await aRun(server, repo, flow(job("a") + job("b", "    needs: a\n")));
    const task = await runner.take();
    if (end === "off") server.services.repos.edit(here, { settings: { units: { actions: false } } });
    else if (end === "archive") server.services.repos.edit(here, { isArchived: true });
    else server.services.repoRemoval.remove(here.principal, repo);
    expect([end, runState(server, id)]).toEqual([end, "cancelled"]);
    expect(
      server.core.db.query<{ status: number }>("SELECT status FROM actions_tasks WHERE id = ?").get(task.id)?.status,
    ).toBe(3);
  }
});

test("a change says so in events, and in statuses of the commit", async () => {
  const { repo, runner } = await aBench();
  const { id } = await aRun(server, repo, flow(job("a"), "name: CI\n"));
  await runner.finish(await runner.take());
  const kinds = server.core.db
    .query<{ kind: string; payload: string }>(
      "SELECT kind, payload FROM events WHERE repo_id = ? AND kind LIKE 'actions.%' ORDER BY id",
    )
    .all(repo.id)
    .map(({ kind, payload }) => `${kind} ${(JSON.parse(payload) as { status: number }).status}`);
  expect(kinds).toEqual([
    "actions.run-changed 5",
    "actions.job-changed 5",
    "actions.job-changed 6",
    "actions.run-changed 6",
    "actions.job-changed 1",
    "actions.run-changed 1",
  ]);
  const statuses = server.services.statuses.list(
    seen(server, repo, ada),
    "1".repeat(40),
    { order: "oldest", state: undefined },
    { limit: 10, offset: 0, page: 1 },
  );
  expect(
    statuses.items.map(({ context, creatorId, description, state }) => [context, state, description, creatorId]),
  ).toEqual([
    ["CI / a (push)", "pending", "Waiting to run", -2],
    ["CI / a (push)", "pending", "In progress", -2],
    ["CI / a (push)", "success", "Successful in 0s", -2],
  ]);
  expect(statuses.items[0]?.targetUrl).toMatch(new RegExp(`^/ada/${repo.name}/actions/runs/${id}/jobs/\\d+$`));
});
