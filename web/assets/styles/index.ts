import { ICONS, type IconName } from "../icons.ts";
import base from "./base.css" with { type: "text" };
import code from "./code.css" with { type: "text" };
import controls from "./controls.css" with { type: "text" };
import navigation from "./navigation.css" with { type: "text" };
import pages from "./pages.css" with { type: "text" };
import prose from "./prose.css" with { type: "text" };
import repo from "./repo.css" with { type: "text" };
import surfaces from "./surfaces.css" with { type: "text" };
import tokens from "./tokens.css" with { type: "text" };

/** Elements whose icon is drawn before their text, without an element of its own. */
const OWN: Record<string, IconName> = {
  ".f": "file",
  ".f-dir": "file-directory-fill",
  ".f-link": "file-symlink-file",
  ".f-sub": "file-submodule",
  ".diff-head": "chevron-down",
};

/**
 * An icon is one element cut to its outline: half the elements of an inline `<svg>`, no image, no request, and each
 * path travels once, with the style sheet.
 */
function iconRules(): string {
  const outline = (selector: string, name: IconName) => `${selector}{--i:path("${ICONS[name]}")}`;
  const names = Object.keys(ICONS) as IconName[];
  return [
    ...names.map((name) => outline(`.i-${name}`, name)),
    ...Object.entries(OWN).map(([selector, name]) => outline(selector, name)),
  ].join("\n");
}

/** Comments and indentation stay here; the browser gets the rules. */
function compact(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\n\s*/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

export function styleSheet(): string {
  return [...[tokens, base, controls, surfaces, navigation, code, prose, repo, pages].map(compact), iconRules()].join(
    "\n",
  );
}
