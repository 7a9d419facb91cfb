import { afterAll, beforeAll, expect, test } from "bun:test";
import type { User } from "../../../src/access/user.ts";
import { Result } from "../../../src/actions/runners/protocol/runner_pb.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aUser,
  settled,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { aRun, aRunner, seen } from "./world.ts";

/** What webhooks hear of runs and jobs (contract webhooks.md 6.14 and 6.15, actions.md 5.2). */

interface Told {
  readonly path: string;
  readonly type: string;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly action: string };
}

let server: TestServer;
let ada: TestUser;
let receiver: ReturnType<typeof Bun.serve>;
const told: Told[] = [];
const api = anApi(() => server);

beforeAll(async () => {
  receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const text = await request.text();
      const type = request.headers.get("x-gitea-event") ?? "";
      told.push({ path: new URL(request.url).pathname, type, text, body: JSON.parse(text) });
      return new Response("taken");
    },
  });
  server = await aServer({ "network.allow": ["loopback"] });
  ada = await aUser(server, { login: "ada" });
});
afterAll(async () => {
  await receiver.stop(true);
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const two =
  "name: The flow\non: push\njobs:\n  a: {runs-on: self, steps: [{run: a}]}\n  b: {runs-on: self, needs: a, steps: [{run: b}]}\n";

async function aBench(owner: User = ada.user) {
  const repo = aRepo(server, owner);
  const path = `/hook-${repo.id}`;
  const made = await api("POST", `/repos/${owner.login}/${repo.name}/hooks`, ada, {
    type: "gitea",
    active: true,
    config: { url: `http://127.0.0.1:${receiver.port}${path}`, content_type: "json" },
    events: ["workflow_run", "workflow_job"],
  });
  expect(made.status).toBe(201);
  const runner = await aRunner(server, seen(server, repo, ada));
  /** What was told since it was asked last. */
  const heard = async () => {
    await settled(server);
    return told.filter((one) => one.path === path);
  };
  const actions = async (type: string) =>
    (await heard()).filter((one) => one.type === type).map(({ body }) => body.action);
  return { actions, heard, repo, runner };
}

test("every turn of a run and its jobs is told once", async () => {
  const { actions, heard, repo, runner } = await aBench();
  const { id } = await aRun(server, repo, two, { event: "push" });
  expect(await actions("workflow_run")).toEqual(["requested"]);
  expect((await actions("workflow_job")).sort()).toEqual(["queued", "waiting"]);
  const a = await runner.take();
  await runner.finish(a);
  const b = await runner.take();
  await runner.finish(b, Result.FAILURE);
  expect(await actions("workflow_run")).toEqual(["requested", "in_progress", "completed"]);
  const all = await heard();
  const jobs = all
    .filter(({ type }) => type === "workflow_job")
    .map(({ body }) => [(body["workflow_job"] as { name: string }).name, body.action].join(" "));
  expect(jobs.slice(0, 2).sort()).toEqual(["a queued", "b waiting"]);
  expect(jobs.slice(2)).toEqual(["a in_progress", "a completed", "b queued", "b in_progress", "b completed"]);

  const of = (type: string, action: string) => all.find((one) => one.type === type && one.body.action === action)?.body;
  expect(of("workflow_run", "requested")).toMatchObject({
    workflow: { id: "a.yml", name: "The flow", path: ".gitea/workflows/a.yml", state: "active" },
    workflow_run: { id, status: "queued", event: "push", run_attempt: 1, head_branch: "main" },
    repository: { full_name: `ada/${repo.name}` },
    sender: { login: "ada" },
  });
  expect(Object.keys(of("workflow_run", "requested") ?? {})).not.toContain("organization");
  expect(of("workflow_run", "in_progress")).toMatchObject({ workflow_run: { status: "in_progress" } });
  expect(of("workflow_run", "completed")).toMatchObject({
    workflow_run: { status: "completed", conclusion: "failure" },
  });
  expect(of("workflow_job", "waiting")).toMatchObject({ workflow_job: { status: "waiting", steps: [], run_id: id } });
  const started = of("workflow_job", "in_progress")?.["workflow_job"];
  expect(started).toMatchObject({ runner_id: runner.id, runner_name: "made", completed_at: "1970-01-01T00:00:00Z" });
  expect(Object.keys(of("workflow_job", "queued")?.["workflow_job"] ?? {})).not.toContain("runner_id");
  expect(of("workflow_job", "completed")).toMatchObject({
    workflow_job: { status: "completed", conclusion: "success" },
  });
  for (const { text } of all)
    for (const job of [a, b])
      expect([text.includes(job.token), text.includes(job.runtimeToken)]).toEqual([false, false]);
});

test("another attempt is told like a new run, of an organization with its name, and what is cancelled ends", async () => {
  const guild = anOrganization(server, ada.user, { login: "guild" });
  const { actions, heard, repo, runner } = await aBench(guild);
  const { id } = await aRun(server, repo, "on: push\njobs:\n  a: {runs-on: self, steps: [{run: a}]}\n", {
    userId: ada.user.id,
  });
  await runner.finish(await runner.take(), Result.FAILURE);
  const path = `/repos/guild/${repo.name}/actions/runs/${id}`;
  expect((await api("POST", `${path}/rerun`, ada)).status).toBe(201);
  expect((await api("POST", `${path}/cancel`, ada)).status).toBe(200);
  const once = ["requested", "in_progress", "completed"];
  expect(await actions("workflow_run")).toEqual([...once, "requested", "completed"]);
  const again = (await heard()).map(({ body, type }) => `${type} ${body["action"]}`).slice(-4);
  expect(again).toEqual([
    "workflow_run requested",
    "workflow_job queued",
    "workflow_job completed",
    "workflow_run completed",
  ]);
  const last = (await heard()).filter(({ type }) => type === "workflow_run").at(-1);
  expect(last?.body).toMatchObject({
    workflow_run: { run_attempt: 2, conclusion: "cancelled" },
    organization: { login: "guild" },
    sender: { login: "ada" },
  });
});
