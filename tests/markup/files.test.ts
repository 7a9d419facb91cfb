import { afterAll, describe, expect, test } from "bun:test";
import { codeLines, linesOf, plainLines } from "../../src/markup/code-lines.ts";
import { csvTable, parseCsv } from "../../src/markup/csv.ts";
import { hasHiddenCharacters } from "../../src/markup/hidden-characters.ts";
import { highlightLines, splitLines } from "../../src/markup/highlighter.ts";
import { documentKind } from "../../src/markup/kinds.ts";
import { languageOf } from "../../src/markup/languages.ts";
import { readmeCandidates } from "../../src/markup/readme.ts";
import { Markup } from "../../src/markup/service.ts";
import { WorkerPool } from "../../src/workers/pool.ts";

const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000 });
afterAll(() => pool.close());
const markup = new Markup(pool, { timeoutMs: 60_000 });

describe("highlighting", () => {
  test("spans are closed and opened again at line ends", () => {
    const cut: string[] = splitLines('<span class="hljs-comment">/* a\nb */</span> x\n');
    expect(cut).toEqual(['<span class="hljs-comment">/* a</span>', '<span class="hljs-comment">b */</span> x']);
  });

  test("what is shown is what was written", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    const source = 'const a = `x\n${"<b>"}`;\r\n\n/* "two\nlines" */\n';
    const { lines, language } = highlightLines(source, { fileName: "a.ts" });
    expect(language).toBe("TypeScript");
    const text = lines.map((line) => unescaped(line.replace(/<[^>]+>/g, ""))).join("\n");
    expect(`${text}\n`).toBe(source.replaceAll("\r\n", "\n"));
    for (const line of lines) expect(count(line, /<span/g)).toBe(count(line, /<\/span>/g));
  });

  test("only spans with classes come out", () => {
    const { lines } = highlightLines("<script>alert(1)</script><img onerror=x>", { fileName: "x.html" });
    expect(lines.join("")).not.toMatch(/<(?!span class="[\w -]+">|\/span>)/);
  });

  test("very long lines and large files are plain", () => {
    const long = `let a = "${"x".repeat(20_001)}";`;
    expect(highlightLines(long, { fileName: "a.js" }).lines[0]).not.toContain("<span");
    const [first]: readonly string[] = highlightLines("let a;\n".repeat(80_000), { fileName: "a.js" }).lines;
    expect(first).toBe("let a;");
  });

  test("a long file keeps within the elements of a page", () => {
    const { lines } = highlightLines("for (let i = 0; i < 10; i++) f('i', null); // x\n".repeat(5000), {
      fileName: "a.js",
    });
    expect(lines.length).toBe(5000);
    expect(lines.length + count(lines.join(""), /<span/g)).toBeLessThan(20_000);
  });

  test.each([
    ["src/a.ts", "", "ts"],
    ["Makefile", "", "makefile"],
    ["a/b/Dockerfile", "", "dockerfile"],
    ["a.h", "", "c"],
    ["Cargo.toml", "", "ini"],
    ["run", "#!/usr/bin/env python3\n", "python"],
    ["run", "#!/bin/sh\n", "bash"],
    ["notes.txt", "#!/bin/sh\n", ""],
    ["LICENSE", "MIT", ""],
  ])("%s starting %j is %j", (name, first, language) => {
    expect(languageOf(name, first)).toBe(language);
  });

  test("runs in a worker", async () => {
    const { lines } = await markup.highlight("let a = 1;", { fileName: "a.js" });
    expect(lines[0]).toContain('<span class="hljs-keyword">let</span>');
    expect(await markup.markdown("```js\nlet a;\n```", { links: { kind: "none" } })).toContain("hljs-keyword");
    const plain: string = await markup.markdown("*a*", { links: { kind: "none" } });
    expect(plain).toBe("<p><em>a</em></p>\n");
  });
});

describe("CSV", () => {
  test("quotes, line ends in cells, missing last line end", () => {
    expect(parseCsv('a,b\r\n"x ""y"", z","1\n2"\n,', ",")).toEqual([
      ["a", "b"],
      ['x "y", z', "1\n2"],
      ["", ""],
    ]);
  });
  test("escapes, finds the separator, gives up on large files", () => {
    expect(csvTable("a;<b>\n1;2", "x.csv")).toContain('<th scope="col">&lt;b&gt;</th>');
    expect(csvTable("a\tb", "x.tsv")).toContain('<th scope="col">b</th>');
    expect(csvTable("a,b\n".repeat(3000), "x.csv")).toBeUndefined();
    expect(csvTable("", "x.csv")).toBeUndefined();
  });
});

describe("README", () => {
  test.each([
    [["readme.txt", "README.md", "readme.rst"], undefined, ["README.md", "readme.txt", "readme.rst"]],
    [["README.de.md", "README.md"], "de-DE", ["README.de.md", "README.md"]],
    [["README.de.md", "README.md"], "en-GB", ["README.md", "README.de.md"]],
    [["README_de.md", "README.md"], "de", ["README.md"]],
    [["README", "README.org"], undefined, ["README", "README.org"]],
    [["a.md", "READMEX"], undefined, []],
  ])("%j for %p", (names, language, expected) => {
    expect(readmeCandidates(names, language)).toEqual(expected);
  });
  test("kinds", () => {
    const names = [
      "README.MD",
      "README",
      "README.rst",
      "a/b.org",
      "x.ipynb",
      "t.TSV",
      "openapi.yaml",
      "my-openapi.yaml",
    ];
    expect(names.map(documentKind)).toEqual([
      "markdown",
      undefined,
      undefined,
      "org",
      "notebook",
      "table",
      "api",
      undefined,
    ]);
  });
});

test("a hidden character is shown with its code point in its line, and ends nothing", () => {
  const html = codeLines(plainLines("let a\u202e = 1;\n<b>\u200b\nplain\n"));
  expect(html).toContain('>let a<bdi class="unseen" data-code="U+202E">\u202e</bdi> = 1;\n</span>');
  expect(html).toContain('>&lt;b&gt;<bdi class="unseen" data-code="U+200B">\u200b</bdi>\n</span>');
  expect(linesOf(html, 3, 3).join()).toBe("plain");
});

test("hidden characters are seen", () => {
  expect(hasHiddenCharacters("if (admin\u202e) {")).toBe(true);
  expect(hasHiddenCharacters("Grüße 😀 日本")).toBe(false);
});

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}
