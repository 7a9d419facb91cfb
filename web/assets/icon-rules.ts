import { ICONS, type IconName } from "./icons.ts";

/** Elements whose icon is drawn before their text, without a separate element. */
const DRAWN_BEFORE: Record<string, IconName> = {
  ".f": "file",
  ".f-dir": "file-directory-fill",
  ".f-link": "file-symlink-file",
  ".f-sub": "file-submodule",
  ".diff-head": "chevron-down",
};

/**
 * A hundredth of sixteen pixels is finer than any screen, and more digits would be an eighth of the style sheet. Only
 * fractions are rounded, and remain fractions, because path numbers may follow each other without a separator.
 */
function rounded(path: string): string {
  return path.replace(/\.\d{3,}/g, (fraction) => {
    const short = Number(fraction).toFixed(2);
    return short.startsWith("0") ? short.slice(1).replace(/0$/, "") : fraction;
  });
}

/**
 * An icon is one element masked to its outline: half the elements of an inline `<svg>`, no image, no request, and each
 * path is sent once, in the style sheet.
 */
export function iconRules(): string {
  const outline = (selector: string, name: IconName) => `${selector}{--i:path("${rounded(ICONS[name])}")}`;
  const names = Object.keys(ICONS) as IconName[];
  const rules = [
    ...names.map((name) => outline(`.i-${name}`, name)),
    ...Object.entries(DRAWN_BEFORE).map(([selector, name]) => outline(selector, name)),
  ];
  return `@layer components{\n${rules.join("\n")}\n}`;
}
