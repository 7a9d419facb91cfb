import { ICONS, type IconName } from "../icons.ts";
import base from "./base.css" with { type: "text" };
import code from "./code.css" with { type: "text" };
import components from "./components.css" with { type: "text" };
import pages from "./pages.css" with { type: "text" };
import prose from "./prose.css" with { type: "text" };
import tokens from "./tokens.css" with { type: "text" };

const NAMES = Object.keys(ICONS) as IconName[];
/** Width of a drawing's cell; the drawing has 16, the gap keeps its neighbour out at odd sizes. */
const CELL = 20;

/**
 * An icon is one element whose mask is a cell of one drawing of all: half the elements of an inline `<svg>`, each path
 * travels once, and the drawing comes with the style sheet instead of by requests of its own.
 */
function iconRules(): string {
  const paths = NAMES.map((name, at) => `%3Cpath transform='translate(${at * CELL})' d='${ICONS[name]}'/%3E`);
  const drawing = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${NAMES.length * CELL} 16'%3E${paths.join("")}%3C/svg%3E`;
  const size = "var(--s,16px)";
  const mask = `url("${drawing}") calc(${size}*${-CELL / 16}*var(--x)) 0/calc(${size}*${(NAMES.length * CELL) / 16}) ${size} no-repeat`;
  const cells = NAMES.map((name, at) => `.i-${name}{--x:${at}}`);
  const own = Object.entries(OWN).map(([selector, name]) => `${selector}{--x:${NAMES.indexOf(name)}}`);
  return [`.i,${MASKED}{mask:${mask}}`, ...cells, ...own].join("\n");
}

/** Elements whose icon is drawn before their text, without an element of its own. */
const MASKED = '.f::before,.btn-icon[class*=" i-"]::before,.diff-head::before';
const OWN: Record<string, IconName> = {
  ".f": "file",
  ".f-dir": "file-directory-fill",
  ".f-link": "file-symlink-file",
  ".f-sub": "file-submodule",
  ".diff-head": "chevron-down",
};

/** Comments and indentation stay here; the browser gets the rules. */
function compact(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\n\s*/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

export const styleSheet = [...[tokens, base, components, code, prose, pages].map(compact), iconRules()].join("\n");
