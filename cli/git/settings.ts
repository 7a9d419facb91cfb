import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Terminal } from "./command.ts";

/**
 * The last value of a setting, as git finds it (git-config, "FILES"): the system's file, the user's, the repository's.
 * Files that those include are not read.
 * @param key section and name in lower case: `user.name`
 */
export function settingOf(repository: RepositoryFolder, terminal: Terminal, key: string): string | undefined {
  const { environment } = terminal;
  const home = environment["HOME"];
  const files = [
    ...(isYes(environment["GIT_CONFIG_NOSYSTEM"]) ? [] : [environment["GIT_CONFIG_SYSTEM"] ?? "/etc/gitconfig"]),
    ...(environment["GIT_CONFIG_GLOBAL"] !== undefined
      ? [environment["GIT_CONFIG_GLOBAL"]]
      : [
          environment["XDG_CONFIG_HOME"]
            ? join(environment["XDG_CONFIG_HOME"], "git/config")
            : join(home ?? "/nonexistent", ".config/git/config"),
          join(home ?? "/nonexistent", ".gitconfig"),
        ]),
    join(repository.commonDir, "config"),
  ];
  let found: string | undefined;
  for (const file of files)
    if (file !== "" && existsSync(file)) found = lastValue(readFileSync(file, "utf8"), key) ?? found;
  return found;
}

/** Whether a setting says yes; undefined when it is no such word. */
export function isYes(text: string | undefined): boolean | undefined {
  const word = text?.toLowerCase();
  if (word === "true" || word === "yes" || word === "on" || word === "1") return true;
  return word === undefined || word === "false" || word === "no" || word === "off" || word === "0" || word === ""
    ? false
    : undefined;
}

function lastValue(text: string, key: string): string | undefined {
  const dot = key.lastIndexOf(".");
  const [wantedSection, wantedName] = [key.slice(0, dot), key.slice(dot + 1)];
  let section = "";
  let found: string | undefined;
  const lines = text
    .replace(/\r\n/g, "\n")
    .replace(/^\ufeff/, "")
    .split("\n");
  for (let at = 0; at < lines.length; at++) {
    let line = lines[at]!;
    const header = /^\s*\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (header) {
      section = header[1]!.toLowerCase() + (header[2] === undefined ? "" : `.${header[2].replace(/\\(.)/g, "$1")}`);
      line = line.slice(header[0].length);
    }
    // A backslash at the end goes on in the next line.
    while (/(?:^|[^\\])(?:\\\\)*\\$/.test(line) && at + 1 < lines.length) line = line.slice(0, -1) + lines[++at];
    const entry = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(line);
    if (entry && section === wantedSection && entry[1]!.toLowerCase() === wantedName)
      found = entry[2] === undefined ? "true" : plainValue(entry[2]);
  }
  return found;
}

/** Quotes and escapes taken out, comments and blanks at the end left away. */
function plainValue(written: string): string {
  const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };
  let text = "";
  let kept = 0;
  let isQuoted = false;
  for (let at = 0; at < written.length; at++) {
    const sign = written[at]!;
    if (sign === "\\") {
      const next = written[++at] ?? "";
      text += escapes[next] ?? next;
    } else if (sign === '"') {
      isQuoted = !isQuoted;
      kept = text.length;
      continue;
    } else if (!isQuoted && (sign === "#" || sign === ";")) break;
    else text += sign;
    if (isQuoted || !/\s/.test(sign)) kept = text.length;
  }
  return text.slice(0, kept);
}
