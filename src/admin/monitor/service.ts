import type { Principal } from "../../access/principal.ts";
import { requireSiteAdmin } from "../../access/requirements.ts";
import type { CacheBudget } from "../../kernel/cache.ts";
import type { LiveRequest, LiveRequests } from "../../kernel/live-requests.ts";
import type { LaneActivity } from "../../workers/activity.ts";
import type { WorkerPool } from "../../workers/pool.ts";

/** The server's current activity. */
export interface Monitored {
  /** All in bytes. */
  readonly memory: number;
  readonly heap: number;
  /** Seconds of processor time since startup, across all threads. */
  readonly cpuSeconds: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Oldest first. */
  readonly requests: readonly LiveRequest[];
  readonly lanes: readonly LaneActivity[];
}

/** The result of a cache test. */
export interface CacheTest {
  /** The stored value was found again. */
  readonly holds: boolean;
  readonly usedBytes: number;
  readonly tookMs: number;
}

const TEST_BYTES = 64;

/** Current activity, for administrators. */
export class Monitor {
  constructor(
    private readonly requests: LiveRequests,
    private readonly pool: WorkerPool,
    private readonly caches: CacheBudget,
  ) {}

  /** Writes a value to the cache, reads and removes it. @throws Forbidden */
  testCache(principal: Principal): CacheTest {
    requireSiteAdmin(principal);
    const began = performance.now();
    const cache = this.caches.cache<string, string>(() => TEST_BYTES);
    cache.set("test", "value");
    const holds = cache.get("test") === "value";
    cache.clear();
    return { holds, usedBytes: this.caches.bytes, tookMs: performance.now() - began };
  }

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
