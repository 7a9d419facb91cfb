import { operator, type Principal } from "../access/principal.ts";
import { BRANCHES } from "../git/refs/names.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { JobAborted, type JobRun } from "../jobs/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { Conflict, Failure, Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { checkRepoName } from "../kernel/names.ts";
import type { PullMirrors } from "../mirrors/pull/service.ts";
import { parseRemoteAddress, type RemoteAddress } from "../remotes/address.ts";
import { recordedFailure, recordFailure } from "../remotes/recorded-failure.ts";
import type { RemoteListing } from "../remotes/service.ts";
import type { RepoRegistration } from "../repos/creation/registration.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoRemoval } from "../repos/removal.ts";
import type { RepoService } from "../repos/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { Repo, RepoSettings, SeenRepo } from "../repos/types.ts";
import type { SecretBox } from "../secrets/box.ts";
import { ImportSecrets } from "./secrets.ts";
import { ImportSteps, type RunningImport, type StepNeeds } from "./steps.ts";
import * as store from "./store.ts";
import { type ImportPart, type ImportProgress, type ImportRequest, partsOfService, type RepoImport } from "./types.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Imports a repository. */
    "imports.run": { readonly repoId: number };
  }
}

export interface ImportNeeds extends StepNeeds {
  readonly clock: Clock;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly pullMirrors: PullMirrors;
  readonly refs: RefService;
  readonly repoRegistration: RepoRegistration;
  readonly repoRemoval: RepoRemoval;
  readonly repos: RepoService;
  readonly secrets: SecretBox;
  readonly storage: RepoStorage;
  /** The settings `imports.enabled`, and `mirrors.new_pull` with `mirrors.enabled`. */
  readonly isEnabled: boolean;
  readonly mayMirror: boolean;
  readonly defaultBranch: string;
  /** The time limit of an import. */
  readonly timeLimitMs: number;
}

/**
 * The initial settings of a mirror: it has neither pull requests nor builds of its own (contract repositories.md
 * 4.4).
 */
const MIRROR_SETTINGS: RepoSettings = { off: ["pulls", "actions"] };
/** Concurrent imports. */
const CONCURRENCY = 4;
/** Errors of another server that may be temporary (contract repositories.md 9.5). */
const PASSING: ReadonlySet<string> = new Set(["remote.unreachable", "remote.stalled", "remote.bad-status"]);
const MAX_ATTEMPTS = 3;
/** The longest rate-limit wait that is accepted, for each wait and in total. */
const MAX_REST_SECONDS = 2 * 3_600;
const MAX_RESTING_MS = 7 * 24 * 3_600_000;
const NEVER = new AbortController().signal;

/** Imports repositories from other servers, in a job that a restart continues. */
export class ImportService {
  private readonly sealed: ImportSecrets;
  private readonly steps: ImportSteps;
  private readonly running = new Map<number, RunningImport>();
  private readonly awaited = new Map<number, { resolve(): void; reject(error: unknown): void }>();

  constructor(private readonly needs: ImportNeeds) {
    const { db, jobs, secrets, timeLimitMs } = needs;
    this.sealed = new ImportSecrets(db, secrets);
    this.steps = new ImportSteps(needs, this.sealed);
    jobs.handle("imports.run", {
      // Written here in this shape.
      parse: (payload) => payload as { repoId: number },
      run: ({ repoId }, run) => this.run(repoId, run),
      concurrency: CONCURRENCY,
      timeLimitMs,
      maxTries: MAX_ATTEMPTS,
      backoff: { firstMs: 3_000, maxMs: 30_000 },
      exclusionKey: ({ repoId }) => `import:${repoId}`,
    });
  }

  /** Whether new pull mirrors are enabled. */
  get mayMirror(): boolean {
    return this.needs.mayMirror;
  }

  /** The progress of a repository's import; undefined if there is none, or it is complete. */
  of(repoId: number): ImportProgress | undefined {
    const entry = store.findImport(this.needs.db, repoId);
    const { counts, detail = "", step = "" } = this.running.get(repoId) ?? {};
    return entry && { import: entry, step, detail, counts: counts ?? entry.counts };
  }

