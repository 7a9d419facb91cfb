import { isSpace, trimEnd } from "./ident.ts";

/** How to show trailers (git-log(1), `%(trailers:…)`). */
export interface TrailerOptions {
  /** Keys to show, without a colon; all if empty. */
  readonly keys: readonly string[];
  readonly only: boolean;
  readonly unfold: boolean;
  readonly separator?: string;
  readonly keyOnly: boolean;
  readonly valueOnly: boolean;
  readonly keyValueSeparator?: string;
}

/** Trailers git itself writes: if a block has one, it needs to be only one quarter trailers. */
const OWN = ["Signed-off-by: ", "(cherry picked from commit "];
const KEY = /^([0-9A-Za-z-]+)[ \t]*:/;

/** Whether the message ends in a trailer block to which another line can be appended (git-interpret-trailers(1)). */
export function endsWithTrailers(message: string): boolean {
  // Anything after such a line is not part of the message.
  return !/(?:^|\n)---(?:\s|$)/.test(message) && trailerBlock(message) !== "";
}

/** The trailer block of a message: its last paragraph, if that is one and not the title. */
function trailerBlock(message: string): string {
  const lines = message.split(/(?<=\n)/);
  const end = endOfText(lines);
  let title = 0;
  while (title < end && (lines[title]!.startsWith("#") || !isBlank(lines[title]!))) title++;
  let trailers = 0;
  let others = 0;
  let continued = 0;
  let hasOwn = false;
  let isEnd = true;
  for (let at = end - 1; at >= title; at--) {
    const line = lines[at]!;
    if (!isBlank(line) && !line.startsWith("#")) isEnd = false;
    if (line.startsWith("#")) {
      others += continued;
      continued = 0;
    } else if (isBlank(line)) {
      if (isEnd) continue;
      others += continued;
      const isBlock = hasOwn ? trailers * 3 >= others : trailers > 0 && others === 0;
      return isBlock ? lines.slice(at + 1, end).join("") : "";
    } else if (OWN.some((start) => line.startsWith(start))) {
      trailers++;
      continued = 0;
      hasOwn = true;
    } else if (KEY.test(line)) {
      trailers++;
      continued = 0;
    } else if (isSpace(line.charCodeAt(0))) continued++;
    else {
      others += 1 + continued;
      continued = 0;
    }
  }
  return "";
}

/** The end without trailing empty lines, comments and the list of conflicts left by old versions of git. */
function endOfText(lines: readonly string[]): number {
  let end = -1;
  let inConflicts = false;
  for (const [at, line] of lines.entries()) {
    const isConflicts = line === "Conflicts:\n";
    if (isConflicts) inConflicts = true;
    if (isConflicts || line === "\n" || line.startsWith("#")) end = end < 0 ? at : end;
    else if (!(inConflicts && line.startsWith("\t"))) {
      end = -1;
      inConflicts = false;
    }
  }
  return end < 0 ? lines.length : end;
}

/** The trailers of a message as text. */
export function formatTrailers(message: string, options: TrailerOptions): string {
  const block = trailerBlock(message);
  const { keys, separator, keyValueSeparator } = options;
  const asIs = !options.only && !options.unfold && !options.keyOnly && !options.valueOnly && keys.length === 0;
  if (asIs && separator === undefined && keyValueSeparator === undefined) return block;
  let out = "";
  for (const line of entriesOf(block)) {
    const key = line.startsWith("#") ? undefined : KEY.exec(line)?.[1];
    if (key === undefined) {
      if (options.only) continue;
      if (separator !== undefined && out !== "") out += separator;
      out += line;
      if (separator !== undefined) out = trimEnd(out);
      continue;
    }
    if (keys.length > 0 && !keys.some((wanted) => wanted.toLowerCase() === key.toLowerCase())) continue;
    let value = line.slice(line.indexOf(":") + 1).replace(/^[ \t\r\n]+/, "");
    value = trimEnd(value);
    if (options.unfold) value = value.replace(/\n[ \t\r\n]*/g, " ");
    if (separator !== undefined && out !== "") out += separator;
    if (!options.valueOnly) out += key;
    if (!options.keyOnly && !options.valueOnly) out += keyValueSeparator ?? ": ";
    if (!options.keyOnly) out += value;
    if (separator === undefined) out += "\n";
  }
  return out;
}

/** Lines of the block, each with its indented continuation lines. */
function entriesOf(block: string): string[] {
  const entries: string[] = [];
  for (const line of block === "" ? [] : block.split(/(?<=\n)/)) {
    const last = entries.length - 1;
    if (last >= 0 && isSpace(line.charCodeAt(0)) && KEY.test(entries[last]!)) entries[last] += line;
    else entries.push(line);
  }
  return entries;
}

function isBlank(line: string): boolean {
  return trimEnd(line) === "";
}
