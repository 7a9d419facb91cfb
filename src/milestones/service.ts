import { atLeast } from "../access/levels.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { type EventContext, storedPrincipal } from "../events/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import { itemsLevel, requireItemsRead, requireItemsWrite } from "../repos/items-level.ts";
import type { SeenRepo } from "../repos/types.ts";
import { type BurnDown, burnDownOf } from "./burn-down.ts";
import * as store from "./store.ts";
import type { Milestone, MilestoneEdit, MilestoneFilter } from "./types.ts";
import { checkMilestoneDescription, checkMilestoneTitle, MAX_MILESTONES } from "./values.ts";

/** A page reads them all at once: this many take about ten milliseconds. */
const MAX_BURN_DOWN_ITEMS = 10_000;

/** Milestones of repositories (contract issues.md 14). */
export class MilestoneService {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Milestones by id, for display; missing ones are left out. */
  byIds(ids: readonly number[]): Map<number, Milestone> {
    return store.findMilestones(this.db, ids);
  }

  /** The milestone, if it belongs to the repository. */
  find({ repo }: SeenRepo, id: number): Milestone | undefined {
    const found = this.byIds([id]).get(id);
    return found?.repoId === repo.id ? found : undefined;
  }

  /** @throws NotFound neither issues nor pull requests may be read */
  list(seen: SeenRepo, filter: MilestoneFilter, paging: Pick<Paging, "limit" | "offset">): Slice<Milestone> {
    requireItemsRead(seen);
    return store.listMilestones(this.db, [seen.repo.id], filter, paging);
  }

  /** Numbers of open and closed milestones. @throws NotFound */
  counts(seen: SeenRepo): { readonly open: number; readonly closed: number } {
    requireItemsRead(seen);
    return store.countMilestones(this.db, [seen.repo.id]);
  }

  /** Milestones of several repositories, as far as issues or pull requests may be read there. */
  listEverywhere(
    repos: readonly SeenRepo[],
    filter: MilestoneFilter,
    paging: Pick<Paging, "limit" | "offset">,
  ): Slice<Milestone> & { readonly open: number; readonly closed: number } {
    const ids = repos.filter((seen) => atLeast(itemsLevel(seen), "read")).map(({ repo }) => repo.id);
    return {
      ...store.listMilestones(this.db, ids, filter, paging),
      ...store.countMilestones(this.db, ids),
    };
  }

  /**
   * Ids of its items, newest first.
   * @param of the kinds that the principal may read, as checked by the caller, and the state
   */
  items(
    { id }: Milestone,
    of: { readonly isClosed: boolean; readonly issues: boolean; readonly pulls: boolean },
    paging: Pick<Paging, "limit" | "offset">,
  ): number[] {
    const kinds = [...(of.issues ? [0 as const] : []), ...(of.pulls ? [1 as const] : [])];
    return store.itemsOf(this.db, id, { isClosed: of.isClosed, kinds }, paging);
  }

  /** Progress of its items over time; undefined if there are none, or too many to read for a page. */
  burnDown(milestone: Milestone): BurnDown | undefined {
    const { closedAt, closedItems, dueAt, id, openItems } = milestone;
    const count = openItems + closedItems;
    if (count === 0 || count > MAX_BURN_DOWN_ITEMS) return undefined;
    return burnDownOf(store.changesByDay(this.db, id), dueAt, closedAt ?? this.clock());
  }

  /** By id, or else by title. @throws NotFound */
  get(seen: SeenRepo, idOrTitle: string): Milestone {
    requireItemsRead(seen);
    const byId = /^\d{1,15}$/.test(idOrTitle) ? this.find(seen, Number(idOrTitle)) : undefined;
    const found = byId ?? store.findMilestoneTitled(this.db, seen.repo.id, idOrTitle);
    if (!found) throw new NotFound();
    return found;
  }

  /** @throws NotFound neither issues nor pull requests may be read; Forbidden neither may be written */
  requireWrite(seen: SeenRepo): void {
    requireItemsWrite(seen);
  }

  /** @throws NotFound; Forbidden; ValidationFailed a bad value, or the maximum is reached */
  create(seen: SeenRepo, given: MilestoneEdit): Milestone {
    this.requireWrite(seen);
    return this.db.transaction(() => {
      const { open, closed } = store.countMilestones(this.db, [seen.repo.id]);
      if (open + closed >= MAX_MILESTONES)
        throw new ValidationFailed("milestone.too-many", { params: { max: MAX_MILESTONES } });
      const made = store.insertMilestone(this.db, seen.repo.id, this.values(given), this.clock());
      this.outbox.append("milestone.created", contextOf(seen), { milestoneId: made.id });
      return made;
    });
  }

  /** Absent fields are left unchanged. @throws NotFound; Forbidden; ValidationFailed */
  edit(seen: SeenRepo, id: number, edit: MilestoneEdit): Milestone {
    this.requireWrite(seen);
    return this.db.transaction(() => {
      const before = this.find(seen, id);
      if (!before) throw new NotFound();
      const changed = store.updateMilestone(this.db, id, this.values(edit, before), this.clock());
      if (!changed) throw new NotFound();
      this.outbox.append("milestone.edited", contextOf(seen), { milestoneId: id });
      const isClosed = changed.closedAt !== undefined;
      if (isClosed !== (before.closedAt !== undefined))
        this.outbox.append("milestone.state-changed", contextOf(seen), { milestoneId: id, isClosed });
      return changed;
    });
  }

  /** Its items then have no milestone. @throws NotFound; Forbidden */
  delete(seen: SeenRepo, id: number): void {
    this.requireWrite(seen);
    this.db.transaction(() => {
      const found = this.find(seen, id);
      if (!found) throw new NotFound();
      store.deleteMilestone(this.db, id);
      this.outbox.append("milestone.deleted", contextOf(seen), { milestoneId: id, title: found.title });
    });
  }

  private values(edit: MilestoneEdit, before?: Milestone): store.MilestoneValues {
    const { title, description, dueAt, isClosed } = edit;
    const wasClosedAt = before?.closedAt;
    return {
      title: title === undefined && before ? before.title : checkMilestoneTitle(title ?? ""),
      description: description === undefined ? (before?.description ?? "") : checkMilestoneDescription(description),
      dueAt: dueAt === undefined ? before?.dueAt : (dueAt ?? undefined),
      closedAt: (isClosed ?? wasClosedAt !== undefined) ? (wasClosedAt ?? this.clock()) : undefined,
    };
  }
}

function contextOf({ owner, principal, repo }: SeenRepo): EventContext {
  return { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(principal) };
}
