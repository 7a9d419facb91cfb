import { describe, expect, test } from "bun:test";
import { renderDocument } from "../../src/markup/document.ts";
import type { TextKind } from "../../src/markup/kinds.ts";
import { formulas } from "../../src/markup/math.ts";
import type { MarkdownContext } from "../../src/markup/renderer.ts";
import { expectLinear } from "../growth.ts";

const none: MarkdownContext = { links: { kind: "none" } };
const inDocs: MarkdownContext = {
  links: { kind: "file", repo: { owner: "o", name: "r" }, at: { kind: "branch", name: "main" }, directory: "docs" },
};
const shown = (kind: TextKind, source: string, context = none): string =>
  renderDocument({ kind, source, context }, { formulas });
const markdown = (source: string) => shown("markdown", source);
const notebook = (cells: readonly object[], more: object = {}) =>
  shown("notebook", JSON.stringify({ nbformat: 4, cells, ...more }), inDocs);

describe("formulas", () => {
  // Contract web.md 4.16.
  test.each(["$a$", "$ a $", "$a$$b$", "$a$.", "($b$)", "$$a$$ test", "a$`b`$c", "$$\na\n$$", "```math\na\n```"])(
    "%j is one",
    (source) => {
      const html = markdown(source);
      expect(html).toContain("<math ");
      expect(html.replace(/<annotation.*?<\/annotation>/gs, "")).not.toContain("$");
    },
  );
  test.each([".$a$", "a$x$", "$x$a", "a a$b b", "[$c$]", "{$d$}", "US$1 and US$2", "$5 and $6", "`$a$`", "\\$a$"])(
    "%j is none",
    (source) => {
      expect(markdown(source)).not.toContain("<math");
      expect(markdown(source)).toContain("$");
    },
  );
  test("what cannot be read, or is too long, stays as it was written", () => {
    expect(markdown("$\\frac{1$")).toBe('<p><code class="math-inline">\\frac{1</code></p>\n');
    expect(markdown(`$${"x".repeat(1001)}$`)).toContain(`$${"x".repeat(1001)}$`);
  });
  test("a formula reaches nothing but its own form", () => {
    const html = markdown('$\\href{javascript:alert(1)}{x}$ $\\htmlStyle{color:red}{x}$ $<img src=x onerror="y">$');
    expect(html).not.toMatch(/<[^>]*(?:href|style=)|<img/);
  });
});

