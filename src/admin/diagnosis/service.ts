import { availableParallelism, release, totalmem } from "node:os";
import type { Principal } from "../../access/principal.ts";
import { requireSiteAdmin } from "../../access/requirements.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { BackgroundService } from "../background/service.ts";
import type { Monitor } from "../monitor/service.ts";
import type { OverviewService } from "../overview/service.ts";
import type { SelfCheck } from "../self-check/service.ts";

export interface DiagnosisNeeds {
  readonly background: BackgroundService;
  readonly monitor: Monitor;
  readonly overview: OverviewService;
  readonly selfCheck: SelfCheck;
  readonly clock: Clock;
}

/** Limits jobs in each state, and events: enough to see problems. */
const NEWEST = { page: 1, limit: 100, offset: 0 };
const MAX_ERROR = 2_000;

/**
 * The server's state as administrators see it, as files to send to whoever helps: without secrets, client addresses,
 * and the content of jobs and events.
 */
export class Diagnosis {
  constructor(private readonly needs: DiagnosisNeeds) {}

  /** @param host the one in the administrator's browser. @throws Forbidden not an administrator */
  async zip(principal: Principal, host: string): Promise<Uint8Array<ArrayBuffer>> {
    requireSiteAdmin(principal, "read");
    const { background, clock, monitor, overview, selfCheck } = this.needs;
    const now = clock();
    const { requests, ...process } = monitor.show(principal);
    const machine = {
      platform: globalThis.process.platform,
      release: release(),
      cores: availableParallelism(),
      memory: totalmem(),
    };
    const jobs = (["failed", "running", "waiting"] as const).flatMap((state) =>
      background.listJobs(principal, state, NEWEST).items.map(({ payload: _, lastError, ...job }) => ({
        ...job,
        lastError: lastError?.slice(0, MAX_ERROR) ?? null,
      })),
    );
    const events = background
      .listSetAside(principal, NEWEST)
      .items.map(({ consumer, error, event, failedAt, tries }) => ({
        consumer,
        kind: event.kind,
        id: event.id,
        tries,
        error: error.slice(0, MAX_ERROR),
        failedAt,
      }));
    const settings = overview
      .settings(principal)
      .map(({ name, value, isDefault }) => ({ name, value: value ?? "(secret)", isDefault }));
    const files = [
      file("overview", { takenAt: new Date(now).toISOString(), machine, ...overview.show(principal) }),
      file("settings", settings),
      file("self-check", selfCheck.run(principal, host)),
      file("process", process),
      file(
        "requests",
        requests.map(({ address: _, ...request }) => request),
      ),
      file("jobs", jobs),
      file("schedules", await background.listSchedules(principal)),
      file("events-set-aside", events),
    ];
    const { zipOfFiles } = await import("../../git/archive/zip.ts");
    return zipOfFiles(files, Math.floor(now / 1000));
  }
}

function file(name: string, content: unknown) {
  return { path: `hearth-diagnosis/${name}.json`, data: Buffer.from(`${JSON.stringify(content, null, 2)}\n`) };
}
