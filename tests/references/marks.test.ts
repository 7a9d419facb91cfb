import { describe, expect, test } from "bun:test";
import { render } from "../../src/markup/renderer.ts";
import { trustHtml } from "../../src/markup/safe-html.ts";
import { parseAddress, parseReference } from "../../src/references/grammar.ts";
import { MAX_MARKS, markReferences, marksIn, markText, withoutMarks } from "../../src/references/marks.ts";
import { expectLinear } from "../growth.ts";

const sha = "0123456789abcdef0123456789abcdef01234567";
const found = (text: string) => marksIn(markText(text)).map((mark) => mark.text);

describe("what is a reference", () => {
  const cases: [text: string, references: string[]][] = [
    ["#1 and !2", ["#1", "!2"]],
    ["(#12) [#13] \"#14\" '#15'", ["#12", "#13", "#14", "#15"]],
    ["#1, #2; #3. #4! #5?", ["#1", "#2", "#3", "#4", "#5"]],
    // Contract issues.md 18.1.
    ["#22,#23 and #28:#29", []],
    ["a#1 #1a x!2 ##3 #", []],
    ["ada/engine#1 ada/engine!2", ["ada/engine#1", "ada/engine!2"]],
    [`${sha} ada/engine@${sha} abcdef1 abcdef`, [sha, `ada/engine@${sha}`, "abcdef1"]],
    ["ABCDEF12345 0123456g", []],
    ["@ada, @grace-hopper. (@a.b) ada@example.org @-x @", ["@ada", "@grace-hopper", "@a.b"]],
    ["@acme/crew, (@acme/a.b-c) @acme/crew. @acme/ @acme//x @acme/crew/y", ["@acme/crew", "@acme/a.b-c"]],
    ["a\n@ada\n#1", ["@ada", "#1"]],
    ["<b>@ada</b>", []],
    ["", []],
  ];
  for (const [text, references] of cases)
    test(JSON.stringify(text), () => {
      expect(found(text)).toEqual(references);
      for (const word of references) expect(parseReference(word)).toBeDefined();
    });
});

test("addresses of this site, and of no other", () => {
  const root = "https://h.example/";
  expect(parseAddress(`https://H.example/ada/engine/commit/${sha}`, root)).toEqual({
    reference: { kind: "commit", repo: { owner: "ada", name: "engine" }, id: sha },
    suffix: "",
  });
  // Contract web.md 4.16.
  for (const [path, suffix] of [
    ["issues/4#issuecomment-1234", " (comment)"],
    [`commit/${sha}/foo.txt?a=b#L2-L3`, "/foo.txt (L2-L3)"],
    [`commit/${sha}.patch?key=val`, ".patch"],
    [`archive/${sha}.tar.gz`, ".tar.gz"],
    [`compare/${sha}...${sha}`, `...${sha.slice(0, 10)}`],
  ])
    expect(parseAddress(`${root}ada/engine/${path}`, root)?.suffix).toBe(suffix);
  for (const path of ["pulls/2/files", "pulls/2/files#issuecomment-24", "issues/4?a=b", "issues/4#event-1"])
    expect(parseAddress(`${root}ada/engine/${path}`, root)).toBeUndefined();
  expect(parseAddress("https://h.example/ada/engine/pulls/7", root)).toMatchObject({
    reference: { kind: "item", number: 7 },
    suffix: "",
  });
  for (const other of [`https://other.example/ada/engine/commit/${sha}`, "https://h.example/ada", "javascript:x"])
    expect(parseAddress(other, root)).toBeUndefined();
});

const file = {
  links: { kind: "file", repo: { owner: "o", name: "r" }, at: { kind: "branch", name: "main" }, directory: "" },
} as const;
const comment = { links: { kind: "repo", repo: { owner: "o", name: "r" } } } as const;
const wordsIn = (source: string, context: Parameters<typeof render>[1]) =>
  marksIn(render(source, context)).map((mark) => mark.text);

