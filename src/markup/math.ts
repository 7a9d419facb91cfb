/**
 * Formulas as MathML, which browsers display without a script or font from us. Contains KaTeX: load it with `import()`.
 */
import katex from "katex";
import { type SafeHtml, trustHtml } from "./safe-html.ts";

/** Any more in one text stay as written. */
const MAX_FORMULAS = 1_000;
/** In MathML, a formula of a thousand characters may be a hundred times as long. */
const MAX_OUTPUT = 4 * 1024 * 1024;
const CODE = /<pre><code class="math-block">([^<]*)<\/code><\/pre>|<code class="math-inline">([^<]*)<\/code>/g;

/** Renders the formulas in sanitised HTML; anything that is not a formula stays as written. */
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

/** undefined if KaTeX cannot parse it. Nothing is trusted: no links, images, classes or styles from the author. */
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

/** Reverses the sanitiser's escaping. */
function unescaped(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
