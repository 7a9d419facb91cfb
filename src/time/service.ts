import { atLeast } from "../access/levels.ts";
import { accountOf, asAccount, isSiteAdmin, type Principal } from "../access/principal.ts";
import type { AccessControl } from "../access/service.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import type { IssueService } from "../issues/service.ts";
import type { Timeline } from "../issues/timeline/service.ts";
import type { SeenIssue } from "../issues/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { BadRequest, Conflict, Forbidden, NotFound } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { SeenOrganization } from "../organizations/types.ts";
import { trackerSettings } from "../repos/settings/defaults.ts";
import type { SeenRepo } from "../repos/types.ts";
import { durationText, estimateText } from "./duration.ts";
import * as store from "./store.ts";
import type { Stopwatch, TimeFilter, TrackedTime, WorktimePart, WorktimeRow } from "./types.ts";
import { checkEstimate, checkSeconds, MAX_SECONDS } from "./values.ts";

export interface TimeNeeds {
  readonly access: AccessControl;
  readonly clock: Clock;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly issues: IssueService;
  readonly timeline: Timeline;
  /** Whether time tracking is enabled on this site. */
  readonly isEnabled: boolean;
}

/** A running stopwatch with its item. */
export interface RunningStopwatch extends Stopwatch {
  readonly item: SeenIssue;
  readonly seconds: number;
}

/** A request for tracked times. */
export interface TimeRequest extends Pick<TimeFilter, "since" | "before"> {
  /** Account name; empty: all accounts whose times the caller may see. */
  readonly user: string;
}

/** Max rows per report. */
const MAX_WORKTIME_ROWS = 500;

const itemUnit = "(CASE issues.is_pull WHEN 1 THEN 'pulls' ELSE 'issues' END)";

/** Time tracking for issues and pull requests: stopwatches, booked times, estimates (contract issues.md 15). */
export class TimeService {
  constructor(private readonly needs: TimeNeeds) {}

  /** Whether time is tracked in the repository. */
  isOn({ repo }: SeenRepo): boolean {
    return this.needs.isEnabled && trackerSettings(repo.settings).enableTimeTracker;
  }

  /** Whether the principal may book time on the item. */
  mayTrack(item: SeenIssue): boolean {
    const { issue, level, seen } = item;
    const { user } = seen.principal;
    if (!user || !this.isOn(seen)) return false;
    if (!trackerSettings(seen.repo.settings).allowOnlyContributorsToTrackTime) return true;
    if (atLeast(level, "write") || issue.posterId === user.id) return true;
    return this.needs.issues.partsOf([item]).get(issue.id)?.assigneeIds.includes(user.id) ?? false;
  }

  /** Whether the principal may run a stopwatch on the item. */
  mayRunStopwatch(item: SeenIssue): boolean {
    return atLeast(item.level, "write") && this.mayTrack(item);
  }

  /**
   * Starts the principal's stopwatch; one running elsewhere is stopped first, and its time booked.
   * @throws Forbidden; Conflict it is already running here
   */
  start(item: SeenIssue): void {
    const { clock, db, timeline } = this.needs;
    const user = this.requireStopwatch(item);
    db.transaction(() => {
      const running = store.findStopwatch(db, user.id);
      if (running?.issueId === item.issue.id) throw new Conflict("stopwatch.running");
      if (running) this.finish(item.seen.principal, running);
      store.insertStopwatch(db, { userId: user.id, issueId: item.issue.id, startedAt: clock() });
      timeline.append(item, { kind: "start_tracking" });
    });
  }

  /** Stops the stopwatch and books its time. @throws Forbidden; Conflict none is running here */
  stop(item: SeenIssue): void {
    const user = this.requireStopwatch(item);
    this.needs.db.transaction(() => {
      const running = this.runningHere(item, user);
      if (!running) throw new Conflict("stopwatch.nothing-to-stop");
      this.book(item, running);
    });
  }