describe("in Markdown", () => {
  test("not in code, in links or in attributes", () => {
    const source =
      "@ada `@b` [@c](/x) <a href='/y'>@d <b>@e</b></a> <img alt='@f' src='x'>\n\n    @g\n\n```\n@h\n```\n\n<pre>@i <b>@j</b></pre>\n\n*@k*";
    expect(wordsIn(source, comment)).toEqual(["@ada", "@k"]);
  });

  test("a number alone is no item in a file, and a document of no repository has no references", () => {
    expect(wordsIn("#1 ada/engine#2 @ada", file)).toEqual(["ada/engine#2", "@ada"]);
    expect(wordsIn("#1 ada/engine#2 @ada", comment)).toEqual(["#1", "ada/engine#2", "@ada"]);
    expect(wordsIn("#1 ada/engine#2 @ada", { links: { kind: "none" } })).toEqual([]);
  });

  test("no author writes a mark, in any spelling", () => {
    const source =
      "<x-ref>@evil</x-ref> <X-REF>@evil</X-REF> &lt;x-ref&gt;y&lt;/x-ref&gt; <x-url><a href='/z'>z</a></x-url>";
    const html = render(source, { links: { kind: "none" } });
    expect(html).not.toMatch(/<x-/i);
    // What they leave behind is text, and marked as such.
    const shown = withoutMarks(render(source, comment), ({ text }) => trustHtml(`<i>${text}</i>`));
    expect(shown).not.toMatch(/<x-/i);
  });
});

test("what nobody resolves is exactly what was there", () => {
  const source = "Hi @ada, see #1 & ada/engine@0123456 <b>x</b> https://h.example/ada/engine/issues/1";
  const plain = render(source, { links: { kind: "none" } });
  expect(String(withoutMarks(render(source, comment), () => undefined))).toBe(String(plain));
});

test("a message's addresses become links and its characters stay text", () => {
  const html = withoutMarks(markText('See https://h.example/a?b=1&c=2. <script> "x"'), () => undefined);
  expect(html).toBe(
    'See <a href="https://h.example/a?b=1&amp;c=2" rel="nofollow ugc noopener noreferrer">https://h.example/a?b=1&amp;c=2</a>. &lt;script&gt; &quot;x&quot;' as typeof html,
  );
});

describe("a hostile text", () => {
  test("that is very long is shown whole, the end of it without links", () => {
    const text = `@ada ${"word ".repeat(10_000)}@ada <b>`;
    expect(found(text)).toEqual(["@ada"]);
    expect(String(withoutMarks(markText(text), () => undefined))).toBe(Bun.escapeHTML(text));
  });

  test("of 10,000 mentions has as many marks as a document may have", () => {
    const text = Array.from({ length: 10_000 }, (_, n) => `@user${n}`).join(" ");
    expect(marksIn(markText(text))).toHaveLength(MAX_MARKS);
    expect(marksIn(render(text, comment))).toHaveLength(MAX_MARKS);
    expect(String(withoutMarks(markText(text), () => undefined))).toBe(text);
  });

  const hostile: Record<string, (n: number) => string> = {
    "beginnings of ids": (n) => "abcdef0 ".repeat(n),
    "one long word": (n) => "a".repeat(8 * n),
    "names without an end": (n) => "@a-a.a_a".repeat(n),
    slashes: (n) => "a/a/a/a/".repeat(n),
    brackets: (n) => "(((([[[[".repeat(n),
    digits: (n) => "#1234567".repeat(n),
    addresses: (n) => "http://a".repeat(n),
    punctuation: (n) => "http://x........".repeat(n),
    tags: (n) => "<b>@a</b> ".repeat(n),
  };
  for (const [name, make] of Object.entries(hostile))
    test(`takes time in proportion to its length: ${name}`, () => {
      expectLinear(50_000, (n) => markReferences(trustHtml(make(n)), { bareItems: true }));
    });
});
