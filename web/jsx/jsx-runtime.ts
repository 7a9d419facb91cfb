/**
 * The JSX runtime of every page: escapes text and attributes, and enforces the rules for this site's pages
 * (web/jsx/gate.ts). tsconfig and package.json map `#jsx` here.
 */
import { attributesHtml } from "./gate.ts";
import { type Child, Component, Element, type Markup, type Props, type View } from "./markup.ts";

export type { JSX } from "./types.ts";

const TAG_NAME = /^[a-z][a-z0-9-]*$/;
/** Void elements: no content and no end tag. */
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
  const { start, end } = tagsOf(tag);
  const attributes = attributesHtml(tag, props);
  return end === ""
    ? new Element(`${start}${attributes}/>`, undefined, end)
    : new Element(`${start}${attributes}>`, props.children, end);
}

interface Tags {
  readonly start: string;
  /** Empty for void elements. */
  readonly end: string;
}

/** Cached by name; names are literals in the code, so there are few. */
const tags = new Map<string, Tags>();

function tagsOf(name: string): Tags {
  const known = tags.get(name);
  if (known) return known;
  if (!TAG_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is no name of an element`);
  const made = { start: `<${name}`, end: VOID.has(name) ? "" : `</${name}>` };
  tags.set(name, made);
  return made;
}

export function Fragment({ children }: { children?: Child }): Child {
  return children;
}

export { jsx as jsxDEV, jsx as jsxs };
