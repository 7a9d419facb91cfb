import type { RevisionService } from "../content/revisions/service.ts";
import type { Database } from "../db/database.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { SeenRepo } from "../repos/types.ts";
import * as store from "./deliveries-store.ts";
import type { HookHappenings } from "./happenings.ts";
import type { WebhookService } from "./service.ts";
import type { Delivery, HookHome } from "./types.ts";

export interface DeliveryParts {
  readonly db: Database;
  readonly happenings: HookHappenings;
  readonly revisions: RevisionService;
  readonly webhooks: WebhookService;
  /** Builds the payload of a test. */
  readonly testPayload: (seen: SeenRepo, ref: string, commit: string) => Promise<object>;
}

/** Deliveries: listing, resending and testing (contract webhooks.md 1.7 and 4.7). */
export class HookDeliveries {
  constructor(private readonly parts: DeliveryParts) {}

  /** Newest first. @throws NotFound the hook does not exist */
  list(home: HookHome, hookId: number, paging: Pick<Paging, "limit" | "offset">): Slice<Delivery> {
    this.parts.webhooks.get(home, hookId);
    return store.listDeliveries(this.parts.db, hookId, paging);
  }

  /** Resends the same payload, with the hook's current settings. @throws NotFound */
  replay(home: HookHome, hookId: number, uuid: string): void {
    const { db, happenings, webhooks } = this.parts;
    db.transaction(() => {
      webhooks.get(home, hookId);
      const before = store.findDelivery(db, hookId, uuid);
      if (before?.payload === undefined) throw new NotFound();
      happenings.deliver(hookId, before.eventType, before.payload);
    });
  }

  /**
   * Sends a hook a fictitious push event, whatever it is subscribed to.
   * @param ref a branch, a tag or a commit; empty: the head of the default branch
   * @throws NotFound the hook, the ref, or the repository is empty
   */
  async test(home: HookHome, hookId: number, seen: SeenRepo, ref: string): Promise<void> {
    const { happenings, revisions, testPayload, webhooks } = this.parts;
    webhooks.get(home, hookId);
    if (seen.repo.isEmpty) throw new NotFound("webhook.repository-empty");
    const branch = seen.repo.defaultBranch;
    const found = await revisions.settled(() => revisions.named(seen, ref || branch));
    if (!found) throw new NotFound();
    const payload = await testPayload(seen, ref || `refs/heads/${branch}`, found.commit);
    happenings.deliver(webhooks.get(home, hookId).id, "push", payload);
  }
}
