import { accountOf, asAccount, isSiteAdmin, type Principal } from "../access/principal.ts";
import type { AccessControl } from "../access/service.ts";
import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Audience } from "../issues/audience/service.ts";
import type { IssueService } from "../issues/service.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Clock } from "../kernel/clock.ts";
import { Forbidden, NotFound } from "../kernel/errors.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { LiveHub } from "../live/hub.ts";
import type { RepoService } from "../repos/service.ts";
import type { ItemMails } from "./mails/service.ts";
import type { Occasion } from "./occasions.ts";
import * as store from "./store.ts";
import type { Notification, NotificationFilter, NotificationStatus, Receiver } from "./types.ts";

export interface NotificationParts {
  readonly access: AccessControl;
  readonly audience: Audience;
  readonly clock: Clock;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly issues: IssueService;
  readonly itemMails: ItemMails;
  readonly jobs: JobQueue;
  readonly live: LiveHub;
  readonly repos: RepoService;
}

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Notifies everyone concerned of an event. */
    "notifications.tell": Occasion;
  }
}

const TELL = "notifications.tell";
/** Receivers per transaction; other work runs in between. */
const SLICE = 25;

/** Notifications: a thread for each subject (contract issues.md 20). */
export class NotificationService {
  constructor(private readonly parts: NotificationParts) {
    parts.jobs.handle(TELL, {
      // Written by `tell` in this shape.
      parse: (payload) => payload as Occasion,
      run: (occasion) => this.deliver(occasion),
      concurrency: 2,
    });
    parts.live.declareTopic("notifications", ({ user }, id) => user !== undefined && String(user.id) === id);
  }

  /** Notifies those an occasion concerns, soon. Joins the running transaction. */
  tell(occasion: Occasion): void {
    this.parts.jobs.enqueue(TELL, occasion);
  }

  /** The caller's threads, last changed first. @param pinnedFirst lists pinned ones before all others */
  list(
    principal: Principal,
    filter: NotificationFilter,
    paging: Pick<Paging, "limit" | "offset">,
    pinnedFirst = false,
  ): Slice<Notification> {
    const user = accountOf(principal);
    return store.pageOfNotifications(this.parts.db, this.viewer(principal), user.id, filter, paging, pinnedFirst);
  }

  countUnread(principal: Principal): number {
    return store.countUnread(this.parts.db, this.viewer(principal), accountOf(principal).id);
  }

  /** @throws NotFound; Forbidden another's, and the caller is not an administrator */
  see(principal: Principal, id: number): Notification {
    const found = this.required(id);
    if (found.userId !== accountOf(principal).id && !isSiteAdmin(principal)) throw foreign(id);
    return found;
  }

  /** @throws NotFound; Forbidden another's */
  mark(principal: Principal, id: number, status: NotificationStatus): Notification {
    const { clock, db } = this.parts;
    const user = accountOf(principal);
    return db.transaction(() => {
      if (this.required(id).userId !== user.id) throw foreign(id);
      store.setStatus(db, id, status, clock());
      this.changed(principal);
      return this.required(id);
    });
  }

  /** Marks all of the caller's threads matching the filter. @returns those that changed */
  markAll(principal: Principal, filter: NotificationFilter, status: NotificationStatus): Notification[] {
    const { clock, db } = this.parts;
    const user = accountOf(principal);
    return db.transaction(() => {
      const changed = store.setStatusOfMany(db, user.id, filter, status, clock());
      if (changed.length > 0) this.changed(principal);
      return changed;
    });
  }

  /** Marks an item's thread as read when the reader opens it. */
  opened(principal: Principal, issueId: number): void {
    const { clock, db } = this.parts;
    const { user } = principal;
    if (user && store.markRead(db, user.id, issueId, clock())) this.changed(principal);
  }

  /** The receivers with the reason: each once, for the strongest reason. */
  private receivers(occasion: Occasion): Receiver[] {
    const { audience } = this.parts;
    const receivers = new Map<number, Receiver>();
    const { at, issueId, repoId, toAll, withWatchers } = occasion;
    const all = () =>
      issueId === null ? audience.ofRepo(repoId) : audience.of({ id: issueId, repoId }, { until: at, withWatchers });
    for (const { standing, userId } of toAll ? all() : []) receivers.set(userId, { userId, reason: standing });
    for (const { reason, userId } of occasion.to) receivers.set(userId, { userId, reason });
    return [...receivers.values()];
  }

  private async deliver(occasion: Occasion): Promise<void> {
    const receivers = this.receivers(occasion);
    for (let at = 0; at < receivers.length; at += SLICE) {
      if (at > 0) await nextTurn();
      this.deliverTo(receivers.slice(at, at + SLICE), occasion);
    }
  }

  private deliverTo(receivers: readonly Receiver[], occasion: Occasion): void {
    const { clock, db, identity, issues, itemMails, repos } = this.parts;
    const { doerId, issueId, repoId, subject, unit } = occasion;
    const users = identity.byIds(receivers.map(({ userId }) => userId));
    const told = db.transaction(() => {
      // Deleted meanwhile: nobody is notified.
      if (!repos.byId(repoId) || (issueId !== null && !issues.byId(issueId))) return [];
      return receivers.filter((receiver) => {
        const user = users.get(receiver.userId);
        if (user?.kind !== "individual" || !user.isActive || user.prohibitLogin) return false;
        if (!repos.mayRead(asAccount(user), repoId, unit ?? undefined)) return false;
        const isDoer = receiver.userId === doerId;
        itemMails.offer(occasion, receiver, isDoer);
        // Nobody gets an inbox entry about their own actions.
        if (isDoer) return false;
        if (subject !== null)
          store.notify(db, receiver, { kind: subject, repoId, issueId: issueId ?? undefined }, clock());
        return subject !== null;
      });
    });
    for (const { userId } of told) this.publish(userId);
  }

  private changed({ user }: Principal): void {
    if (user) this.parts.db.onCommit(() => this.publish(user.id));
  }

  /** Publishes the number of unread threads to open pages. */
  private publish(userId: number): void {
    const { identity, live } = this.parts;
    const topic = `notifications:${userId}`;
    const user = live.hasListeners(topic) ? identity.byId(userId) : undefined;
    if (!user) return;
    const data = JSON.stringify({ UserID: userId, Count: this.countUnread(asAccount(user)) });
    live.publish(topic, { event: "notification-count", data });
  }

  private required(id: number): Notification {
    const found = store.findNotification(this.parts.db, id);
    if (!found) throw new NotFound("notification.missing", { params: { id } });
    return found;
  }

  private viewer(principal: Principal): store.Viewer {
    const { access } = this.parts;
    return { isVisible: access.repoConditionByUnit("threads.unit"), params: access.params(principal) };
  }
}

const foreign = (id: number) => new Forbidden("notification.foreign", { params: { id } });
