import { describe, expect, test } from "bun:test";
import { concurrencyOf, conditionHolds, ExpressionError } from "../../src/actions/workflows/evaluate.ts";
import { evaluate, scopeOf } from "../../src/actions/workflows/expressions/evaluator.ts";
import { parseExpression } from "../../src/actions/workflows/expressions/parser.ts";
import { comesTo, interpolate } from "../../src/actions/workflows/expressions/templates.ts";
import type { Contexts } from "../../src/actions/workflows/types.ts";

const contexts: Contexts = {
  github: {
    ref: "refs/heads/main",
    event_name: "push",
    event: {
      commits: [{ id: "1", author: { name: "A" } }, { id: "2" }],
      number: 7,
      labels: { x: { n: 1 }, y: { n: 2 } },
    },
  },
  vars: { MODE: "fast", JSON: '["a","b"]' },
  inputs: { flag: false, name: "x" },
  needs: { build: { result: "success", outputs: { v: "1.10" } } },
  matrix: { os: "linux", n: 3 },
  strategy: { "fail-fast": "true" },
};
const scope = scopeOf(contexts);
const of = (source: string) => evaluate(parseExpression(source), scope);

describe("an expression comes to its value", () => {
  for (const [source, value] of [
    ["null", null],
    ["TRUE", true],
    ["0x1f", 31],
    ["-1.5e2", -150],
    [".5", 0.5],
    ["'it''s'", "it's"],
    ["github.REF", "refs/heads/main"],
    ["gitea.ref == forgejo.ref && forge.ref", "refs/heads/main"],
    ["github['event_name']", "push"],
    ["github.event.commits[1].id", "2"],
    ["github.event.commits[5].id", null],
    ["github.nothing.at.all", null],
    ["github.event.commits.*.id", ["1", "2"]],
    ["github.event.commits.*.author.name", ["A"]],
    ["github.event.commits[*].id", ["1", "2"]],
    ["github.event.labels.*.n", [1, 2]],
    ["join(github.event.commits.*.id, '+')", "1+2"],
    ["join(github.event.commits.*.id)", "1,2"],
    ["needs.build.outputs.v", "1.10"],
    ["needs.build.result == 'SUCCESS'", true],
    ["strategy.fail-fast", "true"],
    ["matrix.n > 2 && matrix.n < 4", true],
    ["1 == '1'", true],
    ["'' == 0", true],
    ["null == 0", true],
    ["null == ''", true],
    ["true == 1", true],
    ["'a' == 0", false],
    ["'a' != 0", true],
    ["'abc' < 'ABD'", true],
    ["github == github", true],
    ["github.event == fromJSON('{}')", false],
    ["inputs.flag || 'no'", "no"],
    ["'a' && 'b'", "b"],
    ["0 || '' || null", null],
    ["!0", true],
    ["!!'x'", true],
    ["1 < 2 == true", true],
    ["(1 == 2) || !(2 == 3)", true],
    ["contains('Hello World', 'WORLD')", true],
    ["contains(fromJSON(vars.JSON), 'B')", true],
    ["contains(github.event.commits.*.id, 2)", true],
    ["startsWith(github.ref, 'refs/heads/')", true],
    ["endsWith('abc', 'BC')", true],
    ["format('{0}-{1}-{{x}}', 'a', 2)", "a-2-{x}"],
    ["fromJSON('{\"a\": [1, 2]}').a[1]", 2],
    ["toJSON(fromJSON('[1]'))", "[\n  1\n]"],
    ["toJSON('a\"')", '"a\\""'],
    ["github.event.number >= 7", true],
    ["'10' > 9", true],
    ["'x' > 9", false],
    ["github.event", contexts.github["event"]],
  ] as const)
    test(source, () => expect<unknown>(of(source)).toEqual(value));
});

