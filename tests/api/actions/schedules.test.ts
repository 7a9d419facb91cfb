import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { operator } from "../../../src/access/principal.ts";
import { Status } from "../../../src/actions/runs/statuses.ts";
import type { Run } from "../../../src/actions/runs/types.ts";
import type { Repo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";
import { untilHolds } from "../../until.ts";
import { aRunner, seen } from "./world.ts";

/** Workflows that run at set times (contract actions.md 4). */

let server: TestServer;
let ada: TestUser;
const api = anApi(() => server);
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const path = ".gitea/workflows/a.yml";
const workflow = (...crons: readonly string[]) =>
  `on:\n  schedule:\n${crons.map((cron) => `    - cron: "${cron}"\n`).join("")}jobs:\n  b:\n    runs-on: self\n    steps: [{ run: a }]\n`;
const aFlow = (source: string) => aRepo(server, ada.user, { files: { [path]: source } });

interface Row {
  readonly cron: string;
  readonly commit_id: string;
  readonly branch: string;
}

async function schedules(repo: Repo): Promise<Row[]> {
  await settled(server);
  const sql = "SELECT cron, commit_id, branch FROM actions_schedules WHERE repo_id = ? ORDER BY id";
  return server.core.db.query<Row>(sql).all(repo.id);
}

async function runsOf(repo: Repo): Promise<readonly Run[]> {
  await settled(server);
  const here = server.services.repos.seeById(operator, repo.id);
  if (!here) throw new Error("the repository is there");
  return server.services.actionsRunLists.page(here, {}, { limit: 50, offset: 0 }).items;
}

/** The time of each of them has come. */
async function timeComes(repo: Repo): Promise<void> {
  await settled(server);
  server.core.db.query("UPDATE actions_schedules SET next_at = 1 WHERE repo_id = ?").run(repo.id);
  for (const { sweep } of server.house.opened) sweep?.();
  const left = "SELECT 1 FROM actions_schedules WHERE next_at = 1";
  await untilHolds(() => server.core.db.query(left).get() === null);
}

async function edit(repo: Repo, text: string, more: object = {}): Promise<string> {
  const address = `/repos/ada/${repo.name}/contents/${path}`;
  const { sha } = (await api<{ sha: string }>("GET", address, ada)).body;
  const body = { content: Buffer.from(text).toString("base64"), message: "m", sha, ...more };
  const answer = await api<{ commit: { sha: string } }>("PUT", address, ada, body);
  expect(answer.status).toBe(200);
  return answer.body.commit.sha;
}

const patch = async (repo: Repo, body: object) =>
  expect((await api("PATCH", `/repos/ada/${repo.name}`, ada, body)).status).toBe(200);

describe("times", () => {
  test("that a clock ten years ahead planned come when they should, once it is put right", async () => {
    const repo = aFlow(workflow("0 3 * * *"));
    await settled(server);
    const at = () => {
      const sql = "SELECT next_at AS at FROM actions_schedules WHERE repo_id = ?";
      return server.core.db.query<{ at: number }>(sql).get(repo.id)?.at ?? 0;
    };
    const right = at();
    setSystemTime(new Date(Date.now() + 3_652 * 86_400_000));
    server.core.clockWatch.look();
    await timeComes(repo);
    expect(at()).toBeGreaterThan(right + 3_000 * 86_400_000);
    setSystemTime();
    server.core.clockWatch.look();
    await untilHolds(() => at() === right);
    await settled(server);
  });

  test("are those of the default branch's tip, without those that cannot be read", async () => {
    const repo = aFlow(workflow("0 3 * * *", "nonsense", "@every 1m"));
    const before = await schedules(repo);
    expect(before.map(({ branch, cron }) => [branch, cron])).toEqual([
      ["main", "0 3 * * *"],
      ["main", "@every 1m"],
    ]);
    await edit(repo, workflow("@daily"), { new_branch: "dev" });
    expect(await schedules(repo)).toEqual(before);
    const sha = await edit(repo, workflow("@hourly"));
    expect(await schedules(repo)).toEqual([{ branch: "main", cron: "@hourly", commit_id: sha }]);
    await edit(
      repo,
      workflow("@hourly")
        .replace("schedule", "push")
        .replace(/ {4}- .*\n/, ""),
    );
    expect(await schedules(repo)).toEqual([]);
  });

  test("are replaced by pushes of jobs, too", async () => {
    const repo = aFlow(`${workflow("@daily").replace("on:\n", "on:\n  push:\n")}permissions: write-all\n`);
    await settled(server);
    const job = await (await aRunner(server, seen(server, repo, ada))).take();
    const answer = await api<{ commit: { sha: string } }>(
      "POST",
      `/repos/ada/${repo.name}/contents/new`,
      { token: job.token },
      { content: "", message: "by the job" },
    );
    expect(answer.status).toBe(201);
    expect(await schedules(repo)).toMatchObject([{ cron: "@daily", commit_id: answer.body.commit.sha }]);
    expect(await runsOf(repo)).toHaveLength(1);
  });

  test("go with the default branch, the unit and the repository's life, and come back", async () => {
    const repo = aFlow(workflow("@daily"));
    const tips = await schedules(repo);
    expect(tips).toHaveLength(1);
    await patch(repo, { archived: true });
    expect(await schedules(repo)).toEqual([]);
    await patch(repo, { archived: false });
    expect(await schedules(repo)).toEqual(tips);
    await patch(repo, { has_actions: false });
    expect(await schedules(repo)).toEqual([]);
    await patch(repo, { has_actions: true });
    expect(await schedules(repo)).toEqual(tips);
    const body = { new_branch_name: "dev", old_branch_name: "main" };
    expect((await api("POST", `/repos/ada/${repo.name}/branches`, ada, body)).status).toBe(201);
    await patch(repo, { default_branch: "dev" });
    expect(await schedules(repo)).toMatchObject([{ branch: "dev" }]);
    expect((await api("PATCH", `/repos/ada/${repo.name}/branches/dev`, ada, { name: "trunk" })).status).toBe(204);
    expect(await schedules(repo)).toMatchObject([{ branch: "trunk" }]);
  });
});

describe("a time that has come", () => {
  test("is not waited for when an administrator has schedules started", async () => {
    const repo = aFlow(workflow("@daily"));
    await settled(server);
    server.core.db.query("UPDATE actions_schedules SET next_at = 1 WHERE repo_id = ?").run(repo.id);
    server.services.background.runSchedule(operator, "start_schedule_tasks");
    expect(await runsOf(repo)).toMatchObject([{ event: "schedule" }]);
  });

  test("starts a run of Actions' own, and is followed by the next", async () => {
    const repo = aFlow(workflow("@daily"));
    const [tip] = await schedules(repo);
    await timeComes(repo);
    const [run, ...more] = await runsOf(repo);
    expect(more).toEqual([]);
    expect(run).toMatchObject({
      event: "schedule",
      ref: "refs/heads/main",
      commit: tip?.commit_id,
      status: Status.waiting,
    });
    const job = await (await aRunner(server, seen(server, repo, ada))).take();
    expect(job.context).toMatchObject({
      event_name: "schedule",
      actor: "gitea-actions",
      event: { schedule: "@daily", repository: { name: repo.name }, sender: { login: "gitea-actions" } },
    });
    const statuses = await api("GET", `/repos/ada/${repo.name}/commits/${tip?.commit_id}/statuses`, ada);
    expect(statuses.body).toEqual([] as never);
    for (const { sweep } of server.house.opened) sweep?.();
    expect(await runsOf(repo)).toHaveLength(1);
  });

  test("starts nothing of a workflow that is switched off", async () => {
    const repo = aFlow(workflow("@daily"));
    await schedules(repo);
    await server.services.actionsWorkflows.setEnabled(seen(server, repo, ada), "a.yml", false);
    await timeComes(repo);
    expect(await runsOf(repo)).toEqual([]);
  });

  test("and its runs that are not done end with the default branch's change", async () => {
    const repo = aFlow(workflow("@daily"));
    await timeComes(repo);
    expect((await runsOf(repo)).map(({ status }) => status)).toEqual([Status.waiting]);
    const body = { new_branch_name: "dev", old_branch_name: "main" };
    expect((await api("POST", `/repos/ada/${repo.name}/branches`, ada, body)).status).toBe(201);
    await patch(repo, { default_branch: "dev" });
    expect((await runsOf(repo)).map(({ status }) => status)).toEqual([Status.cancelled]);
  });
});
