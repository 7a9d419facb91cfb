import type { Database } from "../db/database.ts";
import { isOid, type Oid } from "../git/objects/types.ts";
import type { Timeline } from "../issues/timeline/service.ts";
import type { PushedFacts } from "./checks/pushed.job.ts";
import { deletePushEntry, pushEntries, setPushEntry } from "./review/store.ts";
import type { SeenPull } from "./types.ts";

/** The JSON stored as the text of a push entry (contract pulls.md 14). */
interface PushEntry {
  readonly is_force_push: boolean;
  readonly commit_ids: readonly Oid[];
}

/** The timeline entries that record which commits were pushed when. */
export class PushEntries {
  constructor(
    private readonly db: Database,
    private readonly timeline: Timeline,
  ) {}

  /** Commits removed by a forced push are removed from their entries. Joins the running transaction. */
  add(item: SeenPull, facts: PushedFacts & { readonly before: Oid; readonly after: Oid }): void {
    const { after, before, commits, isForced } = facts;
    const present = new Set(commits);
    const listed = new Set<Oid>();
    for (const { id, body } of pushEntries(this.db, item.issue.id)) {
      const entry = entryOf(body);
      if (!entry || entry.is_force_push) continue;
      const left = entry.commit_ids.filter((oid) => present.has(oid));
      for (const oid of left) listed.add(oid);
      if (!isForced || left.length === entry.commit_ids.length) continue;
      if (left.length === 0) deletePushEntry(this.db, id);
      else setPushEntry(this.db, id, textOf({ is_force_push: false, commit_ids: left }));
    }
    if (isForced) this.append(item, { is_force_push: true, commit_ids: [before, after] });
    const fresh = commits.filter((oid) => !listed.has(oid));
    if (fresh.length > 0) this.append(item, { is_force_push: false, commit_ids: fresh });
  }

  /** Starts over with the commits relative to another base. Joins the running transaction. */
  restart(item: SeenPull, commits: readonly Oid[]): void {
    for (const { id } of pushEntries(this.db, item.issue.id)) deletePushEntry(this.db, id);
    if (commits.length > 0) this.append(item, { is_force_push: false, commit_ids: commits });
  }

  private append(item: SeenPull, entry: PushEntry): void {
    this.timeline.append(item, { kind: "pull_push", body: textOf(entry) });
  }
}

const textOf = (entry: PushEntry) => JSON.stringify(entry);

function entryOf(body: string): PushEntry | undefined {
  try {
    return JSON.parse(body) as PushEntry;
  } catch {
    return undefined;
  }
}

/** The heads before and after a forced push, from its entry; undefined if it is not such an entry. */
export function forcedHeads(body: string): { readonly from: Oid; readonly to: Oid } | undefined {
  const entry: Partial<PushEntry> | undefined = entryOf(body);
  const ids: unknown[] = entry?.is_force_push === true && Array.isArray(entry.commit_ids) ? entry.commit_ids : [];
  const [from, to] = ids;
  return typeof from === "string" && typeof to === "string" && isOid(from) && isOid(to) ? { from, to } : undefined;
}
