import { isSiteAdmin, type Principal } from "../../access/principal.ts";
import type { AuditService } from "../../audit/service.ts";
import type { Outbox, SetAsideEvent } from "../../events/outbox.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { ScheduleInfo, Schedules } from "../../jobs/schedules.ts";
import type { JobInfo, JobState } from "../../jobs/types.ts";
import { Forbidden } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";

/** What goes on in the background, as administrators see it and put it right. All of it throws Forbidden for others. */
export class BackgroundService {
  constructor(
    private readonly outbox: Outbox,
    private readonly jobs: JobQueue,
    private readonly schedules: Schedules,
    private readonly audit: AuditService,
  ) {}

  /** Jobs, newest first. @param state only those in it */
  listJobs(principal: Principal, state: JobState | undefined, paging: Paging): Slice<JobInfo> {
    requireSiteAdmin(principal);
    return this.jobs.list({ state }, paging);
  }

  /**
   * Stops a job: a waiting one will not run, a running one is told to stop and is `cancelled` when it has ended.
   * @throws NotFound; Conflict it has ended already
   */
  cancelJob(principal: Principal, id: number): void {
    requireSiteAdmin(principal);
    this.jobs.cancel(id);
  }

  /** Runs a job again that failed or was cancelled. @throws NotFound; Conflict it did neither */
  retryJob(principal: Principal, id: number): void {
    requireSiteAdmin(principal);
    this.jobs.retry(id);
  }

  /** Forgets a job that failed or was cancelled. @throws NotFound; Conflict it did neither */
  discardJob(principal: Principal, id: number): void {
    requireSiteAdmin(principal);
    this.jobs.discard(id);
  }

  /** All schedules by name (contract identity.md section 15, `/admin/cron`). */
  async listSchedules(principal: Principal): Promise<ScheduleInfo[]> {
    requireSiteAdmin(principal);
    return this.schedules.list();
  }

  /** @throws NotFound */
  runSchedule(principal: Principal, name: string): void {
    requireSiteAdmin(principal);
    this.schedules.runNow(name);
    this.audit.append(principal, "schedule-run", { id: undefined, login: "" }, { name });
  }

  /** Events that a consumer could not take in all its tries, newest first. */
  listSetAside(principal: Principal, paging: Paging): Slice<SetAsideEvent> {
    requireSiteAdmin(principal);
    return this.outbox.setAside(paging);
  }

  /** Hands it to its consumer again. @throws NotFound; what the consumer throws */
  retrySetAside(principal: Principal, consumer: string, eventId: number): void {
    requireSiteAdmin(principal);
    this.outbox.retrySetAside(consumer, eventId);
  }

  /** Gives it up for good. @throws NotFound */
  discardSetAside(principal: Principal, consumer: string, eventId: number): void {
    requireSiteAdmin(principal);
    this.outbox.discardSetAside(consumer, eventId);
  }
}

function requireSiteAdmin(principal: Principal): void {
  if (!isSiteAdmin(principal)) throw new Forbidden("access.site-admin-required");
}
