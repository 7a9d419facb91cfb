import type { Principal } from "../../access/principal.ts";
import { requireSiteAdmin } from "../../access/requirements.ts";
import type { LiveRequest, LiveRequests } from "../../http/live-requests.ts";
import type { LaneActivity } from "../../workers/activity.ts";
import type { WorkerPool } from "../../workers/pool.ts";

/** What the server does at one moment. */
export interface Monitored {
  /** All in bytes. */
  readonly memory: number;
  readonly heap: number;
  /** Seconds of processor time since the start, of all threads. */
  readonly cpuSeconds: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The oldest first. */
  readonly requests: readonly LiveRequest[];
  readonly lanes: readonly LaneActivity[];
}

/** What goes on now, for administrators. */
export class Monitor {
  constructor(
    private readonly requests: LiveRequests,
    private readonly pool: WorkerPool,
  ) {}

  /** @throws Forbidden */
  show(principal: Principal): Monitored {
    requireSiteAdmin(principal, "read");
    const { heapUsed, rss } = process.memoryUsage();
    const { system, user } = process.cpuUsage();
    return {
      memory: rss,
      heap: heapUsed,
      cpuSeconds: (system + user) / 1e6,
      startedAt: performance.timeOrigin,
      requests: this.requests.list(),
      lanes: this.pool.activity(),
    };
  }
}
