import { describe, expect, test } from "bun:test";
import { BadWorkflow } from "../../src/actions/workflows/failure.ts";
import { isTriggered, type Occurrence } from "../../src/actions/workflows/filters.ts";
import { isSelected, patternOf } from "../../src/actions/workflows/patterns.ts";
import { cronsOf, inputsOf, triggersOf } from "../../src/actions/workflows/triggers.ts";
import { readYaml } from "../../src/actions/workflows/yaml/read.ts";
import { newSeed, random } from "../random.ts";

describe("a pattern matches", () => {
  for (const [pattern, text, matches] of [
    ["main", "main", true],
    ["main", "Main", false],
    ["main", "main2", false],
    ["feature/*", "feature/a", true],
    ["feature/*", "feature/b/c", false],
    ["feature/**", "feature/b/c", true],
    ["*", "a/b", false],
    ["**", "a/b", true],
    ["*", "", true],
    ["**/x", "x", true],
    ["**/x", "a/b/x", true],
    ["**/x", "ax", false],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**/b", "a/xb", false],
    ["docs/**", "docs/a/b", true],
    ["docs/**", "docs", false],
    ["**.js", "a/b.js", true],
    ["fe+ature/?a", "feeeature/a", true],
    ["fe+ature/?a", "featurea", true],
    ["fe+ature/?a", "fature/a", false],
    ["*.jsx?", "page.js", true],
    ["*.jsx?", "page.jsx", true],
    ["v[12].[0-9]+.[0-9]+", "v1.10.200", true],
    ["v[12].[0-9]+.[0-9]+", "v3.1.2", false],
    ["[!a-c]x", "dx", true],
    ["[!a-c]x", "bx", false],
    ["[]]", "]", true],
    ["[a-]", "-", true],
    ["\\*", "*", true],
    ["\\*", "x", false],
    ["*.{js,ts}", "a.ts", true],
    ["*.{js,ts}", "a.py", false],
    ["{a,b/{c,d}}/*", "b/d/x", true],
    ["x{a,b}+", "xabab", true],
    ["a.b", "axb", false],
    ["ü*", "über", true],
    ["(a|b)", "a", false],
  ] as const)
    test(`${pattern} ${matches ? "" : "not "}${text}`, () => expect(patternOf(pattern).matches(text)).toBe(matches));

  test("what a regular expression of the same meaning matches", () => {
    const chance = random(newSeed());
    const pick = (from: readonly string[]) => from[Math.floor(chance() * from.length)] ?? "";
    const parts = [
      ["a", "a"],
      ["b", "b"],
      ["/", "/"],
      ["*", "[^/]*"],
      ["x**", "x.*"],
      ["a?", "a?"],
      ["b+", "b+"],
      ["[ab]", "[ab]"],
      ["{a,b/}", "(?:a|b/)"],
    ] as const;
    for (let round = 0; round < 3_000; round++) {
      const chosen = Array.from(
        { length: Math.floor(chance() * 6) },
        () => parts[Math.floor(chance() * parts.length)] ?? parts[0],
      );
      const pattern = chosen.map(([glob]) => glob).join("");
      // A star next to a star would be two stars.
      if (pattern.includes("***") || /[^x]\*\*|^\*\*/.test(pattern)) continue;
      const text = Array.from({ length: Math.floor(chance() * 7) }, () => pick(["a", "b", "/", "x"])).join("");
      const expected = new RegExp(`^${chosen.map(([, regexp]) => regexp).join("")}$`).test(text);
      expect({ pattern, text, matches: patternOf(pattern).matches(text) }).toEqual({
        pattern,
        text,
        matches: expected,
      });
    }
  });

  for (const pattern of ["[a", "{a", "{a,b", "x".repeat(2_000), "{".repeat(20)])
    test(`and ${pattern.slice(0, 10)} is none`, () => expect(() => patternOf(pattern)).toThrow(BadWorkflow));

  test("is taken back by one with a mark of exclamation, and given again", () => {
    const patterns = ["**", "!a/**", "a/b"].map(patternOf);
    expect(["x", "a/x", "a/b"].map((text) => isSelected(patterns, text))).toEqual([true, false, true]);
  });
});

const push = (ref: string, changed?: readonly string[]): Occurrence => ({
  event: "push",
  type: undefined,
  ref,
  changed,
});
const pull = (type: string, ref = "main", changed?: readonly string[]): Occurrence => ({
  event: "pull_request",
  type,
  ref,
  changed,
});
const [main, dev, tag] = ["refs/heads/main", "refs/heads/dev", "refs/tags/v1"];

