import type { SafeHtml } from "../../src/markup/safe-html.ts";
import { type Markup, SafeMarkup } from "./markup.ts";

export { type SafeHtml, trustHtml } from "../../src/markup/safe-html.ts";

/** Inserts safe HTML into a page unescaped. */
export function raw(html: SafeHtml): Markup {
  return new SafeMarkup(html);
}
