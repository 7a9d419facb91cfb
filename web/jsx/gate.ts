/**
 * What an attribute may be on a page of ours. Mistakes that the browser would only refuse silently (an inline style, a
 * mistyped hx- attribute) stop the render instead, so that a test of the view finds them.
 */
import { NONCE_PLACEHOLDER } from "./nonce.ts";
import { safeHref } from "./safe-href.ts";
import type { HtmxAttributes } from "./types.ts";

const HTMX: Record<keyof HtmxAttributes, true> = {
  "hx-get": true,
  "hx-post": true,
  "hx-target": true,
  "hx-swap": true,
  "hx-select": true,
  "hx-select-oob": true,
  "hx-swap-oob": true,
  "hx-trigger": true,
  "hx-push-url": true,
  "hx-replace-url": true,
  "hx-include": true,
  "hx-indicator": true,
  "hx-disable": true,
  "hx-sync": true,
  "hx-confirm": true,
  "hx-boost": true,
  "hx-preload": true,
  "hx-preserve": true,
  "hx-config": true,
  "hx-vals": true,
  "hx-ignore": true,
  "hx-morph-skip": true,
  "hx-status:401": true,
  "hx-status:404": true,
  "hx-status:422": true,
  "hx-status:4xx": true,
  "hx-status:5xx": true,
  "hx-sse:connect": true,
  "hx-sse:close": true,
};

const URL_ATTRIBUTES = new Set([
  "href",
  "src",
  "action",
  "formaction",
  "poster",
  "hx-get",
  "hx-post",
  "hx-sse:connect",
]);
const NEEDS_REQUEST = new Set(["hx-target", "hx-swap", "hx-select", "hx-trigger", "hx-push-url"]);
const MAKES_REQUEST = ["hx-get", "hx-post", "hx-boost", "hx-sse:connect"];

/** Checks the attributes of one element and stamps `hx-nonce` on it when it carries an `hx-` attribute. */
export function gateAttributes(tag: string, props: Record<string, unknown>): Record<string, unknown> {
  let gated = props;
  let isHtmx = false;
  for (const name in props) {
    const value = props[name];
    if (name === "style" || name === "srcdoc") throw new Error(`<${tag}>: the content security policy blocks ${name}`);
    if (name === "dangerouslySetInnerHTML") throw new Error(`<${tag}>: use raw() for sanitised HTML`);
    if (name.startsWith("on")) throw new Error(`<${tag}>: behaviour belongs in web/assets/client, not in ${name}`);
    if (name.startsWith("hx-")) {
      if (!(name in HTMX)) throw new Error(`<${tag}>: ${name} is not an attribute this site uses`);
      if (name !== "hx-ignore" && value !== undefined) isHtmx = true;
      if (name === "hx-vals" && typeof value === "string" && !value.startsWith("{"))
        throw new Error(`<${tag}>: hx-vals takes plain JSON; nothing is evaluated on these pages`);
      // Attributes do not inherit in htmx 4: a target without a request of its own does nothing.
      if (
        NEEDS_REQUEST.has(name) &&
        value !== undefined &&
        !MAKES_REQUEST.some((request) => props[request] !== undefined)
      )
        throw new Error(`<${tag}>: ${name} without a request of its own`);
    }
    if (URL_ATTRIBUTES.has(name) && typeof value === "string") {
      const href = safeHref(value);
      if (href !== value) gated = { ...gated, [name]: href };
    }
  }
  return isHtmx ? { ...gated, "hx-nonce": NONCE_PLACEHOLDER } : gated;
}
