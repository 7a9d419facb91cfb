import type { Area } from "../area.ts";
import { mirrorErrorWords } from "./error-words.ts";
import { MirrorIntervals } from "./interval.ts";
import { PullMirrors } from "./pull/service.ts";
import { PushMirrors } from "./push/service.ts";

declare module "../services.ts" {
  interface Services {
    /** Repositories that mirror others. */
    readonly pullMirrors: PullMirrors;
    /** Mirrors of ours elsewhere. */
    readonly pushMirrors: PushMirrors;
  }
}

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Enqueues mirrors that are due. */
    "mirrors.due": Record<string, never>;
  }
}

/** Per round: those waiting longest come first, the others in the next round. */
const MAX_DUE = 1_000;
/** A sync may take this many times longer than a single conversation with the other server: there may be a wiki too. */
const CONVERSATIONS = 3;

/** Mirrors: repositories here that follow one elsewhere, and the reverse. */
export const mirrorsArea: Area = {
  name: "mirrors",
  errorWords: mirrorErrorWords,
  routes: async () => (await import("./api.ts")).mirrorRoutes,
  open: (core, { folders, lfsRemote, quotas, refs, remotes, repos }) => {
    const { clock, config, crash, db, jobs, log, outbox, schedules, secrets } = core;
    const intervals = new MirrorIntervals({
      minMinutes: config["mirrors.min_interval_minutes"],
      defaultMinutes: config["mirrors.default_interval_minutes"],
    });
    const isEnabled = config["mirrors.enabled"];
    const timeLimitMs = config["git.remote_timeout_minutes"] * 60_000 * CONVERSATIONS;
    const given = { clock, crash, db, folders, jobs, lfsRemote, log, refs, remotes, repos, secrets };
    const parts = { ...given, intervals, isEnabled, timeLimitMs };
    const pullMirrors = new PullMirrors({ ...parts, quotas });
    const pushMirrors = new PushMirrors({ ...parts, mayBeAdded: config["mirrors.new_push"] });
    outbox.add(pushMirrors);
    jobs.handle("mirrors.due", {
      parse: () => ({}),
      run: () =>
        db.transaction(() => {
          pullMirrors.requestDue(MAX_DUE);
          pushMirrors.requestDue(MAX_DUE);
        }),
    });
    schedules.add({ name: "update_mirrors", cron: "*/10 * * * *", kind: "mirrors.due", payload: {} });
    return { services: { pullMirrors, pushMirrors } };
  },
};
