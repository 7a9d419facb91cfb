import type { Area } from "../area.ts";
import { mirrorErrorWords } from "./error-words.ts";
import { MirrorIntervals } from "./interval.ts";
import { PullMirrors } from "./pull/service.ts";
import { PushMirrors } from "./push/service.ts";

declare module "../services.ts" {
  interface Services {
    /** Repositories that follow others. */
    readonly pullMirrors: PullMirrors;
    /** Repositories elsewhere that follow ours. */
    readonly pushMirrors: PushMirrors;
  }
}

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Has mirrors brought up to date whose time has come. */
    "mirrors.due": Record<string, never>;
  }
}

/** Of one round: those that wait longest come first, and the others with the next one. */
const MAX_DUE = 1_000;
/** A try may take this much longer than one conversation with the other server: there may be a wiki, too. */
const CONVERSATIONS = 3;

/** Mirrors: repositories that follow one elsewhere, and repositories elsewhere that follow one here. */
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
