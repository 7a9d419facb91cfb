import { describe, expect, test } from "bun:test";
import { calledOutputs, planCalled } from "../../src/actions/workflows/calls.ts";
import { BadWorkflow } from "../../src/actions/workflows/failure.ts";
import { planJob, planWorkflow } from "../../src/actions/workflows/plan.ts";
import type { Contexts, JobPlan } from "../../src/actions/workflows/types.ts";

const contexts: Contexts = {
  github: { ref_name: "main", event_name: "push", event: { number: 1 } },
  vars: { OS: '["a","b"]', LABEL: "big" },
  inputs: { who: "you" },
  needs: {},
};
const plan = (source: string, more: Partial<Contexts> = {}) => planWorkflow(source, { ...contexts, ...more });
const jobs = (source: string, more: Partial<Contexts> = {}) => plan(`on: push\njobs:\n${source}`, more).jobs;
const payload = (job: JobPlan | undefined): unknown => Bun.YAML.parse(job?.payload ?? "");
const names = (source: string) => jobs(source).map(({ name }) => name);

describe("a workflow", () => {
  test("has what is written, evaluated", () => {
    const found = plan(
      "name: CI\nrun-name: run of ${{ inputs.who }}\non: push\nconcurrency: {group: 'g-${{ github.ref_name }}', cancel-in-progress: true}\npermissions: read-all\njobs: {a: {runs-on: self, steps: [{run: x}]}}",
    );
    expect(found).toMatchObject({
      name: "CI",
      runName: "run of you",
      concurrency: { group: "g-${{ github.ref_name }}", cancelInProgress: "true" },
      permissions: "read-all",
    });
    expect(found.jobs).toMatchObject([
      { key: "a", name: "a", runsOn: ["self"], needs: [], isOpen: false, stepNames: ["Run x"] },
    ]);
  });

  test("whose name cannot be evaluated goes without", () => {
    expect(plan("run-name: ${{ secrets.X }}\non: push\njobs: {a: {}}").runName).toBeUndefined();
  });

  for (const [what, source, message] of [
    ["that is a text", "hello", "should be a mapping"],
    ["without jobs", "on: push", '"jobs" is missing'],
    ["with no job", "on: push\njobs: {}", '"jobs" is empty'],
    ["with jobs in a list", "on: push\njobs: [a]", "should be a mapping"],
    ["with a job that is none", "on: push\njobs: {a: 1}", "should be a mapping"],
    ["with steps that are none", "on: push\njobs: {a: {steps: 1}}", "should be a list"],
    ["with a step that is none", "on: push\njobs: {a: {steps: [1]}}", "should be a mapping"],
    ["with needs in a circle", "on: push\njobs: {a: {needs: b}, b: {needs: [c]}, c: {needs: a}}", "in a circle"],
    ["with a job that needs itself", "on: push\njobs: {a: {needs: a}}", "in a circle"],
    ["with a need that there is not", "on: push\njobs: {a: {needs: [nobody]}}", 'needs "nobody"'],
    [
      "with too many jobs",
      `on: push\njobs:\n${Array.from({ length: 257 }, (_, at) => `  j${at}: {}`).join("\n")}`,
      "more than 256",
    ],
    [
      "with too large a matrix",
      `on: push\njobs: {a: {strategy: {matrix: {x: [${"1,".repeat(257)}]}}}}`,
      "more than 256",
    ],
    [
      "with an enormous matrix",
      `on: push\njobs: {a: {strategy: {matrix: {${[..."abcdef"].map((key) => `${key}: [${"1,".repeat(200)}]`).join(", ")}}}}}`,
      "combinations",
    ],
    [
      "with too many cells together",
      `on: push\njobs: {a: {strategy: {matrix: {x: [${"1,".repeat(200)}]}}}, b: {strategy: {matrix: {x: [${"1,".repeat(100)}]}}}}`,
      "more than 256",
    ],
    ["with labels that are none", "on: push\njobs: {a: {runs-on: [{}]}}", "runs-on"],
    ["with an expression that is none", "on: push\njobs: {a: {runs-on: '${{ ( }}'}}", 'in the job "a"'],
    ["with a matrix that is none", "on: push\njobs: {a: {strategy: {matrix: [1]}}}", "matrix"],
    [
      "that leaves out what is not in the matrix",
      "on: push\njobs: {a: {strategy: {matrix: {x: [1], exclude: [{y: 1}]}}}}",
      '"y"',
    ],
  ] as const)
    test(`${what} is refused`, () => {
      expect(() => plan(source)).toThrow(BadWorkflow);
      expect(() => plan(source)).toThrow(message);
    });
});

