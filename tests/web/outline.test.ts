import { expect, test } from "bun:test";
import { trustHtml } from "../../src/markup/safe-html.ts";
import { outlineOf } from "../../web/content/outline.ts";

test("the outline of a document has its headings with their ids, as text", () => {
  const html = trustHtml(
    '<h1 id="user-content-a">A &amp; <code>b</code><a class="anchor" href="#user-content-a" aria-label="x"></a></h1>' +
      "<p>text</p><h2>no id</h2>" +
      '<h3 id="user-content-b" class="x"> <em>B</em> </h3><h2 id="user-content-empty"></h2>',
  );
  expect(outlineOf(html)).toEqual([
    { level: 1, id: "user-content-a", text: "A & b" },
    { level: 3, id: "user-content-b", text: "B" },
  ]);
});

test("thousands of headings are cut, and one that never ends ends the list", () => {
  const many = Array.from({ length: 5000 }, (_, at) => `<h2 id="user-content-${at}">${at}</h2>`).join("");
  expect(outlineOf(trustHtml(many))).toHaveLength(200);
  expect(outlineOf(trustHtml('<h2 id="user-content-a">never'.repeat(1000)))).toEqual([]);
});