  /** Stops the stopwatch and discards its time. @throws Forbidden; Conflict none is running here */
  cancel(item: SeenIssue): void {
    const { db, timeline } = this.needs;
    const user = this.requireStopwatch(item);
    db.transaction(() => {
      if (!this.runningHere(item, user)) throw new Conflict("stopwatch.nothing-to-cancel");
      store.deleteStopwatch(db, user.id);
      timeline.append(item, { kind: "cancel_tracking" });
    });
  }

  /** The principal's running stopwatch, if they may still read its item. */
  running(principal: Principal): RunningStopwatch | undefined {
    const { clock, db, issues } = this.needs;
    const found = principal.user && store.findStopwatch(db, principal.user.id);
    const [item] = found ? issues.seeEach(principal, [found.issueId]) : [];
    return found && item && { ...found, item, seconds: secondsSince(found.startedAt, clock()) };
  }

  /** Stops the account's stopwatch on an item it closed. Joins the running transaction. */
  finishOn(issueId: number, userId: number): void {
    const { db, identity } = this.needs;
    const running = store.findStopwatch(db, userId);
    const user = running?.issueId === issueId ? identity.byId(userId) : undefined;
    if (running && user) this.finish(asAccount(user), running);
  }

  /** Discards the account's stopwatch if it can no longer see the item. Joins the running transaction. */
  forgetUnlessSeen(userId: number): void {
    const { db, identity, issues } = this.needs;
    const running = store.findStopwatch(db, userId);
    const user = running && identity.byId(userId);
    if (user && issues.seeEach(asAccount(user), [running.issueId]).length === 0) store.deleteStopwatch(db, userId);
  }

  /**
   * Books time on an item.
   * @param given `userName`: for whom, which only administrators of the repository may set; `at`: when it was spent,
   * now if absent
   * @throws BadRequest time is not tracked here; Forbidden; NotFound no such account; ValidationFailed
   */
  add(
    item: SeenIssue,
    given: { readonly seconds: number; readonly at?: number | undefined; readonly userName?: string | undefined },
  ): TrackedTime {
    const { clock, db } = this.needs;
    const doer = this.requireTracking(item);
    const seconds = checkSeconds(given.seconds);
    const mayName = atLeast(item.seen.access.level, "admin") || isSiteAdmin(item.seen.principal);
    const user = given.userName && mayName ? this.account(item.seen.principal, given.userName) : doer;
    return db.transaction(() => this.insert(item, user, seconds, given.at ?? clock(), "add_time_manual"));
  }

  /**
   * Books the time stated in a commit that closes the item. Joins the running transaction.
   * @param at commit time, in milliseconds
   */
  bookCommit(item: SeenIssue, seconds: number, at: number): void {
    const { user } = item.seen.principal;
    if (!user || !this.mayTrack(item)) return;
    this.insert(item, user, Math.min(seconds, MAX_SECONDS), at, "add_time_manual");
  }

  /** Deletes a booked time. @throws BadRequest; Forbidden not one's own; NotFound unknown, or on another item */
  delete(item: SeenIssue, id: number): void {
    const { clock, db, timeline } = this.needs;
    const doer = this.requireTracking(item);
    db.transaction(() => {
      const found = store.findTimes(db, [id]).get(id);
      if (found?.issueId !== item.issue.id) throw new NotFound();
      if (found.deletedAt !== undefined) throw new NotFound("time.already-deleted");
      if (found.userId !== doer.id && !isSiteAdmin(item.seen.principal)) throw new Forbidden("time.not-own");
      store.markDeleted(db, id, clock());
      timeline.append(item, { kind: "delete_time_manual", body: durationText(found.seconds) });
    });
  }

  /** Deletes everything the principal booked on the item. @throws BadRequest; Forbidden; NotFound there is nothing */
  deleteOwn(item: SeenIssue): void {
    const { clock, db, timeline } = this.needs;
    const doer = this.requireTracking(item);
    db.transaction(() => {
      const seconds = store.markAllDeleted(db, item.issue.id, doer.id, clock());
      if (seconds === 0) throw new NotFound("time.nothing-of-own");
      timeline.append(item, { kind: "delete_time_manual", body: durationText(seconds) });
    });
  }

