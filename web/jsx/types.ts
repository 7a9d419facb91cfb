// Only the types of HTML elements; markup.ts renders them.
import type { JSX as HonoJSX } from "hono/jsx";
import type { Child, Markup } from "./markup.ts";

/** The htmx 4 attributes this site uses. Nothing that needs evaluation (`hx-on`, `js:` values, trigger filters). */
export interface HtmxAttributes {
  "hx-get"?: string | undefined;
  "hx-post"?: string | undefined;
  "hx-target"?: string | undefined;
  "hx-swap"?: string | undefined;
  "hx-select"?: string | undefined;
  "hx-select-oob"?: string | undefined;
  "hx-swap-oob"?: string | undefined;
  "hx-trigger"?: string | undefined;
  "hx-push-url"?: string | undefined;
  "hx-replace-url"?: string | undefined;
  "hx-include"?: string | undefined;
  "hx-indicator"?: string | undefined;
  /** Selector of the elements that are disabled while the request runs. */
  "hx-disable"?: string | undefined;
  "hx-sync"?: string | undefined;
  "hx-confirm"?: string | undefined;
  "hx-boost"?: "true" | "false" | undefined;
  "hx-preload"?: string | undefined;
  "hx-preserve"?: string | undefined;
  "hx-config"?: string | undefined;
  /** Plain JSON. */
  "hx-vals"?: string | undefined;
  /** htmx ignores this element and its content: for user-written content. */
  "hx-ignore"?: "" | undefined;
  "hx-morph-skip"?: "" | undefined;
  "hx-status:401"?: string | undefined;
  "hx-status:404"?: string | undefined;
  "hx-status:422"?: string | undefined;
  "hx-status:4xx"?: string | undefined;
  "hx-status:5xx"?: string | undefined;
  "hx-sse:connect"?: string | undefined;
  "hx-sse:close"?: string | undefined;
}

interface PlainAttributes extends HtmxAttributes {
  formaction?: string | undefined;
  role?: string | undefined;
  popovertarget?: string | undefined;
  popovertargetaction?: "show" | "hide" | "toggle" | undefined;
  itemprop?: string | undefined;
  /** Missing from the element types of hono. */
  rel?: string | undefined;
}

interface SvgAttributes extends PlainAttributes {
  class?: string | undefined;
  children?: Child;
  viewBox?: string;
  width?: number | string;
  height?: number | string;
  x?: number | string;
  y?: number | string;
  rx?: number | string;
  cx?: number | string;
  cy?: number | string;
  r?: number | string;
  d?: string;
  fill?: string;
  stroke?: string;
  preserveAspectRatio?: string;
}

/** Spellings that are not HTML's, and attributes that our pages' CSP blocks. */
type Refused =
  | "className"
  | "htmlFor"
  | "crossOrigin"
  | "httpEquiv"
  | "itemProp"
  | "fetchPriority"
  | "noModule"
  | "formAction"
  | "style"
  | "dangerouslySetInnerHTML"
  | `on${string}`;

/** Hono accepts any attribute with any type; without that index signature a mistyped name is an error. */
type Known<T> = { [Name in keyof T as string extends Name ? never : Name]: T[Name] };
type Html = Known<HonoJSX.IntrinsicElements>;
type Elements = {
  [Tag in keyof Html]: Omit<Known<Html[Tag]>, Refused> & PlainAttributes & { children?: Child };
};

export declare namespace JSX {
  /** Pages render synchronously: a view gets everything it shows and awaits nothing. */
  type Element = Markup;
  interface ElementChildrenAttribute {
    children: unknown;
  }
  interface IntrinsicElements extends Elements {
    svg: SvgAttributes;
    g: SvgAttributes;
    path: SvgAttributes;
    rect: SvgAttributes;
    text: SvgAttributes;
    circle: SvgAttributes;
  }
  interface IntrinsicAttributes {
    key?: string | number | undefined;
  }
}

/** Allowed children of a component. */
export type Children = Child;
