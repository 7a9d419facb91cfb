import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Result } from "../../../src/actions/runners/protocol/runner_pb.ts";
import { anApi, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";
import type { MadeRunner } from "./made-runner.ts";
import { aRunner, jobStates, seen } from "./world.ts";

/** Workflows that jobs call (contract actions.md 3.10), from the push to the last job. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  [ada, bob] = await Promise.all([aUser(server, { login: "ada" }), aUser(server, { login: "bob" })]);
  const library = { ".gitea/workflows/lib.yml": called("name: {type: string, default: nobody}") };
  aRepo(server, ada.user, { name: "lib", files: library, message: "m [skip ci]" });
  aRepo(server, bob.user, { name: "open", files: library, message: "m [skip ci]" });
  aRepo(server, bob.user, { name: "secret", isPrivate: true, files: library, message: "m [skip ci]" });
  await api("POST", "/repos/ada/lib/tags", ada, { tag_name: "v1", target: "main" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

/** A workflow of one job that is called. */
function called(inputs: string, more = "", job = "    steps: [{ run: x, id: s }]\n"): string {
  return `on:\n  workflow_call:\n    inputs: {${inputs}}\n${more}jobs:\n  inner:\n    name: for \${{ inputs.name }}\n    runs-on: self\n    outputs: {o: "\${{ steps.s.outputs.o }}"}\n${job}`;
}

interface Flow {
  readonly runner: MadeRunner;
  states(): Promise<Record<string, string>>;
}

/** A repository whose first push starts `main.yml`. */
async function aFlow(jobs: string, files: Readonly<Record<string, string>> = {}): Promise<Flow> {
  const workflows = Object.entries({ "main.yml": `on: push\njobs:\n${jobs}`, ...files });
  const all = Object.fromEntries(workflows.map(([name, text]) => [`.gitea/workflows/${name}`, text]));
  const repo = aRepo(server, ada.user, { files: all });
  const here = seen(server, repo, ada);
  const states = async () => {
    await settled(server);
    const [run] = server.services.actionsRunLists.page(here, {}, { limit: 1, offset: 0 }).items;
    return run ? jobStates(server, run.id) : {};
  };
  await settled(server);
  return { runner: await aRunner(server, here), states };
}

describe("a call", () => {
  test("of a file of the same commit is done when its jobs are, and gives what they gave", async () => {
    const flow = await aFlow(
      `  call: {uses: ./.gitea/workflows/called.yml, with: {name: "\${{ github.event_name }}"}, secrets: inherit}
  after: {needs: call, runs-on: self, name: "got \${{ needs.call.outputs.o }}", steps: [{run: x}]}
`,
      {
        "called.yml": called(
          "name: {required: true, type: string}",
          '    outputs: {o: {value: "${{ jobs.inner.outputs.o }}!"}}\n',
        ),
      },
    );
    expect(await flow.states()).toEqual({ call: "waiting", after: "blocked", "call / for push": "waiting" });
    const inner = await flow.runner.take();
    expect(inner.key).toBe("inner");
    expect(inner.context).toMatchObject({ event_name: "workflow_call", event: { inputs: { name: "push" } } });
    await flow.runner.finish(inner, Result.SUCCESS, { o: "made" });
    expect(await flow.states()).toEqual({ call: "success", "call / for push": "success", "got made!": "waiting" });
    const after = await flow.runner.take();
    expect(after.needs).toMatchObject({ call: { result: Result.SUCCESS, outputs: { o: "made!" } } });
  });

  test("may be of another repository, at a ref, and with the site's address before it", async () => {
    const flow = await aFlow(`  tag: {uses: ada/lib/.gitea/workflows/lib.yml@v1}
  branch: {uses: bob/open/.gitea/workflows/lib.yml@main, with: {name: bob}}
  address: {uses: "${server.url}ada/lib/.gitea/workflows/lib.yml@refs/heads/main"}
`);
    expect(await flow.states()).toMatchObject({
      "tag / for nobody": "waiting",
      "branch / for bob": "waiting",
      "address / for nobody": "waiting",
    });
  });

  test("fails when what it names is not there, is not to be called, or is not to be seen", async () => {
    const flow = await aFlow(
      `  missing: {uses: ./.gitea/workflows/nothing.yml}
  outside: {uses: ./README.md}
  form: {uses: nonsense}
  ref: {uses: ada/lib/.gitea/workflows/lib.yml@nowhere}
  nobody: {uses: nobody/lib/.gitea/workflows/lib.yml@main}
  secret: {uses: bob/secret/.gitea/workflows/lib.yml@main}
  push: {uses: ./.gitea/workflows/push.yml}
  broken: {uses: ./.gitea/workflows/broken.yml}
  unknown: {uses: ada/lib/.gitea/workflows/lib.yml@v1, with: {other: 1}}
  self: {uses: ./.gitea/workflows/main.yml}
  fine: {runs-on: self, steps: [{run: x}]}
`,
      { "push.yml": "on: create\njobs: {a: {runs-on: self}}", "broken.yml": "on: workflow_call\njobs: [" },
    );
    const { fine, ...others } = await flow.states();
    expect(fine).toBe("waiting");
    expect(new Set(Object.values(others))).toEqual(new Set(["failure"]));
  });

  test("may be within another, but not without end", async () => {
    const flow = await aFlow(
      "  outer: {uses: ./.gitea/workflows/outer.yml}\n  deep: {uses: ./.gitea/workflows/again.yml}\n",
      {
        "outer.yml": "on: workflow_call\njobs: {middle: {uses: ada/lib/.gitea/workflows/lib.yml@v1}}\n",
        "again.yml": "on: workflow_call\njobs: {again: {uses: ./.gitea/workflows/again.yml}}\n",
      },
    );
    const states = await flow.states();
    expect(states["outer / middle / for nobody"]).toBe("waiting");
    expect(states["deep"]).toBe("failure");
    expect(Object.keys(states).filter((name) => name.startsWith("deep"))).toHaveLength(10);
  });

  test("of a workflow with a matrix made of a need's outputs is planned when that is done", async () => {
    const flow = await aFlow(`  list: {runs-on: self, outputs: {m: x}, steps: [{run: x}]}
  each:
    needs: list
    uses: ada/lib/.gitea/workflows/lib.yml@v1
    strategy: {matrix: {name: "\${{ fromJSON(needs.list.outputs.m) }}"}}
    with: {name: "\${{ matrix.name }}"}
`);
    await flow.runner.finish(await flow.runner.take(), Result.SUCCESS, { m: '["a", "b"]' });
    expect(await flow.states()).toMatchObject({ "each (a) / for a": "waiting", "each (b) / for b": "waiting" });
  });
});