describe("a matrix", () => {
  const matrix = (text: string) => names(`  j: {strategy: {matrix: ${text}}}`);
  for (const [text, cells] of [
    ["{os: [x, y], v: [1, 2]}", ["j (x, 1)", "j (x, 2)", "j (y, 1)", "j (y, 2)"]],
    ["{v: [1, 2], os: [x]}", ["j (x, 1)", "j (x, 2)"]],
    ["{v: [1.10, 1.9]}", ["j (1.10)", "j (1.9)"]],
    ["{v: one}", ["j (one)"]],
    ["{}", ["j"]],
    ["{v: []}", ["j"]],
    ["{v: [1, 2], exclude: [{v: 1}]}", ["j (2)"]],
    ["{a: [1, 2], b: [1, 2], exclude: [{a: 1, b: 2}, {b: 1}]}", ["j (2, 2)"]],
    ["{v: [1], exclude: [{v: 1}]}", ["j"]],
    ["{include: [{a: 1}, {a: 2}]}", ["j (1)", "j (2)"]],
    ["{v: [1, 2], include: [{v: 3}]}", ["j (1)", "j (2)", "j (3)"]],
    ["{v: [1, 2], include: [{v: 2, x: y}]}", ["j (1)", "j (2, y)"]],
    ["{v: [1, 2], include: [{x: y}]}", ["j (1, y)", "j (2, y)"]],
    ["{v: [1, 2], include: [{x: y}, {x: z, v: 2}]}", ["j (1, y)", "j (2, z)"]],
    ["'${{ fromJSON(''{\"v\": [1, 2]}'') }}'", ["j (1)", "j (2)"]],
    ["{v: '${{ fromJSON(vars.OS) }}'}", ["j (a)", "j (b)"]],
    ["{v: ['${{ github.ref_name }}']}", ["j (main)"]],
    ["{v: [{a: 1}]}", ['j ({"a":1})']],
  ] as const)
    test(text, () => expect<readonly string[]>(matrix(text)).toEqual(cells));

  test("takes what is included as the specification's example has it", () => {
    const include =
      "[{color: green}, {color: pink, animal: cat}, {fruit: apple, shape: circle}, {fruit: banana}, {fruit: banana, animal: cat}]";
    expect(matrix(`{fruit: [apple, pear], animal: [cat, dog], include: ${include}}`)).toEqual([
      "j (banana)",
      "j (cat, banana)",
      "j (cat, pink, apple, circle)",
      "j (cat, pink, pear)",
      "j (dog, green, apple, circle)",
      "j (dog, green, pear)",
    ]);
  });

  test("gives each cell one combination, as it was written", () => {
    const [first] = jobs(
      "  j: {runs-on: '${{ matrix.os }}', strategy: {fail-fast: false, max-parallel: 2, matrix: {os: [x, y], v: [1.10]}}}",
    );
    expect(first).toMatchObject({
      matrix: { os: "x", v: "1.10" },
      strategy: { "fail-fast": false, "max-parallel": 2 },
      runsOn: ["x"],
    });
    expect(first?.payload).toContain("- 1.10");
    expect(payload(first)).toMatchObject({
      jobs: { j: { strategy: { "fail-fast": "false", "max-parallel": "2", matrix: { os: ["x"], v: [1.1] } } } },
    });
  });
});

