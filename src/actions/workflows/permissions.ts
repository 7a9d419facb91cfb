import type { PermissionText } from "./types.ts";
import { memberOf, type Node } from "./yaml/node.ts";

type Level = "none" | "read" | "write";
const levels = new Set<string>(["none", "read", "write"]);

/** `permissions` of a workflow or a job; undefined if it has none (contract actions.md 3.9). */
export function permissionsOf(owner: Node): PermissionText | undefined {
  const written = owner.kind === "map" ? owner.entries.get("permissions") : undefined;
  if (!written) return undefined;
  if (written.kind === "scalar" && (written.text === "read-all" || written.text === "write-all")) return written.text;
  if (written.kind !== "map") return memberOf(owner, "permissions") ? {} : undefined;
  const named = [...written.entries].flatMap(([unit, level]) =>
    level.kind === "scalar" && levels.has(level.text) ? [[unit, level.text as Level] as const] : [],
  );
  return Object.fromEntries(named);
}
