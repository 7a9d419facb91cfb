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
 * Labels on items (contract issues.md 13.4, 13.5). Who may is decided by the caller, who has looked the labels up as
 * usable there.
 */
export class Labelling {
  constructor(private readonly needs: LabellingNeeds) {}

  /** By name. */
  of({ issue }: SeenIssue): Label[] {
    const ids = store.labelIdsOf(this.needs.db, issue.id);
    const labels = this.needs.labels.byIds(ids);
    return ids.flatMap((id) => labels.get(id) ?? []);
  }

  /** Of these ids and names those that items of the repository may have; by name the owner's and the repository's both. */
  usable({ seen }: SeenIssue, given: readonly (number | string)[]): Label[] {
    const { labels } = this.needs;
    const ids = given.filter((each) => typeof each === "number");
    const names = given.filter((each) => typeof each === "string");
    return [...labels.usable(seen, ids), ...labels.usableNamed(seen, names)];
  }

  /** Each takes the place of the others of its scope. It is told of although the item has them all (contract webhooks.md 7.2). */
  add(item: SeenIssue, labels: readonly Label[]): void {
    if (labels.length === 0) return;
    const present = this.of(item);
    const added = oneOfEachScope(labels);
    this.change(item, present, [...besideScopesOf(added, present), ...added], { isTold: labels.length > 0 });
  }

  /** These and no others; of those of one scope the last by name. */
  set(item: SeenIssue, labels: readonly Label[]): void {
    this.change(item, this.of(item), oneOfEachScope(labels));
  }

  /** What was ticked in a form, and no others: a label that is new takes the place of those of its scope that were there. */
  choose(item: SeenIssue, labels: readonly Label[]): void {
    const present = this.of(item);
    const added = oneOfEachScope(without(labels, present));
    this.change(item, present, oneOfEachScope([...besideScopesOf(added, labels), ...added]));
  }

  /** Takes off all of them. */
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

  /** @param isTold whatever changes: whoever adds labels is heard (contract webhooks.md 7.2) */
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

/** Those of the labels that can stay where `added` are. */
function besideScopesOf(added: readonly Label[], labels: readonly Label[]): Label[] {
  const scopes = new Set(added.map(scopeOf));
  return without(labels, added).filter((label) => {
    const scope = scopeOf(label);
    return scope === undefined || !scopes.has(scope);
  });
}

/** By name; of the labels of one scope the last. */
function oneOfEachScope(labels: readonly Label[]): Label[] {
  const sorted = [...new Map(labels.map((label) => [label.id, label])).values()].sort((a, b) =>
    a.name === b.name ? a.id - b.id : a.name < b.name ? -1 : 1,
  );
  const last = new Map(sorted.map((label) => [scopeOf(label) ?? label.id, label.id]));
  return sorted.filter((label) => last.get(scopeOf(label) ?? label.id) === label.id);
}
