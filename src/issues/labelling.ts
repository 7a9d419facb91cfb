import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { LabelService } from "../labels/service.ts";
import { type Label, scopeOf } from "../labels/types.ts";
import { contextOf, eventOf } from "./context.ts";
import * as store from "./labelling-store.ts";
import type { Timeline } from "./timeline/service.ts";
import type { SeenIssue } from "./types.ts";

export interface LabellingNeeds {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly labels: LabelService;
  readonly timeline: Timeline;
}

/**
 * Sets labels on items (contract issues.md 13.4, 13.5). The caller has checked permissions and that the labels are
 * usable there.
 */
export class Labelling {
  constructor(private readonly needs: LabellingNeeds) {}

  /** Sorted by name. */
  of({ issue }: SeenIssue): Label[] {
    const ids = store.labelIdsOf(this.needs.db, issue.id);
    const labels = this.needs.labels.byIds(ids);
    return ids.flatMap((id) => labels.get(id) ?? []);
  }

  /**
   * The labels with these ids and names that items of the repository may have; a name matches both the owner's and the
   * repository's label.
   */
  usable({ seen }: SeenIssue, given: readonly (number | string)[]): Label[] {
    const { labels } = this.needs;
    const ids = given.filter((each) => typeof each === "number");
    const names = given.filter((each) => typeof each === "string");
    return [...labels.usable(seen, ids), ...labels.usableNamed(seen, names)];
  }

  /**
   * Each replaces the others of its scope. An event is emitted even if the item already has all of them (contract
   * webhooks.md 7.2).
   */
  add(item: SeenIssue, labels: readonly Label[]): void {
    if (labels.length === 0) return;
    const present = this.of(item);
    const added = oneOfEachScope(labels);
    this.change(item, present, [...besideScopesOf(added, present), ...added], { isTold: labels.length > 0 });
  }

  /** Sets exactly these labels; of several in one scope, the last by name wins. */
  set(item: SeenIssue, labels: readonly Label[]): void {
    this.change(item, this.of(item), oneOfEachScope(labels));
  }

  /**
   * Sets exactly the labels checked in a form: a newly checked label replaces those of its scope that were set before.
   */
  choose(item: SeenIssue, labels: readonly Label[]): void {
    const present = this.of(item);
    const added = oneOfEachScope(without(labels, present));
    this.change(item, present, oneOfEachScope([...besideScopesOf(added, labels), ...added]));
  }

  /** Removes all labels. */
  clear(item: SeenIssue): void {
    this.change(item, this.of(item), [], { isCleared: true });
  }

  remove(item: SeenIssue, labels: readonly Label[]): void {
    const present = this.of(item);
    const ids = new Set(labels.map(({ id }) => id));
    this.change(
      item,
      present,
      present.filter(({ id }) => !ids.has(id)),
    );
  }

  /** @param isTold emit an event even if nothing changes, as for adding labels (contract webhooks.md 7.2) */
  private change(
    item: SeenIssue,
    before: readonly Label[],
    after: readonly Label[],
    { isCleared = false, isTold = false } = {},
  ): void {
    const { db, outbox, timeline } = this.needs;
    const added = without(after, before);
    const removed = without(before, after);
    if (added.length === 0 && removed.length === 0 && !isTold) return;
    db.transaction(() => {
      for (const { id } of removed) {
        store.deleteLabel(db, item.issue.id, id);
        timeline.append(item, { kind: "label", labelId: id });
      }
      for (const { id } of added) {
        store.insertLabel(db, item.issue.id, id);
        timeline.append(item, { kind: "label", labelId: id, body: "1" });
      }
      outbox.append("issue.labels-changed", contextOf(item.seen, item.issue), {
        ...eventOf(item.issue),
        added: added.map(({ id }) => id),
        removed: removed.map(({ id }) => id),
        isCleared,
      });
    });
  }
}

const without = (labels: readonly Label[], others: readonly Label[]) => {
  const ids = new Set(others.map(({ id }) => id));
  return labels.filter(({ id }) => !ids.has(id));
};

/** The labels that are compatible with `added`. */
function besideScopesOf(added: readonly Label[], labels: readonly Label[]): Label[] {
  const scopes = new Set(added.map(scopeOf));
  return without(labels, added).filter((label) => {
    const scope = scopeOf(label);
    return scope === undefined || !scopes.has(scope);
  });
}

/** Sorted by name; of several in one scope, only the last. */
function oneOfEachScope(labels: readonly Label[]): Label[] {
  const sorted = [...new Map(labels.map((label) => [label.id, label])).values()].sort((a, b) =>
    a.name === b.name ? a.id - b.id : a.name < b.name ? -1 : 1,
  );
  const last = new Map(sorted.map((label) => [scopeOf(label) ?? label.id, label.id]));
  return sorted.filter((label) => last.get(scopeOf(label) ?? label.id) === label.id);
}