  /**
   * Creates a repository that a job then imports. Checks first that the other server has it.
   * @throws Forbidden imports or mirrors are disabled; ValidationFailed the name, the address, the interval, or an
   * error of the other server; Conflict the name is taken
   */
  async begin(principal: Principal, request: ImportRequest): Promise<Repo> {
    const { db, folders, lfsRemote, pullMirrors, remotes, repos, storage } = this.needs;
    this.requireAllowed(request);
    this.checkNew(principal, request);
    const intervalMs = request.isMirror ? pullMirrors.intervalOf(request.interval) : 0;
    const address = addressOf(request);
    if (request.lfsEndpoint !== "") await remotes.check(lfsRemote.addressOf(request.lfsEndpoint));
    const listing = await remotes.list({ address, signal: NEVER });
    const id = folders.reserve();
    const defaultBranch = headOf(listing) ?? this.needs.defaultBranch;
    try {
      await storage.init(id, { defaultBranch, format: listing.format });
      db.transaction(() => {
        // Checked again: querying the other server may have taken long.
        this.checkNew(principal, request);
        this.register(principal, request, { id, address, defaultBranch, listing, intervalMs });
      });
    } catch (error) {
      storage.noteFailure(error);
      folders.discardIncomplete(id);
      throw error;
    }
    const made = repos.byId(id);
    if (!made) throw new NotFound();
    return made;
  }

  /** Resolves once the import is complete. @throws Failure it failed; nothing is left of it */
  finished({ id }: Repo): Promise<void> {
    if (!store.findImport(this.needs.db, id)) return Promise.resolve();
    return new Promise((resolve, reject) => this.awaited.set(id, { resolve, reject }));
  }

  /**
   * Retries a failed import. The caller has checked that the principal administers it. @throws Conflict it did not
   * fail
   */
  retry({ repo }: SeenRepo): void {
    const { db } = this.needs;
    db.transaction(() => {
      if (!store.findImport(db, repo.id)?.failure) throw new Conflict("import.not-failed");
      store.setFailure(db, repo.id, "");
      this.enqueue(repo.id);
    });
  }

  /**
   * Cancels a running import. The caller has checked that the principal administers it. @throws Conflict there is
   * none
   */
  cancel({ repo }: SeenRepo): void {
    const { db } = this.needs;
    const running = this.running.get(repo.id);
    if (!store.findImport(db, repo.id)) throw new Conflict("import.none");
    if (running) running.cancel.abort(new Failure(422, "import.cancelled"));
    else this.fail(repo.id, new Failure(422, "import.cancelled"));
  }

  /** Periodically: marks imports that have lost their job as failed. */
  sweep(): void {
    const { db, jobs } = this.needs;
    for (const repoId of store.importsUnderWay(db))
      if (!this.running.has(repoId) && ![keyOf(repoId), restKeyOf(repoId)].some((key) => jobs.isWaiting(key)))
        this.fail(repoId, new Failure(422, "import.interrupted"));
  }

  private register(
    principal: Principal,
    request: ImportRequest,
    made: {
      readonly id: number;
      readonly address: RemoteAddress;
      readonly defaultBranch: string;
      readonly listing: RemoteListing;
      readonly intervalMs: number;
    },
  ): void {
    const { clock, db, pullMirrors, refs, repoRegistration } = this.needs;
    const { description, isAwaited, isMirror, isPrivate, name, owner, service } = request;
    const { address, defaultBranch, id, intervalMs, listing } = made;
    repoRegistration.register(principal, {
      id,
      owner,
      name,
      description,
      isPrivate,
      isMirror,
      originalUrl: address.url,
      defaultBranch,
      objectFormat: listing.format,
      settings: isMirror ? MIRROR_SETTINGS : {},
    });
    refs.projectAfterCommit(id);
    const { username = "", password = "" } = address.credentials ?? {};
    const parts = partsOf(request);
    const lfsEndpoint = parts.includes("lfs") ? request.lfsEndpoint.trim() : "";
    if (isMirror) {
      const [hasWiki, hasLfs] = [parts.includes("wiki"), parts.includes("lfs")];
      pullMirrors.begin(id, { address, intervalMs, hasWiki, hasLfs, lfsEndpoint });
    }
    const doerId = principal.user?.id;
    store.insertImport(db, { repoId: id, service, address: address.url, username, parts, doerId, isAwaited }, clock());
    this.sealed.seal(id, { password, token: request.token, lfs_endpoint: lfsEndpoint });
    this.enqueue(id);
  }

  private async run(repoId: number, run: JobRun): Promise<void> {
    const { repos } = this.needs;
    const entry = store.findImport(this.needs.db, repoId);
    const seen = repos.seeById(operator, repoId);
    if (!entry || !seen || entry.failure !== "") return;
    if (entry.waitsUntil !== undefined) store.setWaitsUntil(this.needs.db, repoId, undefined);
    const running: RunningImport = { cancel: new AbortController(), step: "", detail: "", counts: entry.counts };
    this.running.set(repoId, running);
    try {
      await this.steps.bring(entry, seen, running, AbortSignal.any([run.signal, running.cancel.signal]));
      this.end(repoId);
    } catch (error) {
      const isStopping = run.signal.reason instanceof JobAborted && run.signal.reason.reason === "stopping";
      const isPassing = error instanceof Failure && PASSING.has(error.code) && run.attempt < MAX_ATTEMPTS;
      const isCancelled = running.cancel.signal.aborted;
      // The job is retried.
      if (isStopping || (isPassing && !isCancelled)) throw error;
      if (!isCancelled && this.rests(entry, running, error)) return;
      if (!(error instanceof Failure)) this.needs.log.error("an import failed", { repo: repoId, error });
      this.fail(repoId, isCancelled ? running.cancel.signal.reason : error);
    } finally {
      this.running.delete(repoId);
    }
  }

