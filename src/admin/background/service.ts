import { isSiteAdmin, type Principal } from "../../access/principal.ts";
import type { AuditService } from "../../audit/service.ts";
import type { Outbox, SetAsideEvent } from "../../events/outbox.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { ScheduleInfo, Schedules } from "../../jobs/schedules.ts";
import type { JobInfo, JobState } from "../../jobs/types.ts";
import { Forbidden } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";

/** Background work, for administrators to monitor and repair. All methods throw Forbidden for others. */
export class BackgroundService {
  constructor(
    private readonly outbox: Outbox,
    private readonly jobs: JobQueue,
    private readonly schedules: Schedules,
    private readonly audit: AuditService,
  ) {}

  /** Jobs, newest first. @param state only those in that state */
  listJobs(principal: Principal, state: JobState | undefined, paging: Paging): Slice<JobInfo> {
    requireSiteAdmin(principal);
    return this.jobs.list({ state }, paging);
  }

  /**
   * Cancels a job: a waiting one will not run, a running one is aborted and becomes `cancelled` when it has ended.
   * @throws NotFound; Conflict it has already ended
   */
  cancelJob(principal: Principal, id: number): void {
    requireSiteAdmin(principal);
    this.jobs.cancel(id);
  }

  /** Reruns a failed or cancelled job. @throws NotFound; Conflict it is neither */
  retryJob(principal: Principal, id: number): void {
    requireSiteAdmin(principal);
    this.jobs.retry(id);
  }

  /** Deletes a failed or cancelled job. @throws NotFound; Conflict it is neither */
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

  /** Events that a consumer failed to process in all attempts, newest first. */
  listSetAside(principal: Principal, paging: Paging): Slice<SetAsideEvent> {
    requireSiteAdmin(principal);
    return this.outbox.setAside(paging);
  }

  /** Passes it to its consumer again. @throws NotFound; what the consumer throws */
  retrySetAside(principal: Principal, consumer: string, eventId: number): void {
    requireSiteAdmin(principal);
    this.outbox.retrySetAside(consumer, eventId);
  }

  /** Discards it permanently. @throws NotFound */
  discardSetAside(principal: Principal, consumer: string, eventId: number): void {
    requireSiteAdmin(principal);
    this.outbox.discardSetAside(consumer, eventId);
  }
}

function requireSiteAdmin(principal: Principal): void {
  if (!isSiteAdmin(principal)) throw new Forbidden("access.site-admin-required");
}
