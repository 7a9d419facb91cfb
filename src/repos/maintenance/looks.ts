import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, replaceFile } from "../../git/durable.ts";

/**
 * When a repository was last put in order as a whole: `objects/info/hearth/maintenance`, text.
 *
 *     hearth maintenance 1
 *     refs <version>         what the refs were then
 *     done | pending         pending: there are objects that will be old enough to go one day
 */
export interface Look {
  readonly refsVersion: number;
  readonly isPending: boolean;
}

function lookPath(repoDir: string): string {
  return join(repoDir, "objects", "info", "hearth", "maintenance");
}

export function noteLook(repoDir: string, look: Look): void {
  const path = lookPath(repoDir);
  makeFolder(join(path, ".."));
  const text = `hearth maintenance 1\nrefs ${look.refsVersion}\n${look.isPending ? "pending" : "done"}\n`;
  replaceFile(path, new TextEncoder().encode(text));
}

/** Whether nothing has happened since the last look that another one would find. */
export function isLookedAfter(repoDir: string, refsVersion: number): boolean {
  try {
    const [first, refs, state] = readFileSync(lookPath(repoDir), "utf8").split("\n");
    return first === "hearth maintenance 1" && refs === `refs ${refsVersion}` && state === "done";
  } catch {
    return false;
  }
}
