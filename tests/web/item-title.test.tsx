import { expect, test } from "bun:test";
import { ItemTitle } from "../../web/components/item-title.tsx";
import { rendered } from "../../web/jsx/page.ts";

const shown = (text: string) => String(rendered(<ItemTitle text={text} />));

test("what stands between backticks in a title is code, and nothing else in it means anything", () => {
  expect(shown("Crash in `dict.c`")).toBe("Crash in <code>dict.c</code>");
  expect(shown("`a` and ``b ` c``")).toBe("<code>a</code> and <code>b ` c</code>");
  expect(shown("one ` alone, `` two")).toBe("one ` alone, `` two");
  expect(shown("`<b>` **not bold**")).toBe("<code>&lt;b&gt;</code> **not bold**");
  expect(shown("``")).toBe("``");
});
