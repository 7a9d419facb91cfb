/**
 * The JSX runtime of every page: `hono/jsx`, which escapes text and attributes by default, behind a gate that knows
 * the rules of this site's pages (web/jsx/gate.ts). tsconfig and package.json map `#jsx` here.
 */
import { Fragment, jsxDEV as node } from "hono/jsx/jsx-dev-runtime";
import { gateAttributes } from "./gate.ts";

export type { JSX } from "./types.ts";
export { Fragment };

type Tag = Parameters<typeof node>[0];
type Props = Parameters<typeof node>[1];

export function jsx(tag: Tag, props: Props, key?: string): ReturnType<typeof node> {
  return node(tag, typeof tag === "string" ? gateAttributes(tag, props) : props, key);
}

export { jsx as jsxDEV, jsx as jsxs };
