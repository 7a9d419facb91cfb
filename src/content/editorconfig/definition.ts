/** The `.editorconfig` settings for one file (editorconfig.org), limited to those the API shows. */
export interface EditorDefinition {
  charset?: string;
  indent_style?: string;
  indent_size?: string;
  end_of_line?: string;
}

const TOLD = ["charset", "indent_style", "indent_size", "end_of_line"] as const;

/** More sections than any project has. */
const MAX_SECTIONS = 500;
const MAX_PATTERN = 1024;
/** Longer lines are ignored, as the specification allows. */
const MAX_LINE = 4096;

/**
 * The definition for a file in the root directory; later sections win. Unreadable parts are skipped.
 * @param text content of the `.editorconfig` in the root directory
 */
export function editorDefinition(text: string, fileName: string): EditorDefinition {
  const found: EditorDefinition = {};
  let applies = false;
  let sections = 0;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.length > MAX_LINE ? "" : raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const section = /^\[(.+)\]$/.exec(line)?.[1];
    if (section !== undefined) {
      applies = sections++ < MAX_SECTIONS && fits(section, fileName);
      continue;
    }
    if (!applies) continue;
    const sign = line.search(/[=:]/);
    const name = line.slice(0, Math.max(0, sign)).trim().toLowerCase();
    const key = TOLD.find((told) => told === name);
    if (!key) continue;
    const value = withoutComment(line.slice(sign + 1).trim()).toLowerCase();
    if (value === "unset") delete found[key];
    else found[key] = value;
  }
  return found;
}

/** A comment starts with its sign after whitespace. */
function withoutComment(value: string): string {
  for (let at = 1; at < value.length; at++)
    if ((value[at] === "#" || value[at] === ";") && /\s/.test(value[at - 1]!)) return value.slice(0, at).trimEnd();
  return value;
}

function fits(pattern: string, fileName: string): boolean {
  if (pattern.length > MAX_PATTERN) return false;
  const glob = pattern.startsWith("/") ? pattern.slice(1) : pattern;
  try {
    return new Bun.Glob(glob).match(fileName);
  } catch {
    return false;
  }
}
