import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AccessControl } from "./access/service.ts";
import { ActivityService } from "./activity/service.ts";
import { AdminService } from "./admin/service.ts";
import { rootUrl } from "./config/describe.ts";
import type { Config } from "./config/schema.ts";
import { type ContentServices, openContent } from "./content/services.ts";
import { Database } from "./db/database.ts";
import { migrate, SCHEMA_VERSION } from "./db/migrate.ts";
import { Outbox } from "./events/outbox.ts";
import { makeFolder, replaceFile } from "./git/objects/durable.ts";
import { Subjects } from "./http/subject.ts";
import { Authenticator } from "./identity/authenticate.ts";
import { Guesses } from "./identity/guesses.ts";
import { Passwords } from "./identity/passwords.ts";
import type { Links } from "./identity/resource.ts";
import { IdentityService } from "./identity/service.ts";
import { SessionService } from "./identity/sessions/service.ts";
import { ownAccountSubject } from "./identity/subject.ts";
import { GuessThrottle } from "./identity/throttle.ts";
import { TokenService } from "./identity/tokens/service.ts";
import { JobQueue } from "./jobs/queue.ts";
import { type Clock, systemClock } from "./kernel/clock.ts";
import { type CrashPoint, crashPoints } from "./kernel/crash.ts";
import { randomHex } from "./kernel/ids.ts";
import type { Log } from "./kernel/log.ts";
import { LiveHub } from "./live/hub.ts";
import { Markup } from "./markup/service.ts";
import { collaboratorGrants } from "./repos/collaborators/grants.ts";
import { CollaboratorService } from "./repos/collaborators/service.ts";
import { RepoCreator } from "./repos/creation/service.ts";
import { RepoInspector } from "./repos/inspection.ts";
import { PackMaintenance } from "./repos/maintenance/packing.ts";
import { MaintenanceService } from "./repos/maintenance/service.ts";
import { RefService } from "./repos/refs/service.ts";
import { RepoSearch } from "./repos/search/service.ts";
import { RepoService } from "./repos/service.ts";
import { RepoStorage } from "./repos/storage.ts";
import { repositorySubject } from "./repos/subject.ts";
import { GitAccess } from "./transport/access.ts";
import { PushService } from "./transport/pushes.ts";
import { WorkerPool } from "./workers/pool.ts";

/** Everything the edges (HTTP, pages, terminal) may call. Wired here and nowhere else. */
export interface Services extends ContentServices {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly links: Links;
  /** 32 random bytes in hexadecimal, made with the data folder; for signing what leaves the server. */
  readonly secret: string;
  readonly db: Database;
  readonly outbox: Outbox;
  readonly jobs: JobQueue;
  readonly pool: WorkerPool;
  readonly live: LiveHub;
  readonly markup: Markup;
  readonly crash: CrashPoint;
  readonly identity: IdentityService;
  readonly tokens: TokenService;
  readonly sessions: SessionService;
  readonly throttle: GuessThrottle;
  readonly authenticator: Authenticator;
  readonly access: AccessControl;
  /** How the things that paths name are found. */
  readonly subjects: Subjects;
  readonly storage: RepoStorage;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly inspector: RepoInspector;
  readonly repoSearch: RepoSearch;
  readonly creator: RepoCreator;
  readonly collaborators: CollaboratorService;
  readonly activity: ActivityService;
  readonly packing: PackMaintenance;
  readonly maintenance: MaintenanceService;
  readonly gitAccess: GitAccess;
  readonly pushes: PushService;
  readonly admin: AdminService;
  /** Closes files, threads and the database. */
  close(): void;
}

