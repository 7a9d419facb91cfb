import { type SafeHtml, trustHtml } from "./safe-html.ts";

/** Characters that make text look different from what it does (security rule G13, "trojan source"). */
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060\u00ad\u{e0001}-\u{e007f}]/u;
const EACH_HIDDEN = new RegExp(HIDDEN, "gu");

/** Whether a text contains bidirectional overrides or invisible characters. */
export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text);
}

/**
 * Shows the code point next to each hidden character. The element isolates its text direction, so an override ends
 * where it began and the line reads the way it runs. Copied text is unchanged.
 * @param html escaped text and elements whose attributes contain nothing from an author
 */
export function withCodePoints(html: SafeHtml): SafeHtml {
  if (!HIDDEN.test(html)) return html;
  return trustHtml(
    html.replace(EACH_HIDDEN, (character) => {
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
      return `<bdi class="unseen" data-code="U+${code}">${character}</bdi>`;
    }),
  );
}