  /** @throws NotFound time is not tracked here, or no such account; Forbidden someone else's times may not be seen */
  ofItem(item: SeenIssue, request: TimeRequest, paging: Pick<Paging, "limit" | "offset">): Slice<TrackedTime> {
    if (!this.isOn(item.seen)) throw new NotFound("time.list-disabled");
    return store.listTimes(this.needs.db, { issueId: item.issue.id }, this.filter(item.seen, request), paging);
  }

  /**
   * @throws NotFound no such account; BadRequest time is not tracked here; Forbidden someone else's times may not be
   * seen
   */
  ofRepo(seen: SeenRepo, request: TimeRequest, paging: Pick<Paging, "limit" | "offset">): Slice<TrackedTime> {
    const kinds = this.requireRepo(seen);
    const scope = { repoId: seen.repo.id, ...kinds };
    return store.listTimes(this.needs.db, scope, this.filter(seen, request), paging);
  }

  /**
   * Times an account booked in the repository.
   * @throws NotFound; BadRequest; Forbidden neither oneself nor an administrator
   */
  ofUserInRepo(seen: SeenRepo, userName: string, paging: Pick<Paging, "limit" | "offset">): Slice<TrackedTime> {
    const kinds = this.requireRepo(seen);
    const user = this.account(seen.principal, userName);
    if (user.id !== seen.principal.user?.id && !atLeast(seen.access.level, "admin") && !isSiteAdmin(seen.principal))
      throw new Forbidden("time.others-not-allowed");
    return store.listTimes(this.needs.db, { repoId: seen.repo.id, ...kinds }, { userId: user.id }, paging);
  }

  /** Times the principal booked on items they may still read. */
  ofPrincipal(
    principal: Principal,
    filter: Pick<TimeFilter, "since" | "before">,
    paging: Pick<Paging, "limit" | "offset">,
  ): Slice<TrackedTime> {
    const { access, db } = this.needs;
    const everywhere = { isVisible: access.repoConditionByUnit(itemUnit), params: access.params(principal) };
    return store.listTimes(db, { everywhere }, { ...filter, userId: accountOf(principal).id }, paging);
  }

  /** Time booked in an organization's repositories, largest sums first; only for its owners. @throws Forbidden */
  worktime(
    seen: SeenOrganization,
    part: WorktimePart,
    period: { readonly since: number; readonly before: number },
  ): WorktimeRow[] {
    if (seen.standing !== "owner") throw new Forbidden("organization.needs-owner");
    const { access, db } = this.needs;
    const viewer = { isVisible: access.repoConditionByUnit(itemUnit), params: access.params(seen.principal) };
    return store.worktimeOf(db, seen.organization.id, viewer, part, period, MAX_WORKTIME_ROWS);
  }

  /** Tracked times by id, including deleted ones, for timelines. */
  byIds(ids: readonly number[]): Map<number, TrackedTime> {
    return store.findTimes(this.needs.db, ids);
  }

  /** Seconds booked on the item by each account whose times the principal may see, largest first. */
  sums(item: SeenIssue): { readonly userId: number | undefined; readonly seconds: number }[] {
    const all = store.sumsOf(this.needs.db, item.issue.id);
    if (this.seesOthers(item.seen)) return all;
    const own = item.seen.principal.user?.id;
    return all.filter(({ userId }) => userId !== undefined && userId === own);
  }