/** Opens (or makes) the data folder, migrates the database and wires the services. Starts nothing. */
export function openServices(config: Config, log: Log, clock: Clock = systemClock): Services {
  makeDataFolder(config.data);
  const secret = readSecret(join(config.data, "secret.key"));
  const crash = crashPoints(process.env["HEARTH_CRASH_AT"]);
  const db = new Database(join(config.data, "hearth.db"), {
    crash,
    onError: (message, error) => log.error(message, { error }),
  });
  const before = migrate(db, crash);
  if (before > 0 && before < SCHEMA_VERSION)
    log.info("the database was migrated", { from: before, to: SCHEMA_VERSION });
  const root = rootUrl(config);
  const links: Links = { rootUrl: root, noReplyDomain: `noreply.${new URL(root).hostname}` };
  const bulk = config["workers.bulk"] || Math.max(1, navigator.hardwareConcurrency);
  const pool = new WorkerPool({ bulk, interactive: 3, idleMs: 5_000 });
  const live = new LiveHub();
  const markup = new Markup(pool, { timeoutMs: config["markup.timeout_seconds"] * 1000 });
  const outbox = new Outbox(db, log, clock, crash);
  const jobs = new JobQueue(db, log, clock, crash);
  const storage = new RepoStorage(config.data, crash, (error) => db.stopWrites(error));
  const sessions = new SessionService(db, clock, { days: config["session.days"] });
  const access = new AccessControl(db, { requireSignIn: config.require_signin });
  access.addGrants(collaboratorGrants);
  const passwords = new Passwords(clock);
  const throttle = new GuessThrottle(clock);
  const identity = new IdentityService(
    db,
    access,
    outbox,
    clock,
    passwords,
    new Guesses(passwords, throttle),
    sessions,
    {
      minPasswordLength: config["password.min_length"],
      registration: config.registration,
    },
  );
  const tokens = new TokenService(db, clock);
  const authenticator = new Authenticator(identity, tokens, sessions);
  const refs = new RefService(db, outbox, storage, clock, log, crash);
  const repos = new RepoService(db, outbox, jobs, access, identity, refs, storage, clock, log, crash, {
    requireSignin: config.require_signin,
    defaultBranch: config["repository.default_branch"],
    forcePrivate: config["repository.force_private"],
    trashHours: config["repository.trash_hours"],
  });
  const subjects = new Subjects();
  subjects.add("repository", repositorySubject(repos));
  subjects.add("own-account", ownAccountSubject(identity));
  const repoSearch = new RepoSearch(db, repos, access);
  const creator = new RepoCreator(repos, links, clock);
  const inspector = new RepoInspector(db, refs, storage);
  const collaborators = new CollaboratorService(db, outbox, identity, clock);
  const content = openContent({ db, refs, repos, storage, pool, identity, links, clock });
  const activity = new ActivityService(db, access, identity, repos);
  const packing = new PackMaintenance(repos, refs, storage, pool, jobs, clock, log, crash, {
    pruneDays: config["repository.prune_days"],
  });
  const maintenance = new MaintenanceService(repos, refs, storage, pool, jobs, packing);
  const gitAccess = new GitAccess(identity, repos, {
    requireSignin: config.require_signin,
    pushCreate: config["git.push_create"],
  });
  const pushes = new PushService(authenticator, repos, refs, storage, pool, live, log, crash, {
    maxPackBytes: config["git.max_push_mib"] * 2 ** 20,
    maxObjectBytes: config["git.max_object_mib"] * 2 ** 20,
    maxObjects: config["git.max_objects"],
    concurrentPerRepo: config["git.concurrent_pushes"],
    newArePrivate: config["git.push_create_private"],
  });
  const admin = new AdminService(db, identity, repos);
  outbox.add(activity);
  outbox.add(maintenance);
  outbox.listen((event) => {
    if (event.repoId === undefined) return;
    const topic = `repo:${event.repoId}`;
    live.publish(topic, { event: event.kind, data: String(event.id) });
    // Who may listen has changed: everyone is asked again (security rule C2).
    if (event.kind === "repo.edited" || event.kind === "repo.deleted" || event.kind === "collaborator.removed")
      live.drop(topic);
  });
  const close = () => {
    outbox.stop();
    refs.settle();
    live.close();
    pool.close();
    storage.closeAll();
    sessions.shutDown();
    db.close();
  };
  return {
    config,
    log,
    clock,
    links,
    secret,
    db,
    outbox,
    jobs,
    pool,
    live,
    markup,
    crash,
    identity,
    tokens,
    sessions,
    throttle,
    authenticator,
    access,
    subjects,
    storage,
    refs,
    repos,
    inspector,
    repoSearch,
    creator,
    ...content,
    collaborators,
    activity,
    packing,
    maintenance,
    gitAccess,
    pushes,
    admin,
    close,
  };
}

/** Makes the data folder, for its owner only, unless it is there. @returns whether it was made */
export function makeDataFolder(dir: string): boolean {
  if (existsSync(dir)) return false;
  makeFolder(dir, 0o700);
  chmodSync(dir, 0o700);
  return true;
}

function readSecret(path: string): string {
  // Whole and durable, or not there: a key that a power cut emptied would sign with nothing.
  if (!existsSync(path)) replaceFile(path, new TextEncoder().encode(`${randomHex(32)}\n`), 0o600);
  return readFileSync(path, "utf8").trim();
}
