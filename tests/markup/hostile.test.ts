import { afterAll, expect, test } from "bun:test";
import hljs from "highlight.js";
import { InFlight } from "../../src/kernel/in-flight.ts";
import { fenceColours } from "../../src/markup/highlighter.ts";
import { render } from "../../src/markup/renderer.ts";
import { Markup } from "../../src/markup/service.ts";
import { WorkerPool } from "../../src/workers/pool.ts";
import { threadMs } from "../growth.ts";
import { newSeed, random } from "../random.ts";

/** Every grammar and every rule of Markdown, fed with one piece again and again. */

const pool = new WorkerPool({ bulk: 1, interactive: 2, idleMs: 1000 });
afterAll(() => pool.close());

const none = { links: { kind: "none" } } as const;

const MARKDOWN_PIECES = [
  ..."[ ] ( ) ![ * _ ~~ ` ``a < <!-- </p> <b> & &amp \\ :a :: :smile: [^a] [a][ [a]( [a](< http://a. a@b. **a* a**b".split(
    " ",
  ),
  ...["> ", "- ", "1. ", "# ", "| a |\n|-|\n", "[^a]: x\n\n", "[a]: b\n", "---\n", "    a\n", "\n", "> [!NOTE]\n"],
  ...["- [ ] a\n", "*a _b ", "- - ", "![a](b)", "<a href=", "a\n=\n", "<![CDATA[", "<img src=x>", "\u0000", "\t"],
] as const;

const timed = (work: () => void): number => {
  const before = threadMs();
  work();
  return threadMs() - before;
};

/** The least of three, because the machine has other things to do. */
const best = (work: () => void): number => Math.min(timed(work), timed(work), timed(work));

test.each(MARKDOWN_PIECES.map((piece) => [piece] as const))(
  "%p again and again grows a render as its length does",
  (piece) => {
    const text = (size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
    render(text(1024), none);
    const small = best(() => render(text(2048), none));
    const large = best(() => render(text(16_384), none));
    // Eight times the text: linear takes eight times as long, quadratic 64 times.
    expect(large).toBeLessThan(Math.max(8 * small * 4, 500));
  },
);

const GRAMMAR_PIECES = ["a", "_", "[a](", "a.", '"', "(", "\n", "<a ", " ", "#", "\\", "0"];

test("no grammar takes long for a fence of a short line of one piece", () => {
  const chance = random(newSeed());
  const slow: string[] = [];
  for (const language of hljs.listLanguages()) {
    // Three pieces of the dozen a run; HEARTH_SEED=chance tries others.
    for (let count = 0; count < 3; count++) {
      const piece = GRAMMAR_PIECES[Math.floor(chance() * GRAMMAR_PIECES.length)] ?? "a";
      const line = piece.repeat(2000).slice(0, 1900);
      const ms = timed(() => fenceColours()(`${line}\n`, language));
      if (ms > 4000) slow.push(`${language} ${JSON.stringify(piece)}: ${Math.round(ms)} ms`);
    }
  }
  expect(slow).toEqual([]);
});

test("a text that takes too long is shown as it was written, and the next one is rendered", async () => {
  const markup = new Markup(pool, { timeoutMs: 1000 });
  const source = `# x\n\n\`\`\`markdown\n${"[a](".repeat(400)}\n`.concat(`${"[a](".repeat(400)}\n`.repeat(15), "```\n");
  const html = await markup.markdown(source, none);
  expect(html).toContain("[a](");
  const calm = new Markup(pool, { timeoutMs: 60_000 });
  expect(await calm.markdown("```js\nlet a = 1;\n```", none)).toContain("hljs-keyword");
});

test("a file whose grammar takes too long is shown plain", async () => {
  const markup = new Markup(pool, { timeoutMs: 300 });
  const code = await markup.code(`${"a".repeat(1990)}\n`.repeat(200), { fileName: "a.ini" });
  expect([code.lineCount, code.language]).toEqual([200, undefined]);
});

test("equal work at the same time is done once", async () => {
  const underWay = new InFlight<string, number>();
  let begun = 0;
  const work = async () => ++begun;
  expect(await Promise.all([underWay.once("a", work), underWay.once("a", work), underWay.once("b", work)])).toEqual([
    1, 1, 2,
  ]);
  expect(await underWay.once("a", work)).toBe(3);
});

test("a thousand footnotes are marks, and so is a text of a megabyte", () => {
  const notes = Array.from({ length: 600 }, (_, at) => `[^${at}]: x\n\n[^${at}]`).join("\n\n");
  expect(render(notes, none)).not.toContain("footnote-ref");
  expect(render("a".repeat((1 << 20) + 1), none)).toContain("as it was written");
});