describe("markdown", () => {
  test("boxes know the place of their mark in the stored text, in bytes", () => {
    const positions = (source: string) =>
      [...markdown(source).matchAll(/data-source-position="(\d+)"/g)].map(([, at]) => Number(at));
    expect(positions("---\nfoo: bar\n---\n- [ ] task 1")).toEqual([19]);
    expect(positions("* [ ] #12345")).toEqual([2]);
    expect(positions("ä\r\n\r\n> 1. - [x] z\r\n- [ ] [y](z)\r\n")).toEqual([11, 19]);
    expect(positions('<input type="checkbox" data-source-position="3">')).toEqual([]);
  });
  test("colours in code have a swatch", () => {
    for (const colour of ["#FF0000", "#f00", "rgb(16, 32, 64)", "HSL(0, 100%, 50%)", "hsla(0, 10%, 20%, 0.5)"])
      expect(markdown(`\`${colour}\``)).toContain(`<path fill="${colour}"`);
    for (const text of ["`FF0000`", "`hsl(40, 60, 80)`", "`red`", "```\n#FF0000\n```", '`#fff" onload="x`'])
      expect(markdown(text)).not.toContain("<svg");
  });
  test("definition lists and headings with a name of their own", () => {
    expect(markdown("Term\n: What it is")).toBe("<dl>\n<dt>Term</dt>\n<dd>What it is</dd>\n</dl>\n");
    expect(markdown("# Title {#own}")).toStartWith('<h1 id="user-content-own">Title<a class="anchor"');
    expect(markdown('# Title {#"><b>}')).toContain("<h1 id=");
  });
  test("front matter says how it is shown, and whether there is a list of the headings", () => {
    const withMatter = (matter: string) => markdown(`---\n${matter}\n---\n# A\n### B\n# C`);
    expect(withMatter("a: 1")).toStartWith("<details><summary>a</summary><table>");
    expect(withMatter("gitea: table\na: 1")).toStartWith("<table>");
    expect(withMatter("gitea: none\na: 1")).toStartWith("<h1");
    expect(withMatter("gitea:\n  meta: none\n  include_toc: main\n  lang: de")).toStartWith(
      '<div lang="de"><details><summary>Table of contents</summary><ul><li><a href="#user-content-a">A</a><ul><li><a href="#user-content-b">B</a></li></ul></li><li><a href="#user-content-c">C</a></li></ul></details>',
    );
    expect(withMatter("include_toc: false\nlang: '\"><b>'")).not.toMatch(/Table of contents|<div lang/);
  });
  test("links of a wiki lead to its pages and pictures, and are text elsewhere", () => {
    const wiki = { links: { kind: "repo", repo: { owner: "o", name: "r" }, below: "wiki" } } as const;
    const source =
      "[[Link]] [[Other Link]] [[Link?]] [[Name|Link]] [[Name|Link.jpg|alt=\"A\"|title='T']] [[x|javascript:y]]";
    const html = shown("markdown", source, wiki);
    for (const part of [
      '<a href="/o/r/wiki/Link" rel="nofollow ugc noopener noreferrer">Link</a>',
      '<a href="/o/r/wiki/Other-Link" rel="nofollow ugc noopener noreferrer">Other Link</a>',
      'href="/o/r/wiki/Link%3F"',
      '<a href="/o/r/wiki/Link" rel="nofollow ugc noopener noreferrer">Name</a>',
      'src="/o/r/wiki/raw/Link.jpg" alt="A" title="T"',
    ])
      expect(html).toContain(part);
    expect(html).not.toContain("javascript:y");
    expect(markdown("[[Page]]")).toBe("<p>[[Page]]</p>\n");
  });
  test("a fence of a diagram is code that its page may draw", () => {
    expect(markdown("```mermaid\ngraph TD; A-->B\n```")).toBe(
      '<pre><code class="language-mermaid">graph TD; A--&gt;B\n</code></pre>\n',
    );
  });
});

describe("Org", () => {
  test.each([
    ["* Heading", '<h1 id="user-content-heading">Heading</h1>'],
    [
      "** TODO [#A] Do :x:y:",
      '<h2 id="user-content-do"><kbd>TODO</kbd> <kbd>[#A]</kbd> Do <kbd>x</kbd> <kbd>y</kbd></h2>',
    ],
    ["#+TITLE: T", "<h1>T</h1>"],
    [
      "*b* /i/ _u_ +s+ =v= ~c~",
      "<p><strong>b</strong> <em>i</em> <u>u</u> <del>s</del> <code>v</code> <code>c</code></p>",
    ],
    ["a*b*c 2 * 3", "<p>a*b*c 2 * 3</p>"],
    ["- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"],
    ["1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"],
    ["- [X] a", '<ul><li class="task"><input type="checkbox" disabled checked aria-label="done" /> a</li></ul>'],
    ["- t :: d", "<dl><dt>t</dt><dd>d</dd></dl>"],
    [
      "| a | b |\n|---+---|\n| 1 | 2 |",
      "<table><tbody><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>",
    ],
    ["#+BEGIN_SRC js\n  let a;\n#+END_SRC", '<pre><code class="language-js">let a;\n</code></pre>'],
    ["#+begin_quote\nq\n#+end_quote", "<blockquote><p>q</p></blockquote>"],
    ["#+BEGIN_SRC\nno end", "<p>#+BEGIN_SRC\nno end</p>"],
    [": fixed", "<pre><code>fixed\n</code></pre>"],
    ["# comment\n:PROPERTIES:\n:ID: x\n:END:\ntext", "<p>text</p>"],
    ["\\(a\\)", "<p><math"],
  ])("%j", (source, expected) => {
    expect(shown("org", source).replace(/\n(?=<\/?(?:li|dd|dt|dl|ul|ol)\b)/g, "")).toStartWith(expected);
  });
  test("links and pictures lead into the repository, footnotes there and back", () => {
    const html = shown("org", "[[file:a.org][near]] [[./p.png]] [[https://x.org]] x[fn:1]\n\n[fn:1] Note.", inDocs);
    expect(html).toContain('href="/o/r/src/branch/main/docs/a.org"');
    expect(html).toContain('src="/o/r/media/branch/main/docs/p.png"');
    expect(html).toContain('<a href="https://x.org" rel="nofollow ugc noopener noreferrer">https://x.org</a>');
    expect(html).toContain('<a href="#fn:user-content-1" id="fnref:user-content-1">1</a>');
    expect(html).toContain('<li id="fn:user-content-1" class="footnote-item"><p>Note.');
  });
  test("is as harmless as everything else", () => {
    const html = shown(
      "org",
      "[[javascript:alert(1)][x]] <script>a</script>\n#+BEGIN_EXPORT html\n<img src=x onerror=y>\n#+END_EXPORT",
    );
    expect(html).not.toMatch(/javascript:|<script|onerror/);
  });
  test.each(["*", "/a /", "[[", "- a\n", "#+BEGIN_SRC\n", ":a:\n", "|", "* a :b:\n", "[fn:1]", "$", "\\("])(
    "takes time in proportion to its length: %j",
    (piece) => {
      expectLinear(2_000, (count) => shown("org", piece.repeat(count)));
    },
  );
});

