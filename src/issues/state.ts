import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { Clock } from "../kernel/clock.ts";
import { PreconditionFailed } from "../kernel/errors.ts";
import { trackerSettings } from "../repos/settings/defaults.ts";
import { contextOf, eventOf } from "./context.ts";
import { hasOpenBlockers } from "./dependencies/store.ts";
import { setClosed } from "./store.ts";
import type { Timeline } from "./timeline/service.ts";
import type { SeenIssue } from "./types.ts";

export interface StateNeeds {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly timeline: Timeline;
}

/** Throws to refuse a change of state that another area rules out: a merged pull request stays closed. */
export type StateGuard = (item: SeenIssue, isClosed: boolean) => void;

export interface StateChange {
  /** The timeline entry's kind; `close` or `reopen` if absent. */
  readonly entry?: "merge_pull";
  /** The commit that caused it, by its message or as the merge of a pull request. */
  readonly commitId?: string;
  /** Close it even if it depends on open items. */
  readonly despiteDependencies?: boolean;
}

/** Opens and closes items (contract issues.md 4). */
export class ItemStates {
  private readonly guards: StateGuard[] = [];

  constructor(private readonly needs: StateNeeds) {}

  /** Called by areas while they are wired. */
  addGuard(guard: StateGuard): void {
    this.guards.push(guard);
  }

  /**
   * Closes or reopens; the caller has checked permissions. Of several concurrent calls one makes the change, the others
   * find it done. Other areas react to `issue.state-changed`, which is emitted in the same transaction.
   * @returns whether something changed
   * @throws PreconditionFailed something it depends on is open; whatever a guard throws
   */
  set(item: SeenIssue, isClosed: boolean, { commitId, entry, despiteDependencies }: StateChange = {}): boolean {
    const { clock, db, outbox, timeline } = this.needs;
    return db.transaction(() => {
      for (const guard of this.guards) guard(item, isClosed);
      if (!despiteDependencies) this.requireClosable(item, isClosed);
      if (!setClosed(db, item.issue.id, isClosed, clock())) return false;
      const { id: entryId } = timeline.append(item, { kind: entry ?? (isClosed ? "close" : "reopen") });
      const context = contextOf(item.seen, item.issue);
      outbox.append("issue.state-changed", context, {
        ...eventOf(item.issue),
        isClosed,
        entryId,
        ...(entry === "merge_pull" ? { isMerge: true } : {}),
        ...(commitId === undefined ? {} : { commitId }),
      });
      return true;
    });
  }

  /** Whether it depends on an open item. */
  isBlocked({ issue, seen }: SeenIssue): boolean {
    return trackerSettings(seen.repo.settings).enableIssueDependencies && hasOpenBlockers(this.needs.db, issue.id);
  }

  private requireClosable(item: SeenIssue, isClosed: boolean): void {
    if (isClosed && !item.issue.isClosed && this.isBlocked(item))
      throw new PreconditionFailed("issue.has-open-dependencies", { field: "state" });
  }
}
