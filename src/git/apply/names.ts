import { unquotePath } from "../objects/quote.ts";

/**
 * File names in patches. Everything is latin1, one character per byte; `strip` is the number of leading components
 * removed (`-p`), which is how `a/` and `b/` are stripped.
 */

/** The name on a line, up to a tab or the end of the line; undefined if too few components are left. */
export function nameOn(line: string, strip: number, terminate: "tab" | "line"): string | undefined {
  if (line.startsWith('"')) {
    const quoted = unquotePath(line);
    const rest = quoted && withoutComponents(quoted.text, strip);
    if (rest !== undefined) return squash(rest);
  }
  const end = /[\n\r\v\f]/.exec(terminate === "tab" ? line.replace("\t", "\n") : line);
  const name = end ? line.slice(0, end.index) : line;
  const rest = withoutComponents(name, strip);
  return rest === undefined || rest === "" ? undefined : squash(rest);
}

/** The name on a `---` or `+++` line of a patch not produced by git, without its date. */
export function traditionalName(line: string, other: string | undefined, strip: number): string | undefined {
  const plain = line.startsWith('"') ? nameOn(line, strip, "tab") : undefined;
  if (plain !== undefined) return plain;
  // Only the end is examined: a regular expression on a long line of spaces would take quadratic time.
  const tail = Math.max(0, line.length - MAX_DATE);
  const dated = DATE_AT_END.exec(line.slice(tail));
  const name = nameOn(dated ? line.slice(0, tail + dated.index) : line, strip, dated ? "line" : "tab");
  // The shorter name is preferred if the other only extends it, such as `file.orig`.
  if (other !== undefined && (name === undefined || (other.length < name.length && name.startsWith(other))))
    return other;
  return name;
}

const MAX_DATE = 80;
const DATE_AT_END = /[ \t]+\d{2,4}-\d{1,2}-\d{1,2} \d{1,2}:\d{2}:\d{2}(?:\.\d+)?(?: [+-]\d{2}:?\d{2}| UTC| Z)?\s*$/;

const EPOCH = /\t(1969-12-31|1970-01-01) (\d{2}):(\d{2}):00(?:\.0+)? ([+-])(\d{2}):?(\d{2})\s*$/;

/** Whether a line's date is the beginning of 1970, which is how GNU diff marks a missing file. */
export function isEpoch(line: string): boolean {
  const date = EPOCH.exec(line);
  if (!date) return false;
  const zone = (Number(date[5]) * 60 + Number(date[6])) * (date[4] === "-" ? -1 : 1);
  const minutes = Number(date[2]) * 60 + Number(date[3]) - (date[1] === "1969-12-31" ? 24 * 60 : 0);
  return minutes === zone;
}

export function isDevNull(line: string): boolean {
  return /^\/dev\/null\s/.test(line);
}

/** Strips the first components; undefined if there are not that many. */
function withoutComponents(name: string, count: number): string | undefined {
  let at = 0;
  for (let i = 0; i < count; i++) {
    const slash = name.indexOf("/", at);
    if (slash < 0) return undefined;
    at = slash + 1;
  }
  return name.slice(at);
}

function squash(name: string): string {
  return name.replace(/\/{2,}/g, "/");
}

/** As `withoutComponents`, but an absolute name has none to strip. */
function withoutPrefix(name: string, strip: number): string | undefined {
  if (name.startsWith("/")) return undefined;
  return withoutComponents(name, strip);
}

/** No file system allows longer names. */
const MAX_NAMES = 16 * 1024;

/**
 * The name in `a/name b/name`, the rest of a `diff --git ` line, if both are the same; other patches give their names
 * on further lines.
 */
export function commonName(line: string, strip: number): string | undefined {
  if (line.length > MAX_NAMES) return undefined;
  if (line.startsWith('"')) {
    const first = unquotePath(line);
    const name = first && withoutPrefix(first.text, strip);
    if (!first || name === undefined) return undefined;
    const rest = line.slice(first.length).trimStart();
    if (rest === "") return undefined;
    const quoted = rest.startsWith('"') ? unquotePath(rest) : undefined;
    const second = rest.startsWith('"') ? quoted?.text : rest.replace(/\n$/, "");
    return second !== undefined && withoutPrefix(second, strip) === name ? name : undefined;
  }
  const name = withoutPrefix(line, strip);
  if (name === undefined) return undefined;
  const quote = name.indexOf('"');
  if (quote >= 0) {
    const quoted = unquotePath(name.slice(quote));
    const second = quoted && withoutPrefix(quoted.text, strip);
    if (second === undefined || second.length >= quote || !name.startsWith(second)) return undefined;
    return /\s/.test(name[second.length] ?? "") ? second : undefined;
  }
  const end = name.indexOf("\n");
  if (end < 0) return undefined;
  for (let length = 0; length < end; length++) {
    const character = name[length]!;
    if (character !== " " && character !== "\t") continue;
    const second = withoutPrefix(name.slice(length + 1, end), strip);
    if (second === undefined) return undefined;
    if (second.length === length && name.startsWith(second)) return second;
  }
  return undefined;
}
