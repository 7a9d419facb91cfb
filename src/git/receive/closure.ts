import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, replaceFile } from "../objects/durable.ts";
import { isOid, type Oid } from "../objects/types.ts";

/**
 * What a stored pack is complete for, so that it can be sent as it is. Kept beside the pack as text, one line each:
 *
 *     hearth closure 1
 *     exact | inexact
 *     tip <id>           every object of an exact pack is reachable from its tips
 *     boundary <id>      the pack points to it and does not hold it
 *     end                a file without this line was cut short and counts as none
 */
export interface Closure {
  readonly tips: readonly Oid[];
  readonly boundary: readonly Oid[];
  readonly exact: boolean;
}

/** A boundary beyond this is not worth remembering: the pack would have to be enumerated anyway. */
export const MAX_BOUNDARY = 100_000;

function closurePath(repoDir: string, packId: string): string {
  return join(repoDir, "objects", "info", "hearth", `pack-${packId}.closure`);
}

/** Remembers a pack's closure, durably. */
export function writeClosure(repoDir: string, packId: string, closure: Closure): void {
  makeFolder(join(repoDir, "objects", "info", "hearth"));
  const lines = [
    "hearth closure 1",
    closure.exact ? "exact" : "inexact",
    ...closure.tips.map((oid) => `tip ${oid}`),
    ...closure.boundary.map((oid) => `boundary ${oid}`),
    "end",
  ];
  replaceFile(closurePath(repoDir, packId), new TextEncoder().encode(`${lines.join("\n")}\n`));
}

/** What is known of a pack's closure; undefined when nothing is. Never throws for a file that is damaged. */
export function readClosure(repoDir: string, packId: string): Closure | undefined {
  let text: string;
  try {
    text = readFileSync(closurePath(repoDir, packId), "utf8");
  } catch {
    return undefined;
  }
  const [version, exactness, ...lines] = text.split("\n");
  if (version !== "hearth closure 1" || !text.endsWith("\nend\n")) return undefined;
  const closure = { tips: [] as Oid[], boundary: [] as Oid[], exact: exactness === "exact" };
  for (const line of lines.slice(0, -2)) {
    const [kind, oid = ""] = line.split(" ");
    if (!isOid(oid) || (kind !== "tip" && kind !== "boundary")) return undefined;
    (kind === "tip" ? closure.tips : closure.boundary).push(oid);
  }
  return closure;
}

/** Forgets a pack's closure, when the pack goes. */
export function removeClosure(repoDir: string, packId: string): void {
  rmSync(closurePath(repoDir, packId), { force: true });
}