describe("an event starts", () => {
  for (const [on, occurrence, starts] of [
    ["push", push(main), true],
    ["push", push(tag), true],
    ["[push, create]", push(main), true],
    ["create", push(main), false],
    ["{push: {branches: main}}", push(main), true],
    ["{push: {branches: [main]}}", push(dev), false],
    ["{push: {branches: [main]}}", push(tag), false],
    ["{push: {branches-ignore: [main]}}", push(dev), true],
    ["{push: {branches-ignore: [main]}}", push(main), false],
    ["{push: {branches: ['*'], branches-ignore: [dev]}}", push(dev), false],
    ["{push: {tags: ['v*']}}", push(tag), true],
    ["{push: {tags: ['v*']}}", push(main), false],
    ["{push: {tags-ignore: ['v*']}}", push(tag), false],
    ["{push: {branches: [main], tags: ['v*']}}", push(tag), true],
    ["{push: {branches: [main], tags: ['v*']}}", push(main), true],
    ["{push: {branches: [main], tags: ['v*']}}", push(dev), false],
    ["{push: {paths: ['docs/**']}}", push(main, ["docs/a"]), true],
    ["{push: {paths: ['docs/**']}}", push(main, ["src/a"]), false],
    ["{push: {paths: ['docs/**']}}", push(main, []), false],
    ["{push: {paths: ['docs/**']}}", push(main), false],
    ["{push: {paths: ['docs/**']}}", push(tag), true],
    ["{push: {paths-ignore: ['docs/**']}}", push(main, ["docs/a", "src/a"]), true],
    ["{push: {paths-ignore: ['docs/**']}}", push(main, ["docs/a"]), false],
    ["{push: {paths: ['src/**', '!src/gen/**']}}", push(main, ["src/gen/x"]), false],
    ["{push: null}", push(dev), true],
    ["{push: }", push(dev), true],
    ["pull_request", pull("opened"), true],
    ["pull_request", pull("synchronize"), true],
    ["pull_request", pull("edited"), false],
    ["{pull_request: {types: [edited]}}", pull("edited"), true],
    ["{pull_request: {types: [edited]}}", pull("opened"), false],
    ["{pull_request: {types: ['*labeled']}}", pull("unlabeled"), true],
    ["{pull_request: {branches: [main]}}", pull("opened", "dev"), false],
    ["{pull_request: {paths: [a]}}", pull("opened", "main", ["a"]), true],
    ["{issues: {types: [closed]}}", { event: "issues", type: "opened", ref: undefined, changed: undefined }, false],
    ["issues", { event: "issues", type: "labeled", ref: undefined, changed: undefined }, true],
    [
      "{workflow_run: {workflows: [CI]}}",
      { event: "workflow_run", type: "completed", ref: "main", changed: undefined, workflow: "CI" },
      true,
    ],
    [
      "{workflow_run: {workflows: [CI]}}",
      { event: "workflow_run", type: "completed", ref: "main", changed: undefined, workflow: "X" },
      false,
    ],
    [
      "{workflow_run: {workflows: [CI], branches: [dev]}}",
      { event: "workflow_run", type: "completed", ref: "main", changed: undefined, workflow: "CI" },
      false,
    ],
  ] as const)
    test(`${on} ${starts ? "" : "not "}by ${occurrence.event} ${occurrence.type ?? ""} ${occurrence.ref} ${"changed" in occurrence ? occurrence.changed : ""}`, () => {
      const triggers = triggersOf(readYaml(`on: ${on}`));
      expect(triggers.some((trigger) => isTriggered(trigger, occurrence))).toBe(starts);
    });
});

describe("what is written under on", () => {
  for (const source of ["a: 1", "on: [[push]]", "on: {push: [main]}", "on: {push: {branches: [{}]}}", "on:"])
    test(`is refused: ${source}`, () => expect(() => triggersOf(readYaml(source))).toThrow(BadWorkflow));

  test("names each event once", () => expect(triggersOf(readYaml("on: [push, push]"))).toHaveLength(1));

  test("has times", () => {
    expect(cronsOf(readYaml("on: {schedule: [{cron: '0 3 * * *'}, {cron: '@daily'}, {}, 1]}"))).toEqual([
      "0 3 * * *",
      "@daily",
    ]);
    expect(cronsOf(readYaml("on: push"))).toEqual([]);
  });

  test("has inputs", () => {
    const source =
      "on: {workflow_dispatch: {inputs: {a: {default: 1, required: true, description: A}, b: , c: {type: choice, options: [x, 1]}}}}";
    expect(inputsOf(readYaml(source), "workflow_dispatch")).toEqual([
      { name: "a", type: "string", description: "A", isRequired: true, default: 1, options: [] },
      { name: "b", type: "string", description: "", isRequired: false, default: undefined, options: [] },
      { name: "c", type: "choice", description: "", isRequired: false, default: undefined, options: ["x", "1"] },
    ]);
  });
});
