/**
 * The JSX runtime of every page: escapes text and attributes, and knows the rules of this site's pages
 * (web/jsx/gate.ts). tsconfig and package.json map `#jsx` here.
 */
import { attributesHtml } from "./gate.ts";
import { type Child, Component, Element, type Markup, type Props, type View } from "./markup.ts";

export type { JSX } from "./types.ts";

/** Elements that have no content and no second tag. */
const VOID = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "track",
  "wbr",
]);

export function jsx(tag: string | View, props: Props): Markup {
  if (typeof tag !== "string") return new Component(tag, props);
  const open = `<${tag}${attributesHtml(tag, props)}`;
  return VOID.has(tag) ? new Element(`${open}/>`, undefined, "") : new Element(`${open}>`, props.children, `</${tag}>`);
}

export function Fragment({ children }: { children?: Child }): Child {
  return children;
}

export { jsx as jsxDEV, jsx as jsxs };
