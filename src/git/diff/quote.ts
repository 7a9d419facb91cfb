import { encodeName } from "../objects/names.ts";
import { toLatin1 } from "./content.ts";

const ESCAPES: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * A path in a patch, as a latin1 string: `prefix` and the path, in double quotes and with C escapes when it has quotes,
 * backslashes, control characters or bytes beyond ASCII (git's `core.quotePath`).
 */
export function quotePath(prefix: string, path: string): string {
  if (PLAIN.test(path)) return prefix + path;
  const bytes = toLatin1(encodeName(path));
  if (!/[\x00-\x1f"\\\x7f-\xff]/.test(bytes)) return prefix + bytes;
  const escaped = bytes.replace(/[\x00-\x1f"\\\x7f-\xff]/g, (character) => {
    const code = character.charCodeAt(0);
    return ESCAPES[code] ?? `\\${code.toString(8).padStart(3, "0")}`;
  });
  return `"${prefix}${escaped}"`;
}
