import { movedRefOf } from "./moved-ref.ts";
import type { ActivityRow } from "./store.ts";

/** Pushes no further apart than this are one entry of a feed: someone who fixes a typo after a push does not fill it. */
const MAX_GAP_MS = 3_600_000;

/**
 * Entries, newest first, with successive pushes of one person to one branch as one entry: the newest push, from where
 * the oldest began. Pushes of others to the same branch come between them, and so does a push that is not known to begin
 * where the one before it ended.
 */
export function withGroupedPushes(rows: readonly ActivityRow[]): ActivityRow[] {
  const grouped: ActivityRow[] = [];
  /** The last entry of each branch, and when its oldest push was. */
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

/** Both pushes as one; undefined when they do not follow each other. */
function joinedPush(newer: ActivityRow, older: ActivityRow): ActivityRow | undefined {
  if (newer.kind !== "push" || older.kind !== "push" || newer.actorId !== older.actorId) return undefined;
  const [after, before] = [movedRefOf(newer.content), movedRefOf(older.content)];
  if (!after || !before || after.old !== before.new) return undefined;
  return { ...newer, content: JSON.stringify({ old: before.old, new: after.new }) };
}
