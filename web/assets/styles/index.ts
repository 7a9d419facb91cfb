import { ICONS } from "../icons.ts";
import base from "./base.css" with { type: "text" };
import code from "./code.css" with { type: "text" };
import components from "./components.css" with { type: "text" };
import pages from "./pages.css" with { type: "text" };
import prose from "./prose.css" with { type: "text" };
import tokens from "./tokens.css" with { type: "text" };

/** An icon is one element whose mask is the drawing: half the elements of an inline `<svg>`, and each path travels once. */
function iconRules(): string {
  return Object.entries(ICONS)
    .map(([name, path]) => `.i-${name}{--i:${drawing(path)}}`)
    .join("\n");
}

function drawing(path: string): string {
  return `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='${path}'/%3E%3C/svg%3E")`;
}

/** The drawings that rules of the style sheets use by themselves. */
const SHARED = {
  "--i-file": ICONS.file,
  "--i-dir": ICONS["file-directory-fill"],
  "--i-link": ICONS["file-symlink-file"],
  "--i-sub": ICONS["file-submodule"],
  "--chevron": ICONS["chevron-down"],
};

function sharedDrawings(): string {
  const rules = Object.entries(SHARED).map(([name, path]) => `${name}:${drawing(path)}`);
  return `:root{${rules.join(";")}}`;
}

/** Comments and indentation stay here; the browser gets the rules. */
function compact(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\n\s*/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

export const styleSheet = [
  ...[tokens, base, components, code, prose, pages].map(compact),
  sharedDrawings(),
  iconRules(),
].join("\n");