describe("notebooks", () => {
  test("cells with what they gave", () => {
    const html = notebook(
      [
        { cell_type: "markdown", source: ["# Title\n", "[a](b.md) $x$"] },
        {
          cell_type: "code",
          execution_count: 3,
          source: "print('<b>')",
          outputs: [
            { output_type: "stream", text: ["\u001b[31mred\u001b[0m\n", "10%\r100%\n"] },
            {
              output_type: "execute_result",
              data: { "text/html": "<table><tr><td>1</td></tr></table>", "text/plain": "no" },
            },
            { output_type: "display_data", data: { "image/png": "iVBORw0KGgo=", "text/plain": "no" } },
            { output_type: "error", traceback: ["Trace", "Error: <x>"] },
          ],
        },
      ],
      { metadata: { language_info: { name: "python" } } },
    );
    expect(html).toContain('<h1 id="user-content-title">');
    expect(html).toContain('href="/o/r/src/branch/main/docs/b.md"');
    expect(html).toContain("<math ");
    expect(html).toContain('<p class="notebook-prompt">[3]</p><pre><code>print(&#x27;&lt;b&gt;&#x27;)\n</code></pre>');
    expect(html).toContain("<pre>red\n100%\n</pre>");
    expect(html).toContain("<td>1</td>");
    expect(html).toContain('<img src="data:image/png;base64,iVBORw0KGgo=" alt="" loading="lazy">');
    expect(html).toContain("<pre>Trace\nError: &lt;x&gt;\n</pre>");
    expect(html).not.toContain(">no<");
  });
  test("nothing of one acts", () => {
    const html = notebook([
      {
        cell_type: "markdown",
        source: "![x](attachment:a.png)",
        attachments: { "a.png": { "image/png": '"><script>x</script>' } },
      },
      {
        cell_type: "code",
        source: "",
        outputs: [
          { output_type: "display_data", data: { "text/html": "<script>plot()</script>", "text/plain": "Figure" } },
        ],
      },
      {
        cell_type: "code",
        source: "",
        outputs: [{ output_type: "display_data", data: { "image/svg+xml": "<svg onload=x()></svg>" } }],
      },
      {
        cell_type: "code",
        source: "",
        outputs: [
          { output_type: "display_data", data: { "text/html": "<b onclick=x()>b</b><iframe src=y></iframe>" } },
        ],
      },
    ]);
    expect(html).not.toMatch(/<script|onload|onclick|<iframe|<svg/);
    expect(html).toContain("<pre>Figure</pre>");
    expect(html).toContain("<b>b</b>");
  });
  test.each([
    "",
    "[]",
    "{}",
    '{"cells":1}',
    '{"cells":[1,null,{"cell_type":[]},{"cell_type":"code","outputs":{"a":1}}]}',
    "\u0000",
  ])("%j is shown as it is, or as nothing", (source) => {
    expect(shown("notebook", source)).not.toContain("undefined");
  });
  test("the form of version 3", () => {
    const source = JSON.stringify({
      worksheets: [
        {
          cells: [
            { cell_type: "heading", level: 2, source: "H" },
            { cell_type: "code", input: "a", prompt_number: 1, outputs: [{ output_type: "pyout", text: ["1"] }] },
          ],
        },
      ],
    });
    expect(shown("notebook", source)).toContain('<h2 id="user-content-h">');
    expect(shown("notebook", source)).toContain("<pre>1</pre>");
  });
});
