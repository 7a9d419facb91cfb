import { movedRefOf } from "./moved-ref.ts";
import type { ActivityRow } from "./store.ts";

/** Pushes no further apart than this are merged into one entry: fixing a typo after a push should not fill a feed. */
const MAX_GAP_MS = 3_600_000;

/**
 * Entries, newest first, with successive pushes by one person to one branch merged: the newest push, starting where
 * the oldest began. Pushes by others to the same branch interrupt a sequence, and so does a push not known to start
 * where the previous one ended.
 */
export function withGroupedPushes(rows: readonly ActivityRow[]): ActivityRow[] {
  const grouped: ActivityRow[] = [];
  /** The last entry of each branch, and the time of its oldest push. */
  const groups = new Map<string, { at: number; oldestAt: number }>();
  for (const row of rows) {
    if (row.refName === "") {
      grouped.push(row);
      continue;
    }
    const branch = `${row.repoId} ${row.refName}`;
    const group = groups.get(branch);
    const newer = group && grouped[group.at];
    const joined = newer && group.oldestAt - row.createdAt <= MAX_GAP_MS ? joinedPush(newer, row) : undefined;
    if (group && joined) {
      grouped[group.at] = joined;
      group.oldestAt = row.createdAt;
    } else {
      groups.set(branch, { at: grouped.length, oldestAt: row.createdAt });
      grouped.push(row);
    }
  }
  return grouped;
}

/** Both pushes as one; undefined if they are not consecutive. */
function joinedPush(newer: ActivityRow, older: ActivityRow): ActivityRow | undefined {
  if (newer.kind !== "push" || older.kind !== "push" || newer.actorId !== older.actorId) return undefined;
  const [after, before] = [movedRefOf(newer.content), movedRefOf(older.content)];
  if (!after || !before || after.old !== before.new) return undefined;
  return { ...newer, content: JSON.stringify({ old: before.old, new: after.new }) };
}