describe("names", () => {
  for (const [job, name] of [
    ["{}", ["j"]],
    ["{name: Build}", ["Build"]],
    ["{name: Build, strategy: {matrix: {v: [1]}}}", ["Build (1)"]],
    ["{name: 'v${{ matrix.v }}', strategy: {matrix: {v: [2, 1]}}}", ["v1", "v2"]],
    ["{name: '${{ secrets.X }}'}", [""]],
    [`{name: ${"x".repeat(300)}}`, ["x".repeat(255)]],
  ] as const)
    test(job.slice(0, 60), () => expect<readonly string[]>(names(`  j: ${job}`)).toEqual(name));

  test("of steps are their own, or say what they do", () => {
    const [job] = jobs('  j: {steps: [{name: N, run: x}, {run: "\\n  a\\n  b"}, {uses: x/y@v1}, {id: i}, {}, null]}');
    expect(job?.stepNames).toEqual(["N", "Run a", "Run x/y@v1", "i", "4"]);
  });
});

describe("labels", () => {
  for (const [text, labels] of [
    ["self", ["self"]],
    ["[a, b]", ["a", "b"]],
    ["{group: g, labels: [a]}", ["a", "g"]],
    ["{labels: a}", ["a"]],
    ["'${{ vars.LABEL }}'", ["big"]],
    ["'${{ fromJSON(vars.OS) }}'", ["a", "b"]],
    ["[a, '${{ vars.LABEL }}']", ["a", "big"]],
    ["''", []],
  ] as const)
    test(text, () => expect<unknown>(jobs(`  j: {runs-on: ${text}}`)[0]?.runsOn).toEqual(labels));
});

describe("the payload", () => {
  const source = `name: CI
on:
  push:
  workflow_dispatch:
env: {A: 1.10, B: yes, C: }
defaults:
jobs:
  first: {runs-on: x}
  build:
    name: Build
    needs: first
    runs-on: [a, b]
    if: \${{ github.ref == 'x' }}
    unknown: 1
    timeout-minutes: 30
    continue-on-error: \${{ 1 == 1 }}
    env: {V: 010, S: "\${{ secrets.S }}"}
    outputs: {o: "\${{ steps.s.outputs.o }}"}
    steps:
      - {id: s, run: "echo 1\\necho 2", nobody: 1, with: }
      -
      - {uses: actions/checkout@v4, with: {depth: 0}}
`;
  const job = () => plan(source).jobs.find(({ key }) => key === "build");

  test("is a workflow of one job, with nothing that runners refuse", () => {
    expect(payload(job())).toEqual({
      name: "CI",
      on: ["push", "workflow_dispatch"],
      env: { A: 1.1, B: "yes", C: "" },
      jobs: {
        build: {
          name: "Build",
          "runs-on": ["a", "b"],
          if: "${{ github.ref == 'x' }}",
          "timeout-minutes": 30,
          "continue-on-error": true,
          env: { V: 10, S: "${{ secrets.S }}" },
          outputs: { o: "${{ steps.s.outputs.o }}" },
          steps: [
            { id: "s", run: "echo 1\necho 2" },
            { uses: "actions/checkout@v4", with: { depth: 0 } },
          ],
        },
      },
    });
  });

  test("holds scalars as they were written", () => {
    for (const text of ["A: 1.10\n", "V: 010\n", "B: yes\n"]) expect(job()?.payload).toContain(text);
  });

  test("does without needs, and has one label as a text", () => {
    expect(job()?.payload).not.toContain("needs");
    expect(plan(source).jobs[0]?.payload).toContain("runs-on: x\n");
  });

  test("has on as it is written", () => {
    const filters = "{push: {branches: [main]}, workflow_dispatch: {inputs: {a: {default: 010}}}}";
    const [found] = plan(`on: ${filters}\njobs: {a: {}}`).jobs;
    expect(payload(found)).toMatchObject({
      on: { push: { branches: ["main"] }, workflow_dispatch: { inputs: { a: { default: 10 } } } },
    });
    expect(found?.payload).toContain("default: 010");
  });
});

describe("permissions", () => {
  for (const [text, permissions] of [
    ["permissions: read-all", "read-all"],
    ["permissions: write-all", "write-all"],
    ["permissions: {}", {}],
    ["permissions: nonsense", {}],
    [
      "permissions: {contents: write, issues: read, actions: none, x: y}",
      { contents: "write", issues: "read", actions: "none" },
    ],
    ["permissions:", undefined],
  ] as const)
    test(text, () => expect<unknown>(plan(`on: push\n${text}\njobs: {a: {}}`).permissions).toEqual(permissions));
});