describe("an expression is refused", () => {
  for (const source of [
    "",
    "a b",
    "'open",
    "github.",
    "github[",
    "(1",
    "1 +2",
    "contains('a')",
    "nobody()",
    "secrets.X",
    "env.X",
    "hashFiles('x')",
    "success()",
    "format('{9}', 1)",
    "format('{', 1)",
    "fromJSON('{')",
    "1 = 2",
    "\\",
    "x".repeat(30_000),
    `${"(".repeat(100)}1${")".repeat(100)}`,
    `${"!".repeat(100)}1`,
    Array.from({ length: 5_000 }, () => "1").join("||"),
    `github${".a".repeat(2_000)}`,
    `fromJSON('${"[".repeat(150)}${"]".repeat(150)}')`,
  ])
    test(source.slice(0, 60), () => expect(() => of(source)).toThrow(ExpressionError));

  test("when it makes more and more text", () => {
    let source = `'${"x".repeat(1_000)}'`;
    for (let depth = 0; depth < 12; depth++) source = `format('{0}{0}{0}{0}{0}', ${source})`;
    expect(() => of(source)).toThrow("comes to too much");
  });

  test("when it looks at a long text again and again", () => {
    const long = scopeOf({ ...contexts, github: { text: "x".repeat(2_000_000) } });
    const source = Array.from({ length: 100 }, () => "contains(github.text, 'y')").join(" || ");
    expect(() => evaluate(parseExpression(source), long)).toThrow("comes to too much");
  });
});

describe("texts with expressions", () => {
  for (const [text, value] of [
    ["plain", "plain"],
    ["${{ matrix.os }}-${{ matrix.n }}", "linux-3"],
    ["a ${{ '}}' }} b", "a }} b"],
    ["${{ github.nothing }}", ""],
    ["${{ true }}", "true"],
    ["${{ 1.50 }}", "1.5"],
    ["${{ github.event }}/${{ github.event.commits }}", "Object/Array"],
  ] as const)
    test(text, () => expect(interpolate(text, scope)).toBe(value));

  test("come to what their one expression comes to", () => {
    expect(comesTo(" ${{ fromJSON(vars.JSON) }} ", scope)).toEqual(["a", "b"]);
    expect(comesTo("x${{ 1 }}", scope)).toBe("x1");
  });

  test("have an end to each", () => expect(() => interpolate("${{ 'a }}", scope)).toThrow(ExpressionError));
});

describe("a condition", () => {
  const well = { isSuccess: true, isFailure: false, isCancelled: false };
  const failed = { isSuccess: false, isFailure: true, isCancelled: false };
  const skipped = { isSuccess: false, isFailure: false, isCancelled: false };
  const cancelled = { isSuccess: true, isFailure: false, isCancelled: true };
  for (const [condition, holds] of [
    [undefined, [true, false, false, false]],
    ["", [true, false, false, false]],
    ["true", [true, false, false, false]],
    ["false", [false, false, false, false]],
    ["always()", [true, true, true, true]],
    ["${{ always() }}", [true, true, true, true]],
    ["success()", [true, false, false, false]],
    ["failure()", [false, true, false, false]],
    ["!cancelled()", [true, true, true, false]],
    ["cancelled()", [false, false, false, true]],
    ["Always() && needs.build.result == 'failure'", [false, false, false, false]],
    ["needs.build.outputs.v == '1.10'", [true, false, false, false]],
    ["needs.build.result == 'success' || always()", [true, true, true, true]],
    ["${{ inputs.flag }} == true", [true, false, false, false]],
    ["${{ github.ref }}", [true, false, false, false]],
    ["${{ inputs.flag }}", [false, false, false, false]],
  ] as const)
    test(String(condition), () =>
      expect<unknown>(
        [well, failed, skipped, cancelled].map((facts) => conditionHolds(condition, contexts, facts)),
      ).toEqual(holds),
    );

  test("that asks for what the server has not cannot be decided", () => {
    expect(() => conditionHolds("secrets.X == ''", contexts, well)).toThrow(ExpressionError);
    expect(() => conditionHolds("hashFiles('x') != ''", contexts, well)).toThrow(ExpressionError);
  });
});

describe("a group", () => {
  for (const [group, cancelInProgress, expected] of [
    ["deploy", "", { group: "deploy", cancels: false }],
    ["g-${{ github.ref }}", "true", { group: "g-refs/heads/main", cancels: true }],
    ["g", "${{ github.event_name == 'push' }}", { group: "g", cancels: true }],
    ["g", "${{ inputs.flag }}", { group: "g", cancels: false }],
    ["${{ github.nothing }}", "true", { group: "", cancels: true }],
  ] as const)
    test(`${group} ${cancelInProgress}`, () =>
      expect<unknown>(concurrencyOf({ group, cancelInProgress }, contexts)).toEqual(expected));

  test("is none where nothing is written", () => expect(concurrencyOf(undefined, contexts).group).toBe(""));
});
