import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { AccessControl } from "./access/service.ts";
import type { RunMailWords } from "./actions/mails/types.ts";
import { rootUrl, sshPlace } from "./config/describe.ts";
import type { Config } from "./config/schema.ts";
import { Database } from "./db/database.ts";
import { hasDatabase, requireNothingBeside, requireOurs } from "./db/lost.ts";
import { migrate, SCHEMA_VERSION } from "./db/migrate.ts";
import { Outbox } from "./events/outbox.ts";
import { makeDirectory } from "./git/durable.ts";
import type { ErrorMessages } from "./http/error-words.ts";
import { hasDescriptors } from "./http/sockets.ts";
import { Subjects } from "./http/subject.ts";
import type { AccountMailWords } from "./identity/account-mails.ts";
import type { SecurityMailWords } from "./identity/security-mails.ts";
import { JobQueue } from "./jobs/queue.ts";
import { Retention } from "./jobs/retention.ts";
import { Schedules } from "./jobs/schedules.ts";
import { CacheBudget } from "./kernel/cache.ts";
import { type Clock, systemClock } from "./kernel/clock.ts";
import { ClockWatch } from "./kernel/clock-watch.ts";
import { type CrashPoint, crashPoints } from "./kernel/crash.ts";
import type { Links } from "./kernel/links.ts";
import { LiveRequests } from "./kernel/live-requests.ts";
import type { Log } from "./kernel/log.ts";
import { LiveHub } from "./live/hub.ts";
import type { MailContent } from "./mail/content.ts";
import { mailOptions } from "./mail/options.ts";
import { MailService } from "./mail/service.ts";
import type { ItemMailWords } from "./notifications/mails/types.ts";
import type { InvitationMailWords } from "./organizations/invitations/service.ts";
import { OutboundClient } from "./outbound/client.ts";
import type { ReleaseMailWords } from "./releases/mails.ts";
import { SecretBox } from "./secrets/box.ts";
import { readKeys } from "./secrets/key-file.ts";
import { WorkerPool } from "./workers/pool.ts";

/** The foundations for areas to build their services on. Edges never see them: they get the services. */
export interface Core {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly clockWatch: ClockWatch;
  readonly crash: CrashPoint;
  readonly links: Links;
  /** 32 random bytes in hexadecimal, generated with the data directory; for signing what leaves the server. */
  readonly secret: string;
  /** Seals values that areas store encrypted in the database. */
  readonly secrets: SecretBox;
  /** The API's messages for refusals of services. */
  readonly messages: ErrorMessages;
  readonly db: Database;
  readonly outbox: Outbox;
  readonly jobs: JobQueue;
  readonly schedules: Schedules;
  /** Deletes old data after a time. */
  readonly retention: Retention;
  readonly pool: WorkerPool;
  /** Requests in progress. */
  readonly requests: LiveRequests;
  readonly live: LiveHub;
  /** The only way to connect to other servers. */
  readonly outbound: OutboundClient;
  readonly mail: MailService;
  /** The content of mails; the words are the pages'. */
  readonly mailWords: {
    readonly account: AccountMailWords;
    readonly security: SecurityMailWords;
    readonly items: ItemMailWords;
    readonly invitation: InvitationMailWords;
    readonly release: ReleaseMailWords;
    readonly run: RunMailWords;
  };
  /** The memory limit for the caches of all areas together. */
  readonly caches: CacheBudget;
  readonly access: AccessControl;
  /** Resolves the subjects named in paths. */
  readonly subjects: Subjects;
}

/** More than a worker opens when it starts. */
const THREAD_DESCRIPTORS = 24;

/** Opens or creates the data directory and migrates the database. Starts nothing. */
export function openCore(config: Config, log: Log, messages: ErrorMessages, clock: Clock = systemClock): Core {
  makeDataFolder(config.data);
  const path = join(config.data, "hearth.db");
  requireNothingBeside(path, config.data);
  const keys = readKeys(join(config.data, "secret.key"), { mayMake: !hasDatabase(path) });
  const crash = crashPoints(process.env["HEARTH_CRASH_AT"]);
  const db = new Database(path, {
    crash,
    onError: (message, error) => log.error(message, { error }),
  });
  requireOurs(db);
  const before = migrate(db, crash);
  if (before > 0 && before < SCHEMA_VERSION)
    log.info("the database was migrated", { from: before, to: SCHEMA_VERSION });
  const root = rootUrl(config);
  const bulk = config["workers.bulk"] || Math.max(1, navigator.hardwareConcurrency);
  const caches = new CacheBudget(config["cache.mib"] * 2 ** 20);
  const outbox = new Outbox(db, log, clock, crash);
  const jobs = new JobQueue(db, log, clock, crash);
  const clockWatch = new ClockWatch(clock);
  clockWatch.onSet((byMs) => log.warn("the clock was set", { bySeconds: Math.round(byMs / 1000) }));
  const schedules = new Schedules(db, jobs, clock, log, clockWatch);
  const retention = new Retention(jobs, schedules, clock, log);
  retention.add({
    name: "events",
    days: config["retention.events_days"],
    prune: (before, limit) => outbox.prune(before, limit),
  });
  retention.add({
    name: "finished jobs",
    days: config["retention.finished_jobs_days"],
    prune: (before, limit) => jobs.prune(["done", "cancelled"], before, limit),
  });
  retention.add({
    name: "failed jobs",
    days: config["retention.failed_jobs_days"],
    prune: (before, limit) => jobs.prune(["failed"], before, limit),
  });
  const renderMail = async (content: MailContent) =>
    (await import("../web/mail/render.tsx")).renderMail(content, { name: config.name, rootUrl: root });
  return {
    config,
    log,
    clock,
    clockWatch,
    crash,
    links: { rootUrl: root, noReplyDomain: `noreply.${new URL(root).hostname}`, ssh: sshPlace(config) },
    secret: keys[0] ?? "",
    secrets: new SecretBox(keys),
    messages,
    db,
    outbox,
    jobs,
    schedules,
    retention,
    // A thread started without free file descriptors would crash the process.
    pool: new WorkerPool({
      workLimitMs: config["workers.job_minutes"] * 60_000,
      bulk,
      interactive: 3,
      idleMs: 5_000,
      caches,
      mayStartThread: () => hasDescriptors(THREAD_DESCRIPTORS),
    }),
    requests: new LiveRequests(),
    live: new LiveHub(),
    outbound: new OutboundClient({ allow: config["network.allow"] }),
    mail: new MailService(jobs, log, renderMail, mailOptions(config, root)),
    mailWords: {
      account: async (kind, about) => (await import("../web/identity/mails.ts")).accountMail(config.name, kind, about),
      security: async (about) => (await import("../web/identity/security-mails.ts")).securityMail(config.name, about),
      items: async (about) => (await import("../web/notifications/mails.ts")).itemMail(about),
      invitation: async (about) => (await import("../web/organizations/mails.ts")).invitationMail(config.name, about),
      release: async (about) => (await import("../web/releases/mails.ts")).releaseMail(about),
      run: async (about) => (await import("../web/runs/mails.ts")).runMail(about),
    },
    caches,
    access: new AccessControl(db, {
      requireSignIn: config.require_signin,
      forcePrivate: config["repository.force_private"],
    }),
    subjects: new Subjects(),
  };
}

/** Creates the data directory, accessible only to its owner, unless it exists. @returns whether it was created */
export function makeDataFolder(dir: string): boolean {
  if (existsSync(dir)) return false;
  makeDirectory(dir, 0o700);
  chmodSync(dir, 0o700);
  return true;
}
