import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, call, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { aRunner, seen } from "./world.ts";

/** Starting workflows by hand, and switching them off (contract actions.md 8.5). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let repoId: number;
const api = anApi(() => server);
const base = "/repos/ada/flow/actions/workflows";

const job = "jobs:\n  b:\n    runs-on: self\n    steps: [{ run: a }]\n";
const inputs = `name: With inputs
run-name: for \${{ inputs.a }} \${{ inputs.flag == true && 'flagged' || 'plain' }}
on:
  workflow_dispatch:
    inputs:
      a: {default: d1, description: The first}
      b: {required: true}
      flag: {type: boolean}
      preset: {type: boolean, default: true}
      many: {type: number, default: 010}
      pick: {type: choice, options: [x, y], default: y}
      odd: {type: nonsense, default: [1]}
${job}`;

beforeAll(async () => {
  server = await aServer();
  [ada, bob] = await Promise.all([aUser(server, { login: "ada" }), aUser(server, { login: "bob" })]);
  const files = {
    ".gitea/workflows/inputs.yml": inputs,
    ".gitea/workflows/plain.yml": `on: workflow_dispatch\n${job}`,
    ".gitea/workflows/push.yml": `on: push\n${job}`,
    ".gitea/workflows/sub/deep.yaml": `on: workflow_dispatch\n${job}`,
    ".gitea/workflows/broken.yml": "on: workflow_dispatch\njobs: [",
    ".gitea/workflows/late.yml": `on: workflow_dispatch\n${job.replace("self", "${{ fromJSON('') }}")}`,
    "README.md": "1",
  };
  repoId = aRepo(server, ada.user, { name: "flow", files, message: "First commit [skip ci]" }).id;
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const start = (id: string, body: unknown, who = ada) =>
  api<Json & { message: string }>("POST", `${base}/${id}/dispatches?return_run_details=true`, who, body);

async function eventOf(body: unknown, id = "inputs.yml"): Promise<Json> {
  const made = await start(id, body);
  expect([made.status, made.text]).toEqual([200, made.text]);
  const repo = server.services.repos.byId(repoId);
  if (!repo) throw new Error("the repository is there");
  const given = await (await aRunner(server, seen(server, repo, ada))).take();
  expect(given.context["run_id"]).toBe(String(made.body["workflow_run_id"]));
  return given.context["event"] as Json;
}

describe("what is started", () => {
  test("is told its inputs: those that it declares, with their defaults", async () => {
    const event = await eventOf({ ref: "main", inputs: { a: "mine", flag: "true", other: "1" } });
    expect(event).toMatchObject({
      ref: "main",
      workflow: "inputs.yml",
      sender: { login: "ada" },
      repository: { full_name: "ada/flow" },
    });
    expect(event["inputs"]).toEqual({
      a: "mine",
      b: "",
      flag: "true",
      preset: "true",
      many: "010",
      pick: "y",
      odd: "",
    });
    const { body } = await api<{ workflow_runs: readonly Json[] }>("GET", "/repos/ada/flow/actions/runs", ada);
    expect(body.workflow_runs[0]).toMatchObject({
      display_title: "for mine flagged",
      event: "workflow_dispatch",
      path: "inputs.yml@refs/heads/main",
    });
  });

  test("takes flags as forms and programs write them", async () => {
    for (const [flag, word] of [
      ["on", "true"],
      ["1", "true"],
      ["false", "false"],
      ["", "false"],
    ]) {
      const event = await eventOf({ ref: "main", inputs: { flag } });
      expect([flag, (event["inputs"] as Json)["flag"] as string]).toEqual([flag, word] as string[]);
    }
  });

  test("may be in a folder, and at a tag", async () => {
    await api("POST", "/repos/ada/flow/tags", ada, { tag_name: "v1", target: "main" });
    expect(await eventOf({ ref: "refs/tags/v1" }, encodeURIComponent("sub/deep.yaml"))).toMatchObject({
      ref: "refs/tags/v1",
    });
  });
});

describe("what is not started", () => {
  for (const [what, id, body, status, message] of [
    ["without a ref", "plain.yml", {}, 422, ""],
    ["with an empty ref", "plain.yml", { ref: "" }, 422, ""],
    ["with an input that is a list", "inputs.yml", { ref: "main", inputs: { a: ["x"] } }, 422, "inputs.a"],
    ["at a branch that there is not", "plain.yml", { ref: "nowhere" }, 404, `ref "nowhere" doesn't exist`],
    ["at a commit", "plain.yml", { ref: "HEAD" }, 404, `ref "HEAD" doesn't exist`],
    ["at another kind of ref", "plain.yml", { ref: "refs/pull/1/head" }, 404, ""],
    ["without a file", "nothing.yml", { ref: "main" }, 404, `workflow "nothing.yml" doesn't exist`],
    ["by its path", "..%2Fplain.yml", { ref: "main" }, 404, ""],
    [
      "without its trigger",
      "push.yml",
      { ref: "main" },
      422,
      `workflow "push.yml" has no workflow_dispatch event trigger`,
    ],
    ["from a file that cannot be read", "broken.yml", { ref: "main" }, 422, "the workflow cannot run: line 2"],
    [
      "from one that cannot be evaluated",
      "late.yml",
      { ref: "main" },
      422,
      `in the job "b": fromJSON() was given no JSON`,
    ],
  ] as const)
    test(what, async () => {
      const answer = await start(id, body);
      expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)]);
    });

  test("by who may not write, nor by who is nobody", async () => {
    expect((await start("plain.yml", { ref: "main" }, bob)).status).toBe(403);
    const path = `/api/v1${base}/plain.yml/dispatches`;
    expect((await call(server, "POST", path, { body: { ref: "main" } })).status).toBe(401);
  });

  test("while it is switched off", async () => {
    expect((await api("PUT", `${base}/plain.yml/disable`, ada)).status).toBe(204);
    expect((await start("plain.yml", { ref: "main" })).body).toMatchObject({ message: "workflow is disabled" });
    expect((await start("plain.yml", { ref: "main" })).status).toBe(403);
    expect((await api("PUT", `${base}/plain.yml/enable`, ada)).status).toBe(204);
    expect((await start("plain.yml", { ref: "main" })).status).toBe(200);
  });
});

describe("the list of workflows", () => {
  test("says which can be started, and which cannot be read", async () => {
    const repo = server.services.repos.byId(repoId);
    if (!repo) throw new Error("the repository is there");
    const here = seen(server, repo, ada);
    const { workflows } = await server.services.actionsWorkflows.list(here);
    expect(
      workflows.map(({ id, isDispatchable, name, problem }) => [id, name, isDispatchable, problem !== undefined]),
    ).toEqual([
      ["broken.yml", "broken.yml", false, true],
      ["inputs.yml", "With inputs", true, false],
      ["late.yml", "late.yml", true, false],
      ["plain.yml", "plain.yml", true, false],
      ["push.yml", "push.yml", false, false],
      ["sub/deep.yaml", "deep.yaml", true, false],
    ]);
    const form = await server.services.actionsWorkflows.forms(here, "inputs.yml", "refs/heads/main");
    expect(form.map(({ default: preset, name, type }) => [name, type, preset])).toEqual([
      ["a", "string", "d1"],
      ["b", "string", ""],
      ["flag", "boolean", ""],
      ["preset", "boolean", "true"],
      ["many", "number", "010"],
      ["pick", "choice", "y"],
      ["odd", "string", ""],
    ]);
    expect(form[0]).toMatchObject({ description: "The first", isRequired: false });
    expect(form[1]).toMatchObject({ isRequired: true });
    expect(form[5]).toMatchObject({ options: ["x", "y"] });
  });
});
