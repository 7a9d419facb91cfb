import { expect, test } from "bun:test";
import { compileGlob, isGlob } from "../../../src/git/patterns/rule-glob.ts";

const cases: readonly (readonly [pattern: string, separators: string, text: string, matches: boolean])[] = [
  ["main", "/", "main", true],
  ["main", "/", "main2", false],
  ["release/*", "/", "release/v1.17", true],
  ["release/*/v1.17", "/", "release/test/1/v1.17", false],
  ["release/**/v1.17", "/", "release/test/1/v1.17", true],
  ["*", "/", "release/v1", false],
  ["**", "/", "release/v1", true],
  ["r**1", "/", "release/v1", true],
  ["v?", "/", "v1", true],
  ["v?", "/", "v/", false],
  ["v[0-9]", "/", "v7", true],
  ["v[!0-9]", "/", "v7", false],
  ["v[!0-9]", "/", "vx", true],
  ["{main,dev/*}", "/", "dev/x", true],
  ["{main,dev/{a,b}}", "/", "dev/b", true],
  ["{main,dev}", "/", "de", false],
  ["a\\*b", "/", "a*b", true],
  ["a\\*b", "/", "axb", false],
  ["*.md", "./", "readme.md", true],
  ["*.md", "./", "a/readme.md", false],
  ["config*", "./", "config.yaml", false],
  ["config*", "./", "configuration", true],
  ["docs/**", "./", "docs/deep/a.b.c", true],
  ["docs/**", "./", "docs", false],
  ["v*", "", "v1/x", true],
  ["ci/*", "", "ci/a/b", true],
  // What is no glob is a text.
  ["a[b", "/", "a[b", true],
  ["a{b", "/", "a{b", true],
  ["a}b", "/", "a}b", true],
  ["a\\", "/", "a\\", true],
  ["*".repeat(2000), "/", "x", false],
  ["", "/", "", true],
];

test.each(cases)("%p with separators %p against %p: %p", (pattern, separators, text, matches) => {
  expect(compileGlob(pattern, separators).matches(text)).toBe(matches);
});

test("a hostile pattern ends, and alternatives are bounded", () => {
  expect(compileGlob(`${"*a".repeat(400)}b`, "/").matches("a".repeat(4000))).toBe(false);
  expect(compileGlob("{a,b}".repeat(12), "/").matches("a".repeat(12))).toBe(false);
});

test("a name without special characters is plain", () => {
  expect(["main", "a/b.c-d", "rel/*", "a?", "[x]", "{a}", "a\\b"].map(isGlob)).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
    true,
  ]);
});
