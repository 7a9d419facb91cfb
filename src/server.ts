import { parseListen } from "./config/listen.ts";
import { App } from "./http/app.ts";
import { BodyMemory } from "./http/body-memory.ts";
import { watchConnections } from "./http/connections.ts";
import { TrustedProxies } from "./http/forwarded.ts";
import { Guard } from "./http/guard.ts";
import { RouteTable } from "./http/route-table.ts";
import { whenQuiet } from "./kernel/quiet.ts";
import { builtRouteIndex, RouteGroups } from "./routes.ts";
import type { House } from "./services.ts";

export interface RunningServer {
  /** The address it listens on, ending in `/`. */
  readonly address: string;
  /** Resolves when jobs, schedules and the areas' own work have started. */
  readonly background: Promise<void>;
  /** Refuses new connections, lets running pushes finish within the configured time, and closes everything. */
  stop(): Promise<void>;
}

/** The app with these services, without listening. */
export async function makeApp({ core, services }: House): Promise<App> {
  const { config, links, log } = services;
  const guard = new Guard(services.authenticator, services.identity, core.subjects, {
    rootUrl: links.rootUrl,
    requireSignin: config.require_signin,
    sessionDays: config["session.days"],
    confirmAddresses: config["mail.confirm_addresses"],
    proxySignIn: {
      believed: config["proxy.sign_in"],
      user: config["proxy.sign_in_header"],
      email: config["proxy.sign_in_email_header"],
      fullName: config["proxy.sign_in_name_header"],
    },
    bodyLimitBytes: config["http.max_body_mib"] * 2 ** 20,
    pageSizes: { standard: config["api.page_size"], largest: config["api.largest_page"] },
    changes: () => core.db.changes,
  });
  const groups = new RouteGroups(services);
  const table = RouteTable.indexed(builtRouteIndex ?? (await groups.index()), (group) => groups.load(group));
  return new App(table, guard, log, {
    rootUrl: links.rootUrl,
    trustedProxies: config["proxy.trusted"],
    messages: core.messages,
    requests: core.requests,
    asClient: (address, work) => core.pool.asClient(address, work),
    bodies: new BodyMemory({
      maxBytes: Math.max(config["http.body_memory_mib"], config["http.max_body_mib"]) * 2 ** 20,
      seconds: config["http.body_seconds"],
      parseLarge: (text) => {
        const job = core.pool.start("http.json", {}, { lane: "interactive" });
        // Transferred, not copied.
        job.send(text).catch(() => {});
        job.end();
        return job.result;
      },
    }),
    reading: (work, mayAskAgain) => services.storage.reading(work, mayAskAgain),
    changes: () => core.db.changes,
    written: () => services.refs.projected(),
    renderErrorPage: async (failed) => (await groups.pages()).error(failed),
  });
}

/** The first request is answered before background work starts. */
const BACKGROUND_AFTER_MS = 100;

function startBackground({ core: { jobs, log, outbox, schedules }, opened }: House): void {
  try {
    for (const area of opened) area.start?.();
  } catch (error) {
    log.warn("a part of the background work did not start", { error });
  }
  jobs.start();
  schedules.start();
  outbox.wake();
}

/** Repairs what a crash left, then listens and starts the background work. */
export async function startServer(house: House): Promise<RunningServer> {
  const { clockWatch, config, db, jobs, live, log, outbox, pool, schedules } = house.core;
  for (const area of house.opened) area.recover?.();
  const app = await makeApp(house);
  app.requireDeclared();
  const listen = parseListen(config.listen) ?? { hostname: "127.0.0.1", port: 3000 };
  const server = app.listen(listen);
  const proxies = new TrustedProxies(config["proxy.trusted"]);
  const stopWatching = watchConnections(
    server.port ?? listen.port,
    {
      max: config["http.max_connections"],
      maxPerAddress: config["http.connections_per_address"],
      isExempt: (address) => proxies.has(address),
    },
    log,
  );
  const background = Promise.withResolvers<void>();
  const waitsForBackground = setTimeout(() => {
    startBackground(house);
    background.resolve();
  }, BACKGROUND_AFTER_MS);
  const poll = setInterval(() => {
    clockWatch.look();
    // The command line writes events and jobs too, from its own process.
    outbox.wake();
    jobs.requeueInterrupted();
    try {
      for (const area of house.opened) area.sweep?.();
    } catch (error) {
      log.warn("what is over could not be taken away", { error });
    }
  }, 30_000);
  const stopGivingBack = whenQuiet(() => {
    db.giveBackMemory();
    // Also frees the code compiled for recent work.
    Bun.shrink();
  });
  return {
    address: server.url.href,
    background: background.promise,
    stop: async () => {
      clearTimeout(waitsForBackground);
      clearInterval(poll);
      stopGivingBack();
      stopWatching();
      live.close();
      const graceMs = config["shutdown.grace_seconds"] * 1000;
      const drained = server.stop(false);
      const deadline = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref());
      const letGo = house.opened.map((area) => area.letGo?.(deadline));
      await Promise.all([Promise.race([drained, deadline]), ...letGo]);
      await server.stop(true);
      schedules.stop();
      await jobs.stop(Math.min(graceMs, 5_000));
      await pool.stop();
      outbox.finish();
      for (const area of house.opened) await area.drain?.();
      house.close();
      log.info("stopped");
    },
  };
}
