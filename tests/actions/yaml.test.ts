import { describe, expect, test } from "bun:test";
import { BadWorkflow } from "../../src/actions/workflows/failure.ts";
import { jsonOf, type Node } from "../../src/actions/workflows/yaml/node.ts";
import { readYaml } from "../../src/actions/workflows/yaml/read.ts";
import { writeYaml } from "../../src/actions/workflows/yaml/write.ts";
import { newSeed, random } from "../random.ts";

const read = (source: string) => jsonOf(readYaml(source));

describe("values", () => {
  for (const [source, value] of [
    ["on: push", { on: "push" }],
    ["a: yes\nb: no\nc: off", { a: "yes", b: "no", c: "off" }],
    ["a: 1.10\nb: 010\nc: 0x1F\nd: 1e3", { a: "1.10", b: "010", c: "0x1F", d: "1e3" }],
    ["a: 10\nb: 1.5\nc: -3", { a: 10, b: 1.5, c: -3 }],
    ["a: '1.10'\nb: \"true\"", { a: "1.10", b: "true" }],
    ["a: ~\nb:\nc: null", { a: null, b: null, c: null }],
    ["x: &x {v: 1}\ny: *x", { x: { v: 1 }, y: { v: 1 } }],
    ["x: &x {v: 1, w: 2}\ny: {<<: *x, v: 3}", { x: { v: 1, w: 2 }, y: { v: 3, w: 2 } }],
    ["y: {<<: [{a: 1}, {a: 2, b: 2}]}", { y: { a: 1, b: 2 } }],
    ["a: |\n  one\n  two\n", { a: "one\ntwo\n" }],
    ["a: one\n  two", { a: "one two" }],
    ["a: 2024-01-01", { a: "2024-01-01" }],
    ["a: !!str 12", { a: "12" }],
    ["[1, [2, {a: 3}]]", [1, [2, { a: 3 }]]],
    ["", null],
  ] as const)
    test(JSON.stringify(source), () => expect<unknown>(read(source)).toEqual(value));
});

describe("what is refused", () => {
  const aliases = `a: &a [${"x,".repeat(20)}]\n${[..."bcdefgh"]
    .map((name, at) => `${name}: &${name} [${`*${"abcdefg"[at]},`.repeat(20)}]`)
    .join("\n")}`;
  const longAliases = `a: &a "${"x".repeat(500_000)}"\nb: [${"*a,".repeat(1_000)}]`;
  for (const [what, source, message] of [
    ["no YAML", "a: [", /^line 1: /],
    ["a key that is there twice", "a: 1\nb: 2\na: 3", /^line 3: the key "a" is there twice/],
    ["an alias of nothing", "a: *b", /no anchor "b"/],
    ["an alias of itself", "a: &a [*a]", /no anchor "a"/],
    ["aliases that multiply", aliases, /too large with its aliases/],
    ["aliases of long texts", longAliases, /too large with its aliases/],
    ["structures that are nested too deep", "[".repeat(200_000), /nested too deep/],
    ["structures that are nested too deep and whole", `${"[".repeat(150)}${"]".repeat(150)}`, /nested too deep/],
    ["more than a mebibyte", `a: "${"x".repeat(1 << 20)}"`, /larger than 1 MiB/],
    ["a key that is no text", "? [a]\n: 1", /key must be a text/],
    ["something else that is merged", "a: {<<: 1}", /only mappings/],
  ] as const)
    test(what, () => {
      expect(() => readYaml(source)).toThrow(BadWorkflow);
      expect(() => readYaml(source)).toThrow(message);
    });
});

describe("writing", () => {
  test("holds scalars as they were written", () => {
    const written = writeYaml(readYaml("a: 1.10\nb: 010\nc: yes\nd: '1.10'\ne: 2024-01-01\non: push"));
    expect(written).toBe('a: 1.10\nb: 010\nc: yes\nd: "1.10"\ne: 2024-01-01\n"on": push\n');
  });

  test("quotes what would be read as something else, and what no reader takes", () => {
    const text = (value: string): Node => ({ kind: "scalar", value, text: value, isPlain: false });
    for (const value of [
      "",
      "yes",
      "null",
      "1",
      "- a",
      "a: b",
      "#",
      "${{ x }}",
      "a\u0000b",
      "a\u0085b",
      "\ufeff",
      "\ud800",
    ])
      expect(Bun.YAML.parse(writeYaml(text(value)))).toBe(value.toWellFormed());
  });

  test("is read back as what it was, whatever it was", () => {
    const chance = random(newSeed());
    const below = (max: number) => Math.floor(chance() * max);
    const words = [
      "a",
      "b c",
      "yes",
      "1.10",
      "010",
      "~",
      "null",
      "x: y",
      "-",
      "- z",
      "#",
      "",
      "multi\nline\n",
      "ü",
      "'",
      '"',
      "\t",
    ];
    const value = (depth: number): unknown => {
      const kind = below(depth > 3 ? 3 : 5);
      if (kind === 3) return Array.from({ length: below(4) }, () => value(depth + 1));
      if (kind === 4)
        return Object.fromEntries(
          Array.from({ length: below(4) }, () => [words[below(words.length)], value(depth + 1)]),
        );
      return kind === 0 ? below(1000) / 10 : kind === 1 ? below(2) === 0 : words[below(words.length)];
    };
    for (let round = 0; round < 500; round++) {
      const source = JSON.stringify(value(0));
      const node = readYaml(source);
      const written = writeYaml(node);
      expect({ source, value: jsonOf(readYaml(written)) }).toEqual({ source, value: jsonOf(node) });
      expect({ source, value: Bun.YAML.parse(written) }).toEqual({ source, value: JSON.parse(source) });
    }
  });
});
