import type { OpenedArea } from "./area.ts";
import { areas } from "./areas.ts";
import type { Config } from "./config/schema.ts";
import { type Core, openCore } from "./core.ts";
import type { ErrorMessages } from "./http/error-words.ts";
import type { CacheBudget } from "./kernel/cache.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Links } from "./kernel/links.ts";
import type { Log } from "./kernel/log.ts";
import type { LiveHub } from "./live/hub.ts";
import type { MailService } from "./mail/service.ts";
import { errorMessages } from "./messages.ts";
import type { WorkerPool } from "./workers/pool.ts";

/**
 * Everything the edges (HTTP, pages, command line) may call. Each area declares its services here: `declare module
 * "../services.ts" { interface Services { readonly stars: StarService } }`.
 */
export interface Services {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly links: Links;
  /** The API's messages for refusals of services. */
  readonly messages: ErrorMessages;
  /** Workers, for streams that an edge passes directly to its client. */
  readonly pool: WorkerPool;
  readonly live: LiveHub;
  readonly mail: MailService;
  /** The memory limit for the caches of pages. */
  readonly caches: CacheBudget;
}

/** The whole server, wired but not started. */
export interface House {
  readonly core: Core;
  readonly services: Services;
  readonly opened: readonly OpenedArea[];
  /** Closes files, threads and the database. */
  close(): void;
}

/** Opens or creates the data directory, migrates the database and opens every area. Starts nothing. */
export function openHouse(config: Config, log: Log, clock?: Clock): House {
  const core = openCore(config, log, errorMessages(), clock);
  // Filled area by area: each sees the services of those before it.
  const { links, messages, pool, live, mail, caches } = core;
  const services = { config, log, clock: core.clock, links, messages, pool, live, mail, caches } as Services;
  const opened: OpenedArea[] = [];
  for (const area of areas) {
    const open = area.open?.(core, services);
    if (!open) continue;
    Object.assign(services, open.services);
    opened.push(open);
  }
  shareLive(core);
  const close = () => {
    core.outbox.stop();
    core.schedules.stop();
    core.live.close();
    core.pool.close();
    for (const area of opened.toReversed()) area.close?.();
    core.db.close();
  };
  return { core, services, opened, close };
}

/** Live pages get every event of their repository, and are disconnected when their reader loses access. */
function shareLive({ live, outbox }: Core): void {
  outbox.listen((event) => {
    if (event.kind === "access.changed") void live.accessChanged(event.payload);
    else if (event.repoId !== undefined)
      live.publish(`repo:${event.repoId}`, { event: event.kind, data: String(event.id), unit: event.unit });
  });
}
