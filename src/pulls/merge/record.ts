import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { Oid } from "../../git/objects/types.ts";
import { contextOf, eventOf } from "../../issues/context.ts";
import type { ItemStates } from "../../issues/state.ts";
import * as store from "../store.ts";
import type { SeenPull } from "../types.ts";
import { deleteSchedule } from "./store.ts";

/** Called in the merge transaction: it closes the issues that the pull request refers to. */
export type MergeListener = (item: SeenPull, commit: Oid) => void;

/** Records that pull requests are merged. */
export class MergeRecord {
  private readonly listeners: MergeListener[] = [];

  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly itemStates: ItemStates,
  ) {}

  onMerge(listener: MergeListener): void {
    this.listeners.push(listener);
  }

  /** Closes it and cancels whatever was waiting for it. Joins the running transaction. */
  write(item: SeenPull, { isScheduled = false, ...merged }: store.Merged & { readonly isScheduled?: boolean }): void {
    const { issue, seen } = item;
    this.itemStates.set(item, true, { entry: "merge_pull", despiteDependencies: true });
    store.setMerged(this.db, issue.id, merged);
    deleteSchedule(this.db, issue.id);
    this.outbox.append("pull.merged", contextOf(seen, issue), {
      ...eventOf(issue),
      commit: merged.commit,
      ...(isScheduled ? { isScheduled } : {}),
    });
    for (const listener of this.listeners) listener(item, merged.commit);
  }
}
