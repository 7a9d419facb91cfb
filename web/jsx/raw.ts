import { raw as escaped } from "hono/utils/html";
import type { JSX } from "./types.ts";

/**
 * HTML that is already safe: output of the markdown sanitiser, of the highlighter, or of a builder that escaped every
 * value itself. The brand keeps a plain string from getting here by accident.
 */
export type SafeHtml = string & { readonly safeHtml: unique symbol };

/** Declares HTML as safe; only producers that sanitise or escape call this. */
export function trustHtml(html: string): SafeHtml {
  return html as SafeHtml;
}

/** Puts safe HTML into a page as it is. */
export function raw(html: SafeHtml): JSX.Element {
  return escaped(html);
}
