import type { SafeHtml } from "../../src/markup/safe-html.ts";
import { type Markup, SafeMarkup } from "./markup.ts";

export { type SafeHtml, trustHtml } from "../../src/markup/safe-html.ts";

/** Puts safe HTML into a page as it is. */
export function raw(html: SafeHtml): Markup {
  return new SafeMarkup(html);
}
