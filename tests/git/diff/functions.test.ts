import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileDiffs } from "../../../src/content/history/file-diffs.ts";
import { configuredLines } from "../../../src/git/diff/functions/configured.ts";
import { linesOf } from "../../../src/git/diff/functions/function-lines.ts";
import { LANGUAGES } from "../../../src/git/diff/functions/languages.ts";
import { Headings } from "../../../src/git/diff/hunks.ts";
import { Text } from "../../../src/git/diff/lines/text.ts";
import { RepositoryFolder } from "../../../src/git/folder.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

/** What someone may repeat to have a pattern go back and forth. */
const PIECES = [
  ...' \t:(){}[]<>=,@#a.;"',
  "a ",
  "a b(",
  "a, ",
  "= ",
  "is ",
  ")) ",
  "::",
  "static ",
  "new ",
  "public ",
  "class ",
  "function ",
  "subroutine ",
  "struct ",
  "@a",
  "sub ",
  "<h1 ",
];
const STARTS = ["", "  ", "sub ", "type ", "static ", "pub(", "- (", "<h1 ", "function ", "@a{"];

test("hostile lines take no longer than their length explains", () => {
  // Anything that goes over a line for each of its characters takes minutes, and the test runs out of time.
  const length = 50_000;
  for (const rules of Object.values(LANGUAGES)) {
    const functions = linesOf(rules);
    for (const start of STARTS)
      for (const piece of PIECES)
        for (const end of ["", ";", "\x01"]) functions(start + piece.repeat(Math.ceil(length / piece.length)) + end);
  }
});

test("patterns of the configuration are not tried on endless lines", () => {
  const functions = configuredLines("^(x+x*)*y$", "extended");
  expect(functions(`${"x".repeat(10)}y`)).toBe("x".repeat(10));
  expect(functions("x".repeat(20_000))).toBeUndefined();
});

test("a carriage return at a line's end is no part of it, elsewhere it is", () => {
  const headings = (text: string) => {
    const lines = Text.of(Buffer.from(text));
    return Buffer.from(new Headings(lines, linesOf(LANGUAGES["perl"]!)).before(lines.count - 1)).toString();
  };
  expect(headings("BEGIN {\r\nx\n")).toBe("BEGIN");
  expect(headings("package a\rb\r\nx\n")).toBe("package a\rb");
});

test("pages of differences take the language from the tree's own attributes", () => {
  using dir = tempDir();
  const folder = join(dir.path, "r");
  git(["init", "-q", "-b", "main", folder]);
  mkdirSync(join(folder, "src"));
  const commit = (mark: string) => {
    writeFileSync(
      join(folder, "src/a.c"),
      `int main(void)\n{\n  int a;\n  int b;\ndone:\n  1;\n  2;\n  3;\n  ${mark};\n}\n`,
    );
    git(["-C", folder, "add", "."]);
    git(["-C", folder, "commit", "-q", "-m", mark]);
    return gitText(["-C", folder, "rev-parse", "HEAD"]);
  };
  const headingOf = (to: string) => {
    const repository = RepositoryFolder.open(folder);
    try {
      return fileDiffs(repository.store, { to, options: {}, limit: 9 }).files.at(-1)?.hunks[0]?.heading;
    } finally {
      repository.close();
    }
  };
  commit("one");
  expect(headingOf(commit("two"))).toBe("done:");
  writeFileSync(join(folder, "src/.gitattributes"), "*.c diff=cpp\n");
  expect(headingOf(commit("three"))).toBe("int main(void)");
});
