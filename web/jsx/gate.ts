/**
 * Checks the attributes of our pages. Mistakes that the browser would only reject silently (an inline style, a mistyped
 * hx- attribute) abort the render instead, so that a test of the view finds them.
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
/** Written without a value when true and omitted when false; any other attribute gets "true" or "false". */
const BOOLEAN_ATTRIBUTES = new Set([
  "allowfullscreen",
  "async",
  "autofocus",
  "autoplay",
  "checked",
  "controls",
  "default",
  "defer",
  "disabled",
  "download",
  "formnovalidate",
  "hidden",
  "inert",
  "itemscope",
  "loop",
  "multiple",
  "muted",
  "novalidate",
  "open",
  "playsinline",
  "readonly",
  "required",
  "reversed",
  "selected",
]);
const NEEDS_REQUEST = new Set(["hx-target", "hx-swap", "hx-select", "hx-trigger", "hx-push-url"]);
const MAKES_REQUEST = ["hx-get", "hx-post", "hx-boost", "hx-sse:connect"];
const ATTRIBUTE_NAME = /^[a-zA-Z][\w.:-]*$/;

interface Rule {
  /** Everything before the value. */
  readonly start: string;
  readonly isUrl: boolean;
  readonly isBoolean: boolean;
  readonly isHtmx: boolean;
}

/**
 * Cached by name, since every page writes thousands of attributes; names are literals in the code, so there are few.
 */
const rules = new Map<string, Rule>();

function ruleOf(tag: string, name: string): Rule {
  const known = rules.get(name);
  if (known) return known;
  if (name === "style" || name === "srcdoc") throw new Error(`<${tag}>: the content security policy blocks ${name}`);
  if (name === "dangerouslySetInnerHTML") throw new Error(`<${tag}>: use raw() for sanitised HTML`);
  if (name.startsWith("on")) throw new Error(`<${tag}>: behaviour belongs in web/assets/client, not in ${name}`);
  if (name.startsWith("hx-") && !(name in HTMX))
    throw new Error(`<${tag}>: ${name} is not an attribute this site uses`);
  if (!ATTRIBUTE_NAME.test(name)) throw new Error(`<${tag}>: ${JSON.stringify(name)} is no name of an attribute`);
  const rule = {
    start: ` ${name}="`,
    isUrl: URL_ATTRIBUTES.has(name),
    isBoolean: BOOLEAN_ATTRIBUTES.has(name),
    isHtmx: name.startsWith("hx-"),
  };
  rules.set(name, rule);
  return rule;
}

/**
 * The attributes of one element as HTML, each preceded by a space; adds `hx-nonce` when there is an `hx-` attribute.
 */
export function attributesHtml(tag: string, props: Readonly<Record<string, unknown>>): string {
  let html = "";
  let needsNonce = false;
  for (const name in props) {
    if (name === "children") continue;
    const rule = ruleOf(tag, name);
    const value = props[name];
    if (value === undefined || value === null) continue;
    if (rule.isHtmx) {
      checkHtmx(tag, name, props);
      if (name !== "hx-ignore") needsNonce = true;
    }
    if (typeof value === "string") html += `${rule.start}${Bun.escapeHTML(rule.isUrl ? safeHref(value) : value)}"`;
    else if (typeof value === "boolean" && rule.isBoolean) html += value ? `${rule.start}"` : "";
    else if (typeof value === "number" || typeof value === "boolean") html += `${rule.start}${value}"`;
    else throw new Error(`<${tag}>: ${name} cannot be a ${typeof value}`);
  }
  return needsNonce ? `${html} hx-nonce="${NONCE_PLACEHOLDER}"` : html;
}

function checkHtmx(tag: string, name: string, props: Readonly<Record<string, unknown>>): void {
  const value = props[name];
  if (name === "hx-vals" && typeof value === "string" && !value.startsWith("{"))
    throw new Error(`<${tag}>: hx-vals takes plain JSON; nothing is evaluated on these pages`);
  // Attributes do not inherit in htmx 4: a target without a request on the same element does nothing.
  if (NEEDS_REQUEST.has(name) && !MAKES_REQUEST.some((request) => props[request] !== undefined))
    throw new Error(`<${tag}>: ${name} without a request of its own`);
}
