import { rmSync } from "node:fs";
import { join } from "node:path";
import { readFile } from "../../workers/descriptors.ts";
import { makeDirectory, replaceFile } from "../durable.ts";
import { isOid, type Oid } from "../objects/types.ts";

/**
 * The objects a stored pack is complete for, so that it can be sent as it is. A text file of these lines:
 *
 *     hearth closure 1
 *     exact | inexact
 *     tip <id>           in an exact pack, every object is reachable from the tips
 *     boundary <id>      the pack points to it but does not contain it
 *     end                without this line the file is truncated and is ignored
 */
export interface Closure {
  readonly tips: readonly Oid[];
  readonly boundary: readonly Oid[];
  readonly exact: boolean;
}

/** A larger boundary is not worth storing: the pack would have to be enumerated anyway. */
export const MAX_BOUNDARY = 100_000;

function closurePath(repoDir: string, packId: string): string {
  return join(repoDir, "objects", "info", "hearth", `pack-${packId}.closure`);
}

/** Stores a pack's closure, durably. */
export function writeClosure(repoDir: string, packId: string, closure: Closure): void {
  makeDirectory(join(repoDir, "objects", "info", "hearth"));
  const lines = [
    "hearth closure 1",
    closure.exact ? "exact" : "inexact",
    ...closure.tips.map((oid) => `tip ${oid}`),
    ...closure.boundary.map((oid) => `boundary ${oid}`),
    "end",
  ];
  replaceFile(closurePath(repoDir, packId), new TextEncoder().encode(`${lines.join("\n")}\n`));
}

/** Reads a pack's closure; returns undefined if there is none or the file is damaged. */
export function readClosure(repoDir: string, packId: string): Closure | undefined {
  let text: string;
  try {
    text = readFile(closurePath(repoDir, packId)).toString();
  } catch {
    return undefined;
  }
  const head = /^hearth closure 1\n(exact|inexact)\n/.exec(text);
  if (!head || !text.endsWith("\nend\n")) return undefined;
  const closure = { tips: [] as Oid[], boundary: [] as Oid[], exact: head[1] === "exact" };
  // Parsed line by line: after hundreds of pushes, hundreds of these files are read at once.
  for (let at = head[0].length, last = text.length - "end\n".length; at < last; ) {
    const end = text.indexOf("\n", at);
    const isTip = text.startsWith("tip ", at);
    if (!isTip && !text.startsWith("boundary ", at)) return undefined;
    const oid = text.slice(at + (isTip ? "tip ".length : "boundary ".length), end);
    if (!isOid(oid)) return undefined;
    (isTip ? closure.tips : closure.boundary).push(oid);
    at = end + 1;
  }
  return closure;
}

/** Deletes a pack's closure along with the pack. */
export function removeClosure(repoDir: string, packId: string): void {
  rmSync(closurePath(repoDir, packId), { force: true });
}
