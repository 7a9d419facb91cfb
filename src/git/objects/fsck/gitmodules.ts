import type { Report } from "./problems.ts";

/**
 * `.gitmodules` and `.gitattributes` make clients write files and run commands; what is known to be abused is
 * refused here (CVE-2018-11235, CVE-2018-17456, CVE-2019-19604, CVE-2020-5260, CVE-2020-11008, CVE-2022-23521).
 */

/** git reads no line of `.gitattributes` that is longer, and no file that is larger. */
const MAX_ATTRIBUTES_LINE_BYTES = 2048;
export const MAX_ATTRIBUTES_BYTES = 100 * 1024 * 1024;

/** `text`: one character per byte (latin1). */
export function checkGitmodules(text: string, report: Report): void {
  const good = eachConfigValue(text, (section, name, key, value) => {
    if (section !== "submodule" || name === undefined) return;
    if (!isSubmoduleName(name)) report("gitmodulesName", `disallowed submodule name: ${printable(name)}`);
    if (value === undefined) return;
    if (key === "url" && !isSubmoduleUrl(value))
      report("gitmodulesUrl", `disallowed submodule url: ${printable(value)}`);
    if (key === "path" && value.startsWith("-"))
      report("gitmodulesPath", `disallowed submodule path: ${printable(value)}`);
    if (key === "update" && value.startsWith("!"))
      report("gitmodulesUpdate", `disallowed submodule update setting: ${printable(value)}`);
  });
  if (!good) report("gitmodulesParse", "could not parse gitmodules blob");
}

/** `data`: the whole file. */
export function checkGitattributes(data: Uint8Array, report: Report): boolean {
  if (data.length > MAX_ATTRIBUTES_BYTES) return report("gitattributesLarge", "gitattributes file is too large");
  const nul = data.indexOf(0);
  const end = nul < 0 ? data.length : nul;
  for (let at = 0; at < end; ) {
    const lf = data.indexOf(0x0a, at);
    const lineEnd = lf < 0 || lf > end ? end : lf;
    if (lineEnd - at >= MAX_ATTRIBUTES_LINE_BYTES)
      return report("gitattributesLineLength", "gitattributes has too long lines to parse");
    at = lineEnd + 1;
  }
  return true;
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, 200);
}

/** A name becomes a folder below `.git/modules`: it must not be empty or climb. */
function isSubmoduleName(name: string): boolean {
  return name !== "" && !name.split(/[/\\]/).includes("..");
}

function isSubmoduleUrl(url: string): boolean {
  if (url.startsWith("-")) return false;
  if (/^\.\.?[/\\]/.test(url) || url.startsWith("git://")) {
    if (percentDecoded(url).includes("\n")) return false;
    // Climbing above the host would put the next part in its place.
    const climb = /^(?:\.\.?[/\\])*/.exec(url)?.[0] ?? "";
    return !(climb.includes("..") && /^[:/]/.test(url.slice(climb.length)));
  }
  const http =
    /^(?:(?:https?|ftps?)::)?((?:https?|ftps?):\/\/.*)$/s.exec(url)?.[1] ?? /^(?:https?|ftps?)::(.*)$/s.exec(url)?.[1];
  if (http === undefined) return true;
  const parts = /^([^:/?#]*):\/\/(?:([^@/?#]*)@)?([^/?#]*)(.*)$/s.exec(http);
  if (!parts || parts[1] === "") return false;
  const [, , user = "", host = "", path = ""] = parts;
  const decoded = [user, host, path].map(percentDecoded);
  return host !== "" && decoded.every((part) => !part.includes("\n"));
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

type ConfigVisitor = (section: string, subsection: string | undefined, key: string, value: string | undefined) => void;

/**
 * Reads git's configuration syntax (git-config, "SYNTAX") and tells every value until something cannot be read;
 * answers whether all could.
 */
export function eachConfigValue(text: string, visit: ConfigVisitor): boolean {
  const source = text.replaceAll("\r\n", "\n").replace(/^\xef\xbb\xbf/, "");
  let section: string | undefined;
  let subsection: string | undefined;
  let at = 0;
  while (at < source.length) {
    const code = source[at]!;
    if (/\s/.test(code)) {
      at++;
    } else if (code === "#" || code === ";") {
      const lf = source.indexOf("\n", at);
      at = lf < 0 ? source.length : lf + 1;
    } else if (code === "[") {
      const header = /\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
      header.lastIndex = at;
      const match = header.exec(source);
      if (!match) return false;
      section = match[1]!.toLowerCase();
      subsection = match[2]?.replace(/\\(.)/g, "$1");
      const dot = section.indexOf(".");
      if (subsection === undefined && dot >= 0) {
        subsection = section.slice(dot + 1);
        section = section.slice(0, dot);
      }
      at = header.lastIndex;
    } else {
      const name = /([A-Za-z][A-Za-z0-9-]*)[ \t]*/y;
      name.lastIndex = at;
      const key = name.exec(source)?.[1]?.toLowerCase();
      if (key === undefined || section === undefined) return false;
      at = name.lastIndex;
      if (at >= source.length || source[at] === "\n") {
        visit(section, subsection, key, undefined);
        continue;
      }
      if (source[at] !== "=") return false;
      const value = readValue(source, at + 1);
      if (!value) return false;
      visit(section, subsection, key, value.text);
      at = value.end;
    }
  }
  return true;
}

const ESCAPES: Record<string, string> = { t: "\t", b: "\b", n: "\n", "\\": "\\", '"': '"' };

function readValue(source: string, start: number): { text: string; end: number } | undefined {
  let text = "";
  /** Spaces are kept only when something follows them. */
  let spaces = "";
  let quoted = false;
  let comment = false;
  for (let at = start; ; at++) {
    const character = source[at];
    if (character === undefined || character === "\n") return quoted ? undefined : { text, end: at + 1 };
    if (comment) continue;
    if (!quoted && /\s/.test(character)) {
      if (text !== "") spaces += character;
      continue;
    }
    if (!quoted && (character === ";" || character === "#")) {
      comment = true;
      continue;
    }
    text += spaces;
    spaces = "";
    if (character === '"') {
      quoted = !quoted;
    } else if (character === "\\") {
      const next = source[++at];
      if (next === "\n") continue;
      const meaning = next === undefined ? undefined : ESCAPES[next];
      if (meaning === undefined) return undefined;
      text += meaning;
    } else text += character;
  }
}
