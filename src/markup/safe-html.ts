/**
 * HTML that is safe to put into a page: output of the sanitiser, of the highlighter, or of a builder that escaped every
 * value itself. The brand keeps plain strings from getting there by accident.
 */
export type SafeHtml = MarkedHtml & { readonly safeHtml: unique symbol };

/**
 * HTML that is safe except for marks around references (src/references/marks.ts), which are resolved for each reader
 * before it goes into a page. Safe HTML is marked HTML without marks.
 */
export type MarkedHtml = string & { readonly markedHtml: unique symbol };

/** Declares HTML to be safe; only producers that sanitise or escape may call this. */
export function trustHtml(html: string): SafeHtml {
  return html as SafeHtml;
}

/** Maximum length of a text to render, in characters; longer ones are shown as written. */
export const MAX_SOURCE = 512 * 1024;

/** The text itself, for when it cannot be rendered. */
export function asWritten(source: string): SafeHtml {
  return trustHtml(
    `<p>This text could not be rendered; here it is as it was written.</p><pre>${Bun.escapeHTML(source)}</pre>`,
  );
}
