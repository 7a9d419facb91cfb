import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import { BadRequest, Forbidden, ValidationFailed } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import * as store from "./store.ts";

export interface Block {
  readonly id: number;
  readonly user: User;
  readonly note: string;
  readonly createdAt: number;
}

const MAX_NOTE = 255;

/**
 * Blocks by accounts and organizations (contract identity.md 11.2). Callers check who may act for the blocker: the
 * account itself, or an organization's owners.
 */
export class BlockService {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly identity: IdentityService,
    private readonly clock: Clock,
  ) {}

  list(blocker: User, paging: Paging): Slice<Block> {
    const { items, total } = store.blocksOf(this.db, blocker.id, paging);
    const users = this.identity.byIds(items.map(({ blockedId }) => blockedId));
    const blocks = items.flatMap(({ blockedId, ...block }) => {
      const user = users.get(blockedId);
      return user ? [{ ...block, user }] : [];
    });
    return { items: blocks, total };
  }

  isBlocked(blocker: User, user: User): boolean {
    return store.isBlocked(this.db, blocker.id, user.id);
  }

  /** Site administrators are never treated as blocked. @throws Forbidden */
  requireUnblocked(blocker: User, user: User): void {
    if (!user.isAdmin && blocker.id !== user.id && this.isBlocked(blocker, user)) throw new Forbidden("block.blocked");
  }

  /**
   * Other areas react to the event by removing what the blocked account has in the blocker's things.
   * @throws BadRequest oneself, an organization, blocked already; ValidationFailed too long a note
   */
  block(principal: Principal, blocker: User, user: User, note: string): void {
    if (user.kind === "organization") throw new BadRequest("block.is-organization");
    if (user.id === blocker.id || user.kind === "reserved") throw new BadRequest("block.not-allowed");
    checkNote(note);
    this.db.transaction(() => {
      if (!store.insertBlock(this.db, blocker.id, user.id, note, this.clock()))
        throw new BadRequest("block.not-allowed");
      const context = { ownerId: blocker.id, principal: storedPrincipal(principal) };
      this.outbox.append("account.blocked", context, { userId: user.id });
    });
  }

  /** @throws BadRequest the account is not blocked; ValidationFailed too long a note */
  setNote(blocker: User, user: User, note: string): void {
    checkNote(note);
    if (!store.updateNote(this.db, blocker.id, user.id, note)) throw new BadRequest("block.not-blocked");
  }

  /** @throws BadRequest the account is not blocked */
  unblock(principal: Principal, blocker: User, user: User): void {
    this.db.transaction(() => {
      if (!store.deleteBlock(this.db, blocker.id, user.id)) throw new BadRequest("block.not-blocked");
      const context = { ownerId: blocker.id, principal: storedPrincipal(principal) };
      this.outbox.append("account.unblocked", context, { userId: user.id });
    });
  }
}

function checkNote(note: string): void {
  if ([...note].length > MAX_NOTE)
    throw new ValidationFailed("value.too-long", { field: "note", params: { name: "Note", max: MAX_NOTE } });
}
