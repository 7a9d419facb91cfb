import { join } from "node:path";
import { makeDirectory, replaceFile } from "../../git/durable.ts";
import { readFile } from "../../workers/descriptors.ts";

/**
 * The last full maintenance of a repository: `objects/info/hearth/maintenance`, text.
 *
 *     hearth maintenance 1
 *     refs <version>         the version of the refs then
 *     done | pending         pending: some unreachable objects are still within their grace time
 */
export interface MaintenanceRun {
  readonly refsVersion: number;
  readonly isPending: boolean;
}

function runPath(repoDir: string): string {
  return join(repoDir, "objects", "info", "hearth", "maintenance");
}

export function recordRun(repoDir: string, run: MaintenanceRun): void {
  const path = runPath(repoDir);
  makeDirectory(join(path, ".."));
  const text = `hearth maintenance 1\nrefs ${run.refsVersion}\n${run.isPending ? "pending" : "done"}\n`;
  replaceFile(path, new TextEncoder().encode(text));
}

/** Whether another run would have nothing to do. */
export function isUpToDate(repoDir: string, refsVersion: number): boolean {
  try {
    const [first, refs, state] = readFile(runPath(repoDir)).toString().split("\n");
    return first === "hearth maintenance 1" && refs === `refs ${refsVersion}` && state === "done";
  } catch {
    return false;
  }
}
