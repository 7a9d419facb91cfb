import { type SafeHtml, trustHtml } from "./safe-html.ts";

const NUMBER = "\\d{1,3}(?:\\.\\d{1,4})?";
const COLOURS = [
  "#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})",
  `rgba?\\(\\s*${NUMBER}%?(?:\\s*,\\s*${NUMBER}%?){2,3}\\s*\\)`,
  `hsla?\\(\\s*${NUMBER}(?:\\s*,\\s*${NUMBER}%){2}(?:\\s*,\\s*(?:${NUMBER}%?))?\\s*\\)`,
];
const CODE = new RegExp(`(?<!<pre>)<code>(${COLOURS.join("|")})</code>`, "gi");

/** Shows a colour next to its name in code: `#ff0000`. An SVG, because the pages' policy allows no inline styles. */
export function swatches(html: SafeHtml): SafeHtml {
  return trustHtml(
    html.replace(
      CODE,
      (_code, colour: string) =>
        `<code>${colour}<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><path fill="${colour}" d="M0 0h1v1H0z"/></svg></code>`,
    ),
  );
}
