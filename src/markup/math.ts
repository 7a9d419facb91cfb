/** Formulas as MathML, which browsers show without a script or a font of ours. Holds KaTeX: load it with `import()`. */
import katex from "katex";
import { type SafeHtml, trustHtml } from "./safe-html.ts";

/** More of them in one text stay as they were written. */
const MAX_FORMULAS = 1_000;
/** Written in MathML, a formula of a thousand characters may be a hundred times as long. */
const MAX_OUTPUT = 4 * 1024 * 1024;
const CODE = /<pre><code class="math-block">([^<]*)<\/code><\/pre>|<code class="math-inline">([^<]*)<\/code>/g;

/** Gives the formulas of sanitised HTML their form; what is no formula stays as it was written. */
export function formulas(html: SafeHtml): SafeHtml {
  let count = 0;
  let written = 0;
  return trustHtml(
    html.replace(CODE, (source, block: string | undefined, inline: string | undefined) => {
      if (++count > MAX_FORMULAS || written > MAX_OUTPUT) return source;
      const shown = mathml(unescaped(block ?? inline ?? ""), block !== undefined);
      written += shown?.length ?? 0;
      return shown ?? source;
    }),
  );
}

/** Undefined for what KaTeX cannot read. It trusts nothing: no links, images, classes or styles of the author's. */
function mathml(tex: string, displayMode: boolean): string | undefined {
  try {
    return katex
      .renderToString(tex, {
        output: "mathml",
        displayMode,
        maxExpand: 500,
        maxSize: 20,
        strict: "ignore",
        trust: false,
      })
      .replace(/^<span class="katex">(.*)<\/span>$/s, "$1")
      .replace(/ style="[^"]*"/g, "");
  } catch {
    return undefined;
  }
}

/** What the sanitiser escaped. */
function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