describe("a job that asks for its needs", () => {
  const source = `on: push
jobs:
  a: {runs-on: self}
  b:
    needs: a
    runs-on: \${{ needs.a.outputs.label }}
    strategy: {matrix: '\${{ fromJSON(needs.a.outputs.m) }}'}
    steps: [{run: x}]
`;
  test("is open until they are done", () => {
    expect(plan(source).jobs).toMatchObject([
      { key: "a", isOpen: false },
      { key: "b", name: "b", isOpen: true, runsOn: [], payload: "", needs: ["a"], stepNames: ["Run x"] },
    ]);
    const needs = { a: { result: "success" as const, outputs: { label: "big", m: '{"v": [1, 2]}' } } };
    expect(planJob(source, "b", { ...contexts, needs })).toMatchObject([
      { name: "b (1)", runsOn: ["big"], isOpen: false, matrix: { v: 1 } },
      { name: "b (2)", runsOn: ["big"], isOpen: false },
    ]);
  });

  test("is refused when they do not give what it asks for", () => {
    const needs = { a: { result: "success" as const, outputs: {} } };
    expect(() => planJob(source, "b", { ...contexts, needs })).toThrow(BadWorkflow);
  });
});

describe("a call", () => {
  const called = `on:
  workflow_call:
    inputs:
      name: {type: string, required: true}
      many: {type: number, default: 3}
      flag: {type: boolean}
    outputs:
      o: {value: "\${{ jobs.inner.outputs.o }}-\${{ inputs.name }}"}
jobs:
  inner:
    name: In \${{ inputs.name }}
    runs-on: \${{ inputs.flag && 'yes' || 'no' }}
    steps: [{run: a}]
`;
  const call = (given: Record<string, string | number | boolean>) =>
    planCalled({
      source: called,
      call: { uses: "./x", with: given, secrets: {} },
      caller: contexts,
      callerName: "outer",
    });

  test("gives its inputs, in their types", () => {
    const { inputs, workflow } = call({ name: "${{ inputs.who }}", flag: "true" });
    expect(inputs).toEqual({ name: "you", many: 3, flag: true });
    expect(workflow.jobs).toMatchObject([{ key: "inner", name: "outer / In you", runsOn: ["yes"], inputs }]);
  });

  for (const [what, given, message] of [
    ["an input that is required and missing", {}, 'requires the input "name"'],
    ["an input that there is not", { name: "x", other: 1 }, 'no input "other"'],
    ["a number that is none", { name: "x", many: "many" }, "a number"],
    ["a flag that is none", { name: "x", flag: "perhaps" }, "true or false"],
    ["an expression that is none", { name: "${{ nobody() }}" }, "inputs"],
  ] as const)
    test(`is refused with ${what}`, () => expect(() => call(given)).toThrow(message));

  test("is refused of what is not to be called", () => {
    const parts = { call: { uses: "./x", with: {}, secrets: {} }, caller: contexts, callerName: "" };
    expect(() => planCalled({ source: "on: push\njobs: {a: {}}", ...parts })).toThrow("workflow_call");
  });

  test("gives back outputs", () => {
    const jobs = { inner: { result: "success" as const, outputs: { o: "1" } } };
    expect(calledOutputs(called, { ...contexts, inputs: { name: "x" } }, jobs)).toEqual({ o: "1-x" });
    expect(calledOutputs(called, { ...contexts, inputs: {} }, {})).toEqual({ o: "-" });
  });

  test("is what a job with uses is", () => {
    const [job] = jobs("  c: {uses: ./.gitea/workflows/x.yml, with: {a: 1}, secrets: inherit}");
    expect(job).toMatchObject({
      call: { uses: "./.gitea/workflows/x.yml", with: { a: 1 }, secrets: "inherit" },
      payload: "",
    });
    expect(jobs("  c: {uses: x, secrets: {A: '${{ secrets.B }}'}}")[0]?.call?.secrets).toEqual({
      A: "${{ secrets.B }}",
    });
  });
});
