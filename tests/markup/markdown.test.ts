import { describe, expect, test } from "bun:test";
import { fenceColours } from "../../src/markup/highlighter.ts";
import type { LinkBase } from "../../src/markup/links.ts";
import { type MarkdownContext, render as renderSafe } from "../../src/markup/renderer.ts";
import { expectLinear } from "../growth.ts";
import { newSeed, random } from "../random.ts";

const render = (...of: Parameters<typeof renderSafe>): string => renderSafe(...of);
const none: MarkdownContext = { links: { kind: "none" } };
const repo = { owner: "o", name: "r" };
const inFile = (directory: string, name = "v1"): MarkdownContext => ({
  links: { kind: "file", repo, at: { kind: "tag", name }, directory },
});
const REL = 'rel="nofollow ugc noopener noreferrer"';

const emoji = (name: string, shown: string) => `<span role="img" aria-label="${name}">${shown}</span>`;

describe("markdown", () => {
  test.each([
    ["emphasis", "a *b* **c** ~~d~~", "<p>a <em>b</em> <strong>c</strong> <del>d</del></p>\n"],
    [
      "emoji",
      ":smile: std::thread::x :100:200 `:smile:`",
      `<p>${emoji("smile", "😄")} std::thread::x :100:200 <code>:smile:</code></p>\n`,
    ],
    [
      "typed emoji",
      "a 👍🏽b [☺️](http://x.org)",
      `<p>a ${emoji("thumbsup", "👍🏽")}b <a href="http://x.org" ${REL}>${emoji("relaxed", "☺️")}</a></p>`,
    ],
    [
      "a link that would run something",
      "[**link**](javascript:xss) ![picture](vbscript:x)",
      "<p><strong>link</strong> picture</p>\n",
    ],
    [
      "a link to another program",
      "[x](tel:+491) [y](ms-msdt:z)",
      `<p><a href="tel:+491" ${REL}>x</a> <a ${REL}>y</a></p>\n`,
    ],
    [
      "headings beyond six and measures",
      "<h8>a</h8> <meter min=0 max=3 value=2>b</meter>",
      '<p><h8>a</h8> <meter min="0" max="3" value="2">b</meter></p>',
    ],
    ["a bare address", "http://x.org/a_b.", `<p><a href="http://x.org/a_b" ${REL}>http://x.org/a_b</a>.</p>\n`],
    ["www is no scheme", "see www.x.org, now", "<p>see www.x.org, now</p>\n"],
    ["a file name is no link", "file.md and example.com", "<p>file.md and example.com</p>\n"],
    ["mail", "a@x.org.", `<p><a href="mailto:a@x.org" ${REL}>a@x.org</a>.</p>\n`],
    ["soft break", "a\nb", "<p>a\nb</p>\n"],
    [
      "alert",
      "> [!NOTE]\n> x",
      '<blockquote class="alert alert-note">\n<p class="alert-title"><strong>Note</strong></p>\n<p>x</p>\n</blockquote>\n',
    ],
    [
      "alert, escaped",
      "> \\[!warning\\]\n> x",
      '<blockquote class="alert alert-warning">\n<p class="alert-title"><strong>Warning</strong></p>\n<p>x</p>\n</blockquote>\n',
    ],
    ["unknown alert", "> [!SHOUT]\n> x", "<blockquote>\n<p>[!SHOUT]\nx</p>\n</blockquote>\n"],
    [
      "task list",
      "- [ ] a\n- [x] b",
      '<ul>\n<li class="task"><input type="checkbox" disabled aria-label="to do" data-source-position="2" /> a</li>\n<li class="task"><input type="checkbox" disabled checked aria-label="done" data-source-position="10" /> b</li>\n</ul>\n',
    ],
    ["front matter that is a list", "---\n- a\n---\n", "<hr />\n<ul>"],
  ])("%s", (_name, source, expected) => {
    expect(render(source, none)).toStartWith(expected);
  });

  test("hard breaks where they are asked for", () => {
    expect(render("a\nb", { ...none, hardBreaks: true })).toBe("<p>a<br />\nb</p>\n");
  });

  test.each([
    ["test（0）", "test0"],
    ["tes a a   a  a", "tes-a-a---a--a"],
    ["test：ad # df", "testad--df"],
    ["a_b_c", "a_b_c"],
    ["a-b-c----", "a-b-c----"],
    ["c🤔️🤔️d", "cd"],
    ["a啊啊b", "a啊啊b"],
    ["on link's click", "on-links-click"],
  ])("heading %j has the slug %j", (heading, slug) => {
    // The space around # keeps it from being a closing sequence.
    expect(render(`# ${heading}`, none)).toContain(`id="user-content-${slug}"`);
  });

  test("equal headings have ids of their own", () => {
    const ids = [...render("# a\n# a\n# a-1\n# a", none).matchAll(/<h1 id="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(4);
    expect(ids.slice(0, 2)).toEqual(["user-content-a", "user-content-a-1"]);
  });

  test("footnotes of a comment carry its id", () => {
    const html = render("foo[^1]\n\n[^1]: bar", { ...none, idSuffix: "12345" });
    expect(html).toContain('id="fnref:user-content-1-12345"');
    expect(html).toContain('id="fn:user-content-1-12345"');
    expect(html).toContain('href="#fn:user-content-1-12345"');
  });

  test("column alignment is a class", () => {
    expect(render("|a|\n|-:|\n|1|", none)).toContain('<td class="align-right">1</td>');
  });

  test("front matter is a collapsed table", () => {
    expect(render("---\nkey1: <b>\n---\ntext", none)).toBe(
      "<details><summary>key1</summary><table><tbody><tr><th>key1</th><td>&lt;b&gt;</td></tr></tbody></table></details>\n<p>text</p>\n",
    );
  });

  test("code of a fence is coloured with classes", () => {
    const html = render('```js title=x\nconst a = "<b>";\n```\n```nonsense\n<x>\n```', none, {
      colour: fenceColours(),
    });
    expect(html).toContain('<code class="language-js"><span class="hljs-keyword">const</span>');
    expect(html).toContain("&lt;x&gt;");
  });
});

describe("links", () => {
  test.each<[string, LinkBase, string, string]>([
    ["relative file", inFile("docs").links, "[x](img/a.md#s)", "/o/r/src/tag/v1/docs/img/a.md#s"],
    ["from the root", inFile("docs").links, "[x](/a?b#c)", "/o/r/src/tag/v1/a?b#c"],
    ["never above the root", inFile("docs").links, "[x](../../../../etc/passwd)", "/o/r/src/tag/v1/etc/passwd"],
    ["strange refs", inFile("", "a b#%").links, "[x](y)", "/o/r/src/tag/a%20b%23%25/y"],
    ["in a comment", { kind: "repo", repo }, "[x](./issues/3)", "/o/r/issues/3"],
    ["no repository", { kind: "none" }, "[x](y)", "y"],
    ["fragment", inFile("").links, "[x](#setup)", "#user-content-setup"],
    ["absolute", inFile("").links, "[x](https://x.org/?a=b)", "https://x.org/?a=b"],
  ])("%s", (_name, links, source, href) => {
    expect(render(source, { links })).toContain(`href="${href}"`);
  });

  test("an image shows its bytes and links to its page", () => {
    expect(render("![alt](img/a.png)", inFile("docs"))).toBe(
      `<p><a href="/o/r/src/tag/v1/docs/img/a.png" ${REL}><img src="/o/r/media/tag/v1/docs/img/a.png" alt="alt" loading="lazy" /></a></p>\n`,
    );
    expect(render("[![alt](a.png)](/x)", inFile("docs")).match(/<a /g)).toHaveLength(1);
    expect(render('<img src="c.png">', inFile("docs"))).toContain('src="/o/r/media/tag/v1/docs/c.png"');
  });
});

describe("hostile markdown", () => {
  const VECTORS = [
    '<img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a><button hx-post="/user/logout">b</button><div data-hx-get="/">d</div>',
    '<div hx-get="/x" hx-trigger="load" data-hx-on:load="x" hx-on::after="y" HX-GET="/z">t</div>',
    '<hx-partial hx-target="#main">x</hx-partial>',
    "[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](vbscript:x) [d](data:text/html;base64,xxxx)",
    '<a href="java\tscript:alert(1)">x</a><a href="&#106;avascript:alert(1)">y</a><a href=" &#1; javascript:alert(1)">z</a>',
    '<svg onload=alert(1)><script>alert(1)</script><a xlink:href="javascript:x">q</a></svg>',
    '<img src="data:image/svg+xml,<svg onload=alert(1)>"><video src="data:x" poster="javascript:x" onplay=x></video>',
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
    '<span style="position:fixed;background:url(javascript:x)">x</span><style>*{}</style><link rel=stylesheet href=x>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe><object data=x></object><embed src=x><base href="//evil">',
    '<form action="/user/logout" method=post><input type=submit><textarea autofocus onfocus=x></textarea></form>',
    '<input type="image" src=x onerror=x><input type="hidden" name=a><input type="checkbox" onclick=x form=f name=n>',
    "<p popover popovertarget=x commandfor=x command=y accesskey=a contenteditable is=x slot=y autofocus>p</p>",
    '<div data-url="/x" class="link-action dropdown" id="main">x</div><code class="random string">y</code>',
    "![x](javascript:alert(1)) ![y](data:image/png;base64,AAAA)",
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '```"><img src=x onerror=alert(1)>\nx\n```',
    "> [!NOTE]<img src=x onerror=alert(1)>\n> x",
    '---\n"<img src=x onerror=alert(1)>": "<script>alert(1)</script>"\n---\n',
    "# <img src=x onerror=alert(1)>\n[^<b>]: x\n\n[^<b>]",
  ];
  const BAD_TAGS = /^(?:script|style|svg|math|button|form|iframe|object|embed|base|link|meta|textarea|template|hx-.*)$/;
  const BAD_ATTRIBUTES =
    /^(?:hx-.*|data-.*|on.*|style|srcdoc|popover.*|command.*|form.*|name|accesskey|contenteditable|autofocus|is|slot|poster|srcset|action)$/;

  /** What a browser would find in the HTML that must not be there. */
  function dangers(html: string): string[] {
    const found: string[] = [];
    new HTMLRewriter()
      .on("*", {
        element(element) {
          if (BAD_TAGS.test(element.tagName)) found.push(element.tagName);
          for (const [name, value] of element.attributes) {
            if (BAD_ATTRIBUTES.test(name)) found.push(`${element.tagName} ${name}`);
            if (/^(?:href|src|cite)$/.test(name) && /^[\s\u0000-\u0020]*(?:javascript|vbscript|data):/i.test(value))
              found.push(`${name}=${value}`);
            // No id of a user's may be one of the page's own.
            if (name === "id" && !/^(?:fn:|fnref:)?user-content-/.test(value)) found.push(`id ${value}`);
          }
        },
      })
      .transform(html);
    return found;
  }

  test("the check itself sees dangers", () => {
    const html = '<a href="javascript:x" hx-get=y id=main>a</a><svg><a style="x"></a></svg>';
    expect(dangers(html)).toEqual(["href=javascript:x", "a hx-get", "id main", "svg", "a style"]);
  });

  test.each(VECTORS)("%j is harmless", (source) => {
    expect(dangers(render(source, none))).toEqual([]);
    expect(dangers(render(source, inFile("docs"), { colour: fenceColours() }))).toEqual([]);
  });

  test("random soup of dangerous parts stays harmless", () => {
    const next = random(newSeed());
    const below = (limit: number) => Math.floor(next() * limit);
    const PARTS = [
      ...VECTORS.flatMap((vector) => vector.match(/<[^>]*>|[^<]+/g) ?? []),
      "<",
      ">",
      '"',
      "'",
      "`",
      "\n",
      "\n\n",
      "> ",
      "- ",
      "</",
      "<!--",
      "-->",
      "<![CDATA[",
      "\u0000",
      "|",
      "[",
      "](",
      "&#x",
    ];
    for (let round = 0; round < 500; round++) {
      let source = "";
      for (let part = 0; part < 12; part++) source += PARTS[below(PARTS.length)];
      expect(dangers(render(source, inFile("docs")))).toEqual([]);
    }
  });

  test.each([
    ["brackets", (n: number) => "[".repeat(n)],
    ["quotes", (n: number) => `${"> ".repeat(n / 2)}x`],
    ["images", (n: number) => "![".repeat(n / 2)],
    ["www", (n: number) => "www.".repeat(n / 4)],
    ["elements", (n: number) => "<div>".repeat(n / 5)],
    ["footnotes", (n: number) => `${"[^1]".repeat(n / 4)}\n\n[^1]: x`],
    ["YAML aliases", (n: number) => `---\na: &a [x]\n${"b: &b [*a,*a]\n".repeat(n / 14)}---\n`],
  ])("%s in plenty take time in proportion", (_name, source) => {
    expectLinear(4000, (n) => render(source(n), none));
  });
});
