import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readPattern } from "../../src/search/pattern.ts";
import { matchQuery, requiredByExpression } from "../../src/search/trigrams.ts";
import { newSeed, random } from "../random.ts";

/** What an expression demands of a file: never more than it does, or a search misses what it should find. */

const CASES: [expression: string, query: string | undefined][] = [
  ["abc", '"abc"'],
  ["abcd", '"abc" AND "bcd"'],
  ["ab", undefined],
  ["abc|xyz", '("abc") OR ("xyz")'],
  ["abc|x", undefined],
  ["abc|", undefined],
  ["(abc)+", '"abc"'],
  ["(abc)?def", '"def"'],
  ["(abc){0,3}def", '"def"'],
  ["(abc){2}", '"abc"'],
  ["abc*", undefined],
  ["abcd*", '"abc"'],
  ["abc+d", '"abc"'],
  ["a.bcd", '"bcd"'],
  ["foo\\(bar", '"foo" AND "oo(" AND "o(b" AND "(ba" AND "bar"'],
  ["foo\\bbar", '("foo") AND ("bar")'],
  ["[abc]def", '"def"'],
  ["[^\\]]def", '"def"'],
  ["\\p{Lu}", undefined],
  ["\\u{1F600}ab", undefined],
  ["\\x41bcdef", '"def"'],
  ["(?=abc)def", '"def"'],
  ["(?!abc)def", '"def"'],
  ["(?<!abc)def", '"def"'],
  ["(?<name>abc)\\k<name>", '"abc"'],
  ['"ab', '"""ab"'],
  [`${"(".repeat(200)}abc${")".repeat(200)}`, undefined],
];

describe("what an expression demands", () => {
  test.each(CASES)("%s", (expression, query) => {
    expect(matchQuery(requiredByExpression(expression))).toBe(query as string);
  });
});

test("no file that an expression matches is missed by the index", () => {
  const seed = newSeed();
  const next = random(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const db = new Database(":memory:");
  db.run("CREATE VIRTUAL TABLE texts USING fts5(body, content = '', tokenize = 'trigram', detail = none)");
  const texts: string[] = [];
  for (let n = 0; n < 300; n++) {
    let text = "";
    for (let length = 3 + next() * 20; length > 0; length--)
      text += pick(["a", "b", "c", "B", "(", ".", "ä", "\n", "0", "\\"]);
    texts.push(text);
    db.query("INSERT INTO texts (rowid, body) VALUES (?, ?)").run(n, text);
  }
  const part = (depth: number): string => {
    const kind = next();
    if (depth > 3 || kind < 0.5)
      return pick(["a", "b", "c", "B", "ä", "0", "\\(", "\\.", ".", "[ab]", "[^c]", "\\w", "\\b", "^", "$", "\\\\"]);
    if (kind < 0.65) return part(depth + 1) + part(depth + 1);
    if (kind < 0.75) return `(?:${part(depth + 1)}|${part(depth + 1)})`;
    if (kind < 0.85) return `(${part(depth + 1)}${part(depth + 1)})${pick(["", "*", "+", "?", "{2}", "{0,1}", "+?"])}`;
    return pick(["abc", "bca", "a(?=b)", "(?<!a)b", "cab"]) + pick(["", "+", "*", "{1,}"]);
  };
  let matched = 0;
  for (let n = 0; n < 3000; n++) {
    const expression = part(0) + part(0) + part(0);
    const pattern = readPattern(expression, "regexp");
    if (!pattern) continue;
    const query = matchQuery(pattern.required);
    if (query === undefined) continue;
    const found = new Set(
      db
        .query<{ rowid: number }, [string]>("SELECT rowid FROM texts WHERE texts MATCH ?")
        .all(query)
        .map(({ rowid }) => rowid),
    );
    const { source, flags } = pattern.expressions[0]!;
    texts.forEach((text, at) => {
      if (!text.split("\n").some((line) => new RegExp(source, flags).test(line))) return;
      matched++;
      if (!found.has(at)) throw new Error(`seed ${seed}: ${source} matches ${JSON.stringify(text)}, ${query} does not`);
    });
  }
  expect(matched).toBeGreaterThan(100);
});

test("what is no search is none", () => {
  for (const text of ["(", "[a", "a**", "x".repeat(501), ""]) expect(readPattern(text, "regexp")).toBeUndefined();
  expect(readPattern("   ", "exact")).toBeUndefined();
  expect(readPattern("foo\\-bar", "regexp")?.expressions[0]?.flags).toBe("gi");
  expect(readPattern("Foo", "regexp")?.expressions[0]?.flags).toBe("gu");
  expect(readPattern("a.(b", "exact")?.expressions[0]?.source).toBe("a\\.\\(b");
});
