import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { readFile } from "../../workers/descriptors.ts";
import { unquotePath } from "../objects/quote.ts";

/** Maximum length of a chain of repositories that borrow from each other. */
const MAX_STEPS = 5;

/**
 * The object directories a repository borrows from, directly or indirectly (gitrepository-layout(5),
 * "objects/info/alternates"). Only for foreign repositories on the command line: Hearth's own share nothing.
 */
export function alternatesOf(objectsDir: string): string[] {
  const found = new Set<string>();
  const visit = (directory: string, steps: number) => {
    for (const path of pathsIn(join(directory, "info", "alternates"))) {
      const other = existing(resolve(directory, path));
      if (other === undefined || other === existing(objectsDir) || found.has(other)) continue;
      found.add(other);
      if (steps < MAX_STEPS) visit(other, steps + 1);
    }
  };
  visit(objectsDir, 1);
  return [...found];
}

function pathsIn(file: string): string[] {
  let text: string;
  try {
    text = readFile(file).toString();
  } catch {
    return [];
  }
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => (line.startsWith('"') ? (unquotePath(line)?.text ?? line) : line));
}

function existing(directory: string): string | undefined {
  try {
    return realpathSync(directory);
  } catch {
    return undefined;
  }
}