  /** Waits out a server's rate limit; the import continues afterwards. @returns false: the wait is too long */
  private rests({ createdAt, isAwaited, repoId }: RepoImport, { counts }: RunningImport, error: unknown): boolean {
    const { clock, db } = this.needs;
    const seconds =
      error instanceof Failure && error.code === "import.rate-limited" ? error.params["seconds"] : undefined;
    const isTooLong = typeof seconds !== "number" || seconds > MAX_REST_SECONDS;
    if (isAwaited || isTooLong || clock() - createdAt > MAX_RESTING_MS) return false;
    db.transaction(() => {
      store.setCounts(db, repoId, counts);
      store.setWaitsUntil(db, repoId, clock() + seconds * 1_000);
      this.enqueue(repoId, { uniqueKey: restKeyOf(repoId), delayMs: seconds * 1_000 });
    });
    return true;
  }

  /** The import is complete. */
  private end(repoId: number): void {
    store.deleteImport(this.needs.db, repoId);
    this.awaited.get(repoId)?.resolve();
    this.awaited.delete(repoId);
  }

  private fail(repoId: number, error: unknown): void {
    const { db, repoRemoval, repos } = this.needs;
    const failure = recordFailure(error);
    db.transaction(() => {
      const repo = repos.byId(repoId);
      if (store.findImport(db, repoId)?.isAwaited && repo) repoRemoval.removeForGood(operator, repo);
      else store.setFailure(db, repoId, failure);
    });
    this.awaited.get(repoId)?.reject(recordedFailure(failure));
    this.awaited.delete(repoId);
  }

  private enqueue(repoId: number, options: Parameters<JobQueue["enqueue"]>[2] = { uniqueKey: keyOf(repoId) }): void {
    this.needs.jobs.enqueue("imports.run", { repoId }, options);
  }

  private requireAllowed({ isMirror }: ImportRequest): void {
    const { isEnabled, mayMirror } = this.needs;
    if (!isEnabled) throw new Forbidden("import.disabled");
    if (isMirror && !mayMirror) throw new Forbidden("import.mirrors-disabled");
  }

  /** @throws Failure in the codes of imports */
  private checkNew(principal: Principal, request: ImportRequest): void {
    try {
      checkRepoName(request.name, "RepoName");
      this.needs.repoRegistration.checkNew(principal, { ...request, moreBytes: 1 });
    } catch (error) {
      const code = error instanceof Failure ? REWORDED[error.code] : undefined;
      if (!(error instanceof Failure) || code === undefined) throw error;
      throw new ValidationFailed(code, { field: "name", params: error.params });
    }
  }
}

/** Maps failures of creating a repository to those of imports (contract repositories.md 9.5). */
const REWORDED: Readonly<Record<string, string>> = {
  "name.malformed": "import.malformed-name",
  "name.reserved": "import.reserved-name",
  "name.reserved-ending": "import.reserved-ending",
  "repository.limit-reached": "import.limit-reached",
};

const keyOf = (repoId: number) => `import:${repoId}`;
/** A separate key: a manual retry does not wait for the rest of the pause. */
const restKeyOf = (repoId: number) => `import:${repoId}:rest`;

/** The requested parts that are available: a mirror has only what git transfers. */
function partsOf({ isMirror, parts, service }: ImportRequest): ImportPart[] {
  const present = partsOfService(isMirror ? "git" : service);
  return parts.filter((part) => present.includes(part));
}

/**
 * Where git fetches from, and with which credentials: a token is the password of `oauth2` (contract repositories.md
 * 9.1).
 */
function addressOf({ address: text, password, token, username }: ImportRequest): RemoteAddress {
  const address = parseRemoteAddress(text, "clone_addr");
  // Git uses the first of several tokens.
  const [first = ""] = token.split(",");
  if (first.trim() !== "") return { ...address, credentials: { username: "oauth2", password: first.trim() } };
  return username === "" && password === "" ? address : { ...address, credentials: { username, password } };
}

/** The branch that HEAD names there, if it exists. */
function headOf({ head, refs }: RemoteListing): string | undefined {
  return head?.startsWith(BRANCHES) && refs.some(({ name }) => name === head) ? head.slice(BRANCHES.length) : undefined;
}