  /**
   * Sets how long the item is expected to take.
   * @param text `1h 30m`; empty: none.
   * @throws Forbidden; ValidationFailed
   */
  estimate(item: SeenIssue, text: string): void {
    const { db, timeline } = this.needs;
    if (!this.mayEstimate(item)) throw new Forbidden("time.not-allowed");
    const seconds = checkEstimate(text);
    if (seconds === item.issue.timeEstimate) return;
    db.transaction(() => {
      store.setEstimate(db, item.issue.id, seconds);
      timeline.append(item, { kind: "change_time_estimate", body: estimateText(seconds) });
    });
  }

  /** Whether the principal may set the estimate. */
  mayEstimate(item: SeenIssue): boolean {
    return this.isOn(item.seen) && atLeast(item.level, "write");
  }

  /** Times the principal booked on the item, newest first. */
  ownNewest({ issue, seen }: SeenIssue, limit: number): TrackedTime[] {
    return store.newestTimes(this.needs.db, issue.id, accountOf(seen.principal).id, limit);
  }

  private runningHere({ issue }: SeenIssue, user: User): Stopwatch | undefined {
    const running = store.findStopwatch(this.needs.db, user.id);
    return running?.issueId === issue.id ? running : undefined;
  }

  /** Books the elapsed time; if the account may no longer change the item, discards it silently. */
  private finish(principal: Principal, running: Stopwatch): void {
    const { db, issues } = this.needs;
    const [item] = issues.seeEach(principal, [running.issueId]);
    if (item && !item.seen.repo.isArchived && this.mayTrack(item)) this.book(item, running);
    else store.deleteStopwatch(db, running.userId);
  }

  private book(item: SeenIssue, { userId, startedAt }: Stopwatch): void {
    const { clock, db, identity } = this.needs;
    const user = identity.byId(userId);
    if (!user) return;
    store.deleteStopwatch(db, userId);
    const now = clock();
    this.insert(item, user, Math.min(secondsSince(startedAt, now), MAX_SECONDS), now, "stop_tracking");
  }

  private insert(
    item: SeenIssue,
    user: User,
    seconds: number,
    createdAt: number,
    kind: "add_time_manual" | "stop_tracking",
  ): TrackedTime {
    const { db, timeline } = this.needs;
    const { id: issueId, repoId } = item.issue;
    const made = store.insertTime(db, { issueId, repoId, userId: user.id, seconds, createdAt });
    timeline.append(item, { kind, body: durationText(seconds), trackedTimeId: made.id });
    return made;
  }

  private requireStopwatch(item: SeenIssue): User {
    if (!this.mayRunStopwatch(item)) throw new Forbidden("time.not-allowed");
    return accountOf(item.seen.principal);
  }

  private requireTracking(item: SeenIssue): User {
    if (!this.isOn(item.seen)) throw new BadRequest("time.disabled");
    if (!this.mayTrack(item)) throw new Forbidden("time.not-allowed");
    return accountOf(item.seen.principal);
  }

  private requireRepo(seen: SeenRepo): { readonly issues: boolean; readonly pulls: boolean } {
    const kinds = this.needs.issues.requireReadable(seen);
    if (!this.isOn(seen)) throw new BadRequest("time.disabled");
    return kinds;
  }

  private seesOthers({ access, principal }: SeenRepo): boolean {
    return atLeast(access.on("issues"), "write") || isSiteAdmin(principal);
  }

  private filter(seen: SeenRepo, { user, since, before }: TimeRequest): TimeFilter {
    const own = accountOf(seen.principal).id;
    const named = user === "" ? undefined : this.account(seen.principal, user).id;
    if (this.seesOthers(seen)) return { userId: named, since, before };
    if (named !== undefined && named !== own) throw new Forbidden("time.others-not-allowed");
    return { userId: own, since, before };
  }

  private account(principal: Principal, name: string): User {
    const { access, identity } = this.needs;
    const found = identity.byLogin(name);
    if (!found || !access.sees(principal, found)) throw new NotFound("account.missing", { params: { name } });
    return found;
  }
}

/** A started stopwatch counts at least one second. */
function secondsSince(startedAt: number, now: number): number {
  return Math.max(1, Math.floor((now - startedAt) / 1000));
}
