import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Result } from "../../src/actions/runners/protocol/runner_pb.ts";
import type { Repo } from "../../src/repos/types.ts";
import type { GivenJob, MadeRunner } from "../api/actions/made-runner.ts";
import { aRun, aRunner, COMMIT, jobStates, runState, seen } from "../api/actions/world.ts";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Runs, jobs and logs on pages (contract actions.md 9). */

const BUILD = `name: Build
on:
  push: {branches: [never]}
  workflow_dispatch:
    inputs:
      level: {type: choice, options: [quiet, loud], default: quiet, description: How loud}
      dry: {type: boolean, default: true}
jobs:
  first: {runs-on: self, steps: [{name: Compile, run: make}, {run: make test}]}
  second: {runs-on: self, needs: first, steps: [{run: echo}]}
`;

let server: TestServer;
let ada: TestUser;
let grace: TestUser;
let repo: Repo;
let runner: MadeRunner;
let owner: Visitor;
let reader: Visitor;
const api = anApi(() => server);
const actions = "/ada/engine/actions";

beforeAll(async () => {
  server = await aServer();
  [ada, grace] = [await aUser(server, { login: "ada" }), await aUser(server, { login: "grace" })];
  repo = aRepo(server, ada.user, {
    name: "engine",
    files: { ".gitea/workflows/build.yml": BUILD, ".gitea/workflows/odd.yml": "on: [push\n" },
  });
  runner = await aRunner(server, seen(server, repo, ada));
  [owner, reader] = [await aPageOf(server, ada.user), await aPageOf(server, grace.user)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const started = () => aRun(server, repo, BUILD, { workflow: "build.yml" });
const at = (milliseconds: number) => timestampFromMs(Date.UTC(2026, 0, 2, 3, 4, 5) + milliseconds);

/** A job of two steps: the first is done and wrote two rows, the second runs and wrote one. */
async function inTheMiddle(): Promise<{ job: GivenJob; runId: number; href: string }> {
  const { id: runId } = await started();
  const job = await runner.take();
  await runner.log(job, 0, ["setting up", "compiling <b>x</b>", "\u001b[32mcompiled\u001b[0m", "testing"]);
  await runner.update(job, {
    startedAt: at(0),
    steps: [
      { id: 0n, result: Result.SUCCESS, startedAt: at(0), stoppedAt: at(2_000), logIndex: 1n, logLength: 2n },
      { id: 1n, startedAt: at(2_000), logIndex: 3n, logLength: 1n },
    ],
  });
  const id = server.core.db
    .query<{ id: number }>("SELECT job_id AS id FROM actions_tasks WHERE id = ?")
    .get(job.id)?.id;
  return { job, runId, href: `${actions}/runs/${runId}/jobs/${id}` };
}

describe("the list", () => {
  test("has workflows, with what is wrong with them, and runs by workflow, state and branch", async () => {
    const run = await started();
    const all = await reader.get(actions);
    expect(all.status).toBe(200);
    expect(all.text).toContain(`href="${actions}/runs/${run.id}"`);
    expect(wordsOf(all.text)).toContain("odd.yml , Invalid");
    expect((await reader.get(`${actions}?workflow=odd.yml`)).text).toContain("This workflow cannot be read:");
    const row = `runs/${run.id}"`;
    for (const [query, isThere] of [
      ["workflow=build.yml", true],
      ["workflow=other.yml", false],
      ["status=5", true],
      ["status=1", false],
      ["branch=main", true],
      ["branch=dev", false],
      [`actor=${ada.user.id}`, true],
      [`actor=${grace.user.id}`, false],
      ["status=abc&actor=x&page=-1", true],
    ] as const)
      expect([query, (await reader.get(`${actions}?${query}`)).text.includes(row)]).toEqual([query, isThere]);
    await owner.post(`${actions}/runs/${run.id}/cancel`);
  });

  test("says which labels no runner has", async () => {
    const run = await aRun(server, repo, "on: push\njobs: {a: {runs-on: [self, gpu], steps: [{run: x}]}}\n");
    expect(wordsOf((await reader.get(actions)).text)).toContain(
      "No runner that is online has these labels: gpu, self.",
    );
    await owner.post(`${actions}/runs/${run.id}/cancel`);
    expect((await reader.get(actions)).text).not.toContain("No runner that is online");
  });

  test("of an empty repository is not there, and of a private one nobody else's", async () => {
    await api("POST", "/user/repos", ada, { name: "empty" });
    expect((await owner.get("/ada/empty/actions")).status).toBe(404);
    const hidden = aRepo(server, ada.user, { name: "hidden", isPrivate: true, files: { a: "a" } });
    const { id } = await aRun(server, hidden, BUILD);
    for (const path of ["", `/runs/${id}`, "/runs/latest"]) {
      expect((await owner.get(`/ada/hidden/actions${path}`)).status).toBe(200);
      expect((await reader.get(`/ada/hidden/actions${path}`)).status).toBe(404);
    }
    // Nor by the address of a repository that may be read.
    expect((await owner.get(`${actions}/runs/${id}`)).status).toBe(404);
  });
});

describe("a workflow", () => {
  test("is started by hand, with what its form asks for", async () => {
    const page = await owner.get(`${actions}?workflow=build.yml`);
    expect(page.text).toContain("How loud");
    expect((await reader.get(`${actions}?workflow=build.yml`)).text).not.toContain("How loud");
    const form = { ref: "main", workflow: "build.yml", "inputs.level": "loud" };
    const sent = await owner.post(`${actions}/run?workflow=build.yml`, form);
    expect(sent.status).toBe(303);
    const id = Number(sent.location.split("/").at(-1));
    const { payload } = server.core.db
      .query<{ payload: string }>("SELECT payload FROM actions_runs WHERE id = ?")
      .get(id) ?? { payload: "{}" };
    // A box that is not ticked is not sent.
    expect(JSON.parse(payload).inputs).toEqual({ level: "loud", dry: false });
    await owner.post(`${actions}/runs/${id}/cancel`);
    expect((await reader.post(`${actions}/run?workflow=build.yml`, form)).status).toBe(404);
    const fields = await owner.get(`${actions}/workflow-dispatch-inputs?workflow=build.yml&ref=main`, {
      "hx-request": "true",
    });
    expect(fields.text).toContain('name="inputs.dry"');
  });

  test("is switched off and on by who administers the repository", async () => {
    const off = await owner.post(`${actions}/disable?workflow=build.yml`);
    expect([off.status, off.location]).toEqual([303, `${actions}?workflow=build.yml`]);
    const page = await owner.get(`${actions}?workflow=build.yml`);
    expect(page.text).toContain("Enable workflow");
    expect(page.text).not.toContain("How loud");
    expect((await reader.post(`${actions}/enable?workflow=build.yml`)).status).toBe(404);
    expect((await owner.post(`${actions}/enable?workflow=build.yml`)).status).toBe(303);
  });
});

describe("a run", () => {
  test("shows its jobs and which waits for which, and is cancelled, done again and deleted", async () => {
    const { id } = await started();
    const href = `${actions}/runs/${id}`;
    const page = await owner.get(href);
    expect(page.text).toContain('aria-label="second: Blocked"');
    expect(page.text).not.toContain("Run again");
    expect((await owner.post(`${href}/delete`)).status).toBe(400);
    expect((await owner.post(`${href}/cancel`)).location).toBe(href);
    expect(runState(server, id)).toBe("cancelled");
    expect((await owner.post(`${href}/rerun`)).status).toBe(303);
    const again = await owner.get(href);
    expect(again.text).toContain(`href="${href}/attempts/1"`);
    expect(wordsOf((await owner.get(`${href}/attempts/1`)).text)).toContain("Cancelled");
    expect((await owner.get(`${href}/attempts/3`)).status).toBe(404);
    await owner.post(`${href}/cancel`);
    // A script is answered as one.
    const script = await owner.post(`${href}/delete`, {}, { accept: "*/*" });
    expect([script.status, JSON.parse(script.text)]).toEqual([200, { redirect: actions }]);
    expect((await owner.get(href)).status).toBe(404);
  });

  test("is found by its number and a job by its place, as older addresses have them", async () => {
    const later = aRepo(server, ada.user, { name: "later" });
    // Runs of all repositories are counted together.
    const elsewhere = await started();
    await owner.post(`${actions}/runs/${elsewhere.id}/cancel`);
    const { id } = await aRun(server, later, BUILD, { workflow: "build.yml" });
    const jobs = server.core.db.query<{ id: number }>("SELECT id FROM actions_jobs WHERE run_id = ? ORDER BY id");
    const [first, second] = jobs.all(id);
    const at = (rest: string) => `/ada/later/actions/runs/${rest}`;
    for (const [older, status, location] of [
      ["1", 303, at(`${id}`)],
      ["1/jobs/0", 303, at(`${id}/jobs/${first?.id}`)],
      ["1/jobs/1", 303, at(`${id}/jobs/${second?.id}`)],
      ["1/jobs/9", 404, ""],
      ["9", 404, ""],
      [`${id}`, 200, ""],
    ] as const) {
      const answer = await owner.get(at(older));
      expect([older, answer.status, answer.location]).toEqual([older, status, location]);
    }
  });

  test("is changed by writers alone", async () => {
    const { id } = await started();
    for (const what of ["cancel", "approve", "delete", "rerun", "rerun-failed"])
      expect((await reader.post(`${actions}/runs/${id}/${what}`)).status).toBe(404);
    const page = await reader.get(`${actions}/runs/${id}`);
    for (const what of ["cancel", "rerun"]) expect(page.text).not.toContain(`runs/${id}/${what}"`);
    await owner.post(`${actions}/runs/${id}/cancel`);
  });

  test("of a stranger waits until it is approved, with others of its commit", async () => {
    const { id } = await aRun(server, repo, BUILD, { needsApproval: true, isOfFork: true, event: "pull_request" });
    expect((await owner.get(`${actions}/runs/${id}`)).text).toContain("Approve and run");
    expect(jobStates(server, id)).toEqual({ first: "blocked", second: "blocked" });
    expect((await reader.post(`${actions}/approve-all-checks`, { commit_id: COMMIT })).status).toBe(404);
    const sent = await owner.post(`${actions}/approve-all-checks`, { commit_id: COMMIT, redirect_to: "//elsewhere" });
    expect([sent.status, sent.location]).toEqual([303, actions]);
    expect(jobStates(server, id)).toEqual({ first: "waiting", second: "blocked" });
    await owner.post(`${actions}/runs/${id}/cancel`);
  });

  test("leads to its workflow as it was", async () => {
    const { id } = await started();
    const { location } = await reader.get(`${actions}/runs/${id}/workflow`);
    expect(location).toBe(`/ada/engine/src/commit/${COMMIT}/.gitea/workflows/build.yml`);
    expect((await reader.get(`${actions}/runs/latest`)).text).toContain(`/runs/${id}/`);
    await owner.post(`${actions}/runs/${id}/cancel`);
  });
});

describe("a job", () => {
  test("shows its steps and what the one that runs wrote; others tell on demand", async () => {
    const { href, job, runId } = await inTheMiddle();
    const page = await aPage(server).get(href);
    expect(wordsOf(page.text)).toMatch(/Set up job.*Compile 2s.*Run make test.*Complete job/);
    expect(page.text).toContain('<span class="log-text ">testing</span>');
    expect(page.text).not.toContain("compiled</span>");
    expect((await reader.get(`${href}?step=1`)).text).toContain('<span class="ansi-green">compiled</span>');
    const rows = await reader.get(`${href}/rows?step=1`, { "hx-request": "true", "hx-request-type": "partial" });
    expect(rows.text).toContain("compiling &lt;b&gt;x&lt;/b&gt;");
    expect(rows.text).not.toContain("setting up");
    expect((await reader.get(`${href}/rows?step=99`)).status).toBe(404);

    // What came since, and then that it is done.
    await runner.log(job, 4, ["tested"], true);
    const steps = [
      { id: 0n, result: Result.SUCCESS, startedAt: at(0), stoppedAt: at(2_000), logIndex: 1n, logLength: 2n },
      { id: 1n, result: Result.SUCCESS, startedAt: at(2_000), stoppedAt: at(3_000), logIndex: 3n, logLength: 2n },
    ];
    await runner.update(job, { startedAt: at(0), steps });
    const followed = await reader.get(`${href}/follow?next=4`);
    expect(followed.text).toContain("tested");
    expect(followed.text).not.toContain(">testing<");
    expect(followed.text).toContain("follow?next=5");
    await runner.update(job, { result: Result.SUCCESS, startedAt: at(0), stoppedAt: at(4_000), steps });
    expect((await reader.get(`${href}/follow?next=5`)).text).not.toContain("follow?next=");

    const log = await aPage(server).get(`${href}/logs`);
    expect(log.headers.get("content-disposition")).toContain("build-first-");
    expect(log.text.split("\n")[0]).toBe("2026-01-02T03:04:05.0000000Z setting up");
    // Of another run it is not there.
    const other = await started();
    expect((await reader.get(href.replace(`/runs/${runId}/`, `/runs/${other.id}/`))).status).toBe(404);
    for (const id of [runId, other.id]) await owner.post(`${actions}/runs/${id}/cancel`);
  });

  test("is followed by scripts, from where they are", async () => {
    const { href, job, runId } = await inTheMiddle();
    const ask = async (logCursors: unknown) => {
      const answer = await fetch(new URL(href.slice(1), server.url), {
        method: "POST",
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
        body: JSON.stringify({ logCursors }),
      });
      return { status: answer.status, body: (await answer.json()) as Polled };
    };
    const first = await ask([
      { step: 1, cursor: null, expanded: true },
      { step: 2, cursor: null, expanded: false },
    ]);
    expect(first.status).toBe(200);
    expect(first.body.state.run).toMatchObject({ status: "running", workflowID: "build.yml", canCancel: false });
    expect(first.body.state.currentJob.steps.map(({ summary }) => summary)).toEqual([
      "Set up job",
      "Compile",
      "Run make test",
      "Complete job",
    ]);
    expect(first.body.logs.stepsLog).toMatchObject([{ step: 1, cursor: 2 }]);
    expect(first.body.logs.stepsLog[0]?.lines.map(({ index, message }) => [index, message])).toEqual([
      [1, "compiling <b>x</b>"],
      [2, "\u001b[32mcompiled\u001b[0m"],
    ]);
    expect((await ask([{ step: 1, cursor: 2, expanded: true }])).body.logs.stepsLog[0]).toMatchObject({
      cursor: 2,
      lines: [],
    });
    for (const odd of [undefined, "x", [null, 1, { step: "1" }], [{ step: 1e9, expanded: true, cursor: -5 }]])
      expect((await ask(odd)).body.logs.stepsLog).toEqual([]);
    await runner.finish(job);
    await owner.post(`${actions}/runs/${runId}/cancel`);
  });
});

interface Polled {
  readonly state: {
    readonly run: Readonly<Record<string, unknown>>;
    readonly currentJob: { readonly steps: readonly { readonly summary: string }[] };
  };
  readonly logs: {
    readonly stepsLog: readonly {
      readonly step: number;
      readonly cursor: number;
      readonly lines: readonly { readonly index: number; readonly message: string }[];
    }[];
  };
}
