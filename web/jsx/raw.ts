import { raw as escaped } from "hono/utils/html";
import type { SafeHtml } from "../../src/markup/safe-html.ts";
import type { JSX } from "./types.ts";

export { type SafeHtml, trustHtml } from "../../src/markup/safe-html.ts";

/** Puts safe HTML into a page as it is. */
export function raw(html: SafeHtml): JSX.Element {
  return escaped(html);
}
