import { accountOf } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Forbidden } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { Parent } from "../attachments/service.ts";
import type { Comments } from "../comments/service.ts";
import { contextOf, eventOf } from "../context.ts";
import { mayWrite } from "../rights.ts";
import * as store from "./store.ts";
import type { ReactionCount } from "./types.ts";

export interface ReactionNeeds {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly comments: Comments;
  /** Short names of emoji. */
  readonly offered: readonly string[];
}

const targetOf = ({ item, entry }: Parent): store.Target => ({ issueId: item.issue.id, entryId: entry?.id });

/** Emoji reactions to items and comments (contract issues.md 10). */
export class Reactions {
  constructor(private readonly needs: ReactionNeeds) {}

  get offered(): readonly string[] {
    return this.needs.offered;
  }

  /** Oldest first. */
  list(parent: Parent, paging: Pick<Paging, "limit" | "offset">): Slice<store.Reaction> {
    return store.reactionsOn(this.needs.db, targetOf(parent), this.offered, paging);
  }

  /** Counts for an item and some of its comments. */
  counts({ item }: Parent, entryIds: readonly number[]): ReactionCount[] {
    const viewer = item.seen.principal.user?.id ?? 0;
    return store.countReactions(this.needs.db, item.issue.id, entryIds, viewer, this.offered);
  }

  /** @throws Forbidden not offered, blocked, or the item is locked */
  add(parent: Parent, content: string): { readonly reaction: store.Reaction; readonly isNew: boolean } {
    const { clock, comments, db } = this.needs;
    const { item, entry } = parent;
    this.requireMayReact(parent);
    if (!this.offered.includes(content))
      throw new Forbidden("reaction.not-allowed", { field: "content", params: { content } });
    comments.requireUnblocked(item, entry?.userId);
    const user = accountOf(item.seen.principal);
    return db.transaction(() => {
      const made = store.insertReaction(db, targetOf(parent), user.id, content, clock());
      if (made) this.tell(parent);
      const reaction = made ?? store.findReaction(db, targetOf(parent), user.id, content);
      if (!reaction) throw new Error("a reaction that is there already has a row");
      return { reaction, isNew: made !== undefined };
    });
  }

  /** Does nothing if the reaction was not given. @throws Forbidden the item is locked */
  remove(parent: Parent, content: string): void {
    const { db } = this.needs;
    this.requireMayReact(parent);
    const user = accountOf(parent.item.seen.principal);
    db.transaction(() => {
      if (store.deleteReaction(db, targetOf(parent), user.id, content)) this.tell(parent);
    });
  }

  private requireMayReact({ item }: Parent): void {
    if (item.issue.isLocked && !mayWrite(item)) throw new Forbidden("reaction.item-locked");
  }

  private tell({ item, entry }: Parent): void {
    const payload = { ...eventOf(item.issue), entryId: entry?.id ?? null };
    this.needs.outbox.append("reaction.changed", contextOf(item.seen, item.issue), payload);
  }
}
