import { asAccount, operator, type Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import { BRANCHES } from "../content/values.ts";
import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { JobAborted, type JobRun } from "../jobs/types.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { Conflict, Failure, Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { checkRepoName } from "../kernel/names.ts";
import type { PullMirrors } from "../mirrors/pull/service.ts";
import { parseRemoteAddress, type RemoteAddress, type RemoteCredentials } from "../remotes/address.ts";
import { bringRepository } from "../remotes/bring.ts";
import { recordedFailure, recordFailure } from "../remotes/recorded-failure.ts";
import type { RemoteListing, RemoteService } from "../remotes/service.ts";
import type { RepoRegistration } from "../repos/creation/registration.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoRemoval } from "../repos/removal.ts";
import type { RepoService } from "../repos/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { Repo, RepoSettings, SeenRepo } from "../repos/types.ts";
import type { SecretBox } from "../secrets/box.ts";
import { Secret } from "../secrets/secret.ts";
import type { ForgeAddress, ForgeClient } from "./forge/client.ts";
import type { ItemBringer } from "./items.ts";
import * as store from "./store.ts";
import type { ImportPart, ImportProgress, ImportRequest, ImportStep, RepoImport } from "./types.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Brings a repository in. */
    "imports.run": { readonly repoId: number };
  }
}

export interface ImportNeeds {
  readonly clock: Clock;
  readonly crash: CrashPoint;
  readonly db: Database;
  readonly folders: GitFolders;
  readonly identity: IdentityService;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly pullMirrors: PullMirrors;
  readonly refs: RefService;
  readonly remotes: RemoteService;
  readonly repoRegistration: RepoRegistration;
  readonly repoRemoval: RepoRemoval;
  readonly repos: RepoService;
  readonly secrets: SecretBox;
  readonly storage: RepoStorage;
  /** Loaded for the first import that has items. */
  readonly items: () => Promise<ItemBringer>;
  readonly forge: (address: ForgeAddress, signal: AbortSignal) => Promise<ForgeClient>;
  /** The settings `imports.enabled`, and `mirrors.new_pull` with `mirrors.enabled`. */
  readonly isEnabled: boolean;
  readonly mayMirror: boolean;
  readonly defaultBranch: string;
  /** How long one may take. */
  readonly timeLimitMs: number;
}

/** What a mirror begins with: it has neither pull requests nor builds of its own (contract repositories.md 4.4). */
const MIRROR_SETTINGS: RepoSettings = { off: ["pulls", "actions"] };
/** In their order: items name labels and milestones. */
const ITEM_PARTS = ["labels", "milestones", "issues", "releases"] as const satisfies readonly ImportPart[];
/** Imports at one time. */
const CONCURRENCY = 4;
/** What another server did once it may not do the next time (contract repositories.md 9.5). */
const PASSING: ReadonlySet<string> = new Set(["remote.unreachable", "remote.stalled", "remote.bad-status"]);
const MAX_ATTEMPTS = 3;
/** Of what the other server tells meanwhile. */
const MAX_DETAIL = 200;
const NEVER = new AbortController().signal;

/** An import that runs here and now. */
interface Running {
  readonly cancel: AbortController;
  step: ImportStep | "";
  detail: string;
}

/** Brings repositories in from other servers: by a job, which a restart continues. */
export class ImportService {
  private readonly sealed: Readonly<Record<store.SealedName, ReturnType<SecretBox["column"]>>>;
  private readonly running = new Map<number, Running>();
  private readonly awaited = new Map<number, { resolve(): void; reject(error: unknown): void }>();

  constructor(private readonly needs: ImportNeeds) {
    const { jobs, secrets, timeLimitMs } = needs;
    const column = (name: store.SealedName) =>
      secrets.column({ table: "repository_imports", column: name, key: "repo_id" });
    this.sealed = { password: column("password"), token: column("token") };
    jobs.handle("imports.run", {
      // Written here, in this shape.
      parse: (payload) => payload as { repoId: number },
      run: ({ repoId }, run) => this.run(repoId, run),
      concurrency: CONCURRENCY,
      timeLimitMs,
      maxTries: MAX_ATTEMPTS,
      backoff: { firstMs: 3_000, maxMs: 30_000 },
      exclusionKey: ({ repoId }) => `import:${repoId}`,
    });
  }

  /** Whether repositories may come to follow others. */
  get mayMirror(): boolean {
    return this.needs.mayMirror;
  }

  /** What is known of the import of a repository; undefined: it is none, or over. */
  of(repoId: number): ImportProgress | undefined {
    const entry = store.findImport(this.needs.db, repoId);
    const { detail = "", step = "" } = this.running.get(repoId) ?? {};
    return entry && { import: entry, step, detail };
  }

  /**
   * Makes a repository that is brought in by a job. That the other server has it is found out before.
   * @throws Forbidden imports or mirrors are switched off; ValidationFailed the name, the address, the interval, or what
   * the other server says; Conflict the name is taken
   */
  async begin(principal: Principal, request: ImportRequest): Promise<Repo> {
    const { db, folders, pullMirrors, remotes, repos, storage } = this.needs;
    this.requireAllowed(request);
    this.checkNew(principal, request);
    const intervalMs = request.isMirror ? pullMirrors.intervalOf(request.interval) : 0;
    const address = addressOf(request);
    if (request.lfsEndpoint !== "") await remotes.check(largeFilesAt(request.lfsEndpoint));
    const listing = await remotes.list({ address, signal: NEVER });
    const id = folders.reserve();
    const defaultBranch = headOf(listing) ?? this.needs.defaultBranch;
    try {
      await storage.init(id, { defaultBranch, format: listing.format });
      db.transaction(() => {
        // Asking the other server may have taken long.
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

  /** Resolves once the repository is there in full. @throws Failure it could not be brought in; nothing is left of it */
  finished({ id }: Repo): Promise<void> {
    if (!store.findImport(this.needs.db, id)) return Promise.resolve();
    return new Promise((resolve, reject) => this.awaited.set(id, { resolve, reject }));
  }

  /** One that failed is tried again. The caller has decided that the principal administers it. @throws Conflict it did not fail */
  retry({ repo }: SeenRepo): void {
    const { db } = this.needs;
    db.transaction(() => {
      if (!store.findImport(db, repo.id)?.failure) throw new Conflict("import.not-failed");
      store.setFailure(db, repo.id, "");
      this.enqueue(repo.id);
    });
  }

  /** Ends one that is under way. The caller has decided that the principal administers it. @throws Conflict there is none */
  cancel({ repo }: SeenRepo): void {
    const { db } = this.needs;
    const running = this.running.get(repo.id);
    if (!store.findImport(db, repo.id)) throw new Conflict("import.none");
    if (running) running.cancel.abort(new Failure(422, "import.cancelled"));
    else this.fail(repo.id, new Failure(422, "import.cancelled"));
  }

  /** Now and then: what neither runs nor waits has lost its job. */
  sweep(): void {
    const { db, jobs } = this.needs;
    for (const repoId of store.importsUnderWay(db))
      if (!this.running.has(repoId) && !jobs.isWaiting(keyOf(repoId)))
        this.fail(repoId, new Failure(422, "import.interrupted"));
  }

  /** The user name, password and token that were given; empty where there is none. */
  private credentialsOf(entry: RepoImport): RemoteCredentials & { readonly token: string } {
    return { username: entry.username, password: this.open(entry, "password"), token: this.open(entry, "token") };
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
    const hasWiki = request.parts.includes("wiki");
    if (isMirror) pullMirrors.begin(id, { address, intervalMs, hasWiki });
    const { username = "", password = "" } = address.credentials ?? {};
    const parts = partsOf(request);
    const doerId = principal.user?.id;
    store.insertImport(db, { repoId: id, service, address: address.url, username, parts, doerId, isAwaited }, clock());
    this.seal(id, "password", password);
    this.seal(id, "token", request.token);
    this.enqueue(id);
  }

  private async run(repoId: number, run: JobRun): Promise<void> {
    const { repos } = this.needs;
    const entry = store.findImport(this.needs.db, repoId);
    const seen = repos.seeById(operator, repoId);
    if (!entry || !seen || entry.failure !== "") return;
    const running: Running = { cancel: new AbortController(), step: "", detail: "" };
    this.running.set(repoId, running);
    try {
      await this.bring(entry, seen, running, AbortSignal.any([run.signal, running.cancel.signal]));
      this.end(repoId);
    } catch (error) {
      const isStopping = run.signal.reason instanceof JobAborted && run.signal.reason.reason === "stopping";
      const isPassing = error instanceof Failure && PASSING.has(error.code) && run.attempt < MAX_ATTEMPTS;
      const isCancelled = running.cancel.signal.aborted;
      // The job runs again.
      if (isStopping || (isPassing && !isCancelled)) throw error;
      if (!(error instanceof Failure)) this.needs.log.error("an import failed", { repo: repoId, error });
      this.fail(repoId, isCancelled ? running.cancel.signal.reason : error);
    } finally {
      this.running.delete(repoId);
    }
  }

  private async bring(entry: RepoImport, seen: SeenRepo, running: Running, signal: AbortSignal): Promise<void> {
    const { crash } = this.needs;
    const credentials = this.credentialsOf(entry);
    const { username, password } = credentials;
    const parsed = parseRemoteAddress(entry.address, "clone_addr");
    const address = username === "" && password === "" ? parsed : { ...parsed, credentials: { username, password } };
    const doer = this.doerOf(entry, seen);
    await this.step(entry, running, "code", async () => {
      await bringRepository(this.needs, seen, {
        address,
        signal,
        principal: asAccount(doer),
        hasWiki: entry.parts.includes("wiki"),
        prune: false,
        told: { isInitial: true },
        onProgress: (line) => {
          running.detail = line.slice(0, MAX_DETAIL);
        },
      });
      crash("import.after-code");
    });
    if (entry.service === "git" || seen.repo.isMirror) return;
    const items = await this.needs.items();
    const forge = await this.needs.forge({ service: entry.service, url: address.url, credentials }, signal);
    const task = {
      seen: { ...seen, principal: asAccount(doer) },
      forge,
      onProgress: (text: string) => {
        running.detail = text;
      },
    };
    await this.step(entry, running, "about", () => items.about(task));
    for (const part of ITEM_PARTS)
      if (entry.parts.includes(part)) await this.step(entry, running, part, () => items[part](task));
  }

  /** Does a step that is not done yet, and remembers that it is. */
  private async step(entry: RepoImport, running: Running, name: ImportStep, work: () => Promise<void>): Promise<void> {
    const { db } = this.needs;
    if (entry.done.includes(name)) return;
    running.step = name;
    running.detail = "";
    await work();
    db.transaction(() => {
      const present = store.findImport(db, entry.repoId);
      if (present) store.setDone(db, entry.repoId, [...present.done, name]);
    });
  }

  /** It is there. */
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

  private enqueue(repoId: number): void {
    this.needs.jobs.enqueue("imports.run", { repoId }, { uniqueKey: keyOf(repoId) });
  }

  private doerOf({ doerId }: RepoImport, { owner }: SeenRepo): User {
    return (doerId === undefined ? undefined : this.needs.identity.byId(doerId)) ?? owner;
  }

  private requireAllowed({ isMirror }: ImportRequest): void {
    const { isEnabled, mayMirror } = this.needs;
    if (!isEnabled) throw new Forbidden("import.disabled");
    if (isMirror && !mayMirror) throw new Forbidden("import.mirrors-disabled");
  }

  /** @throws Failure in the words of imports */
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

  private seal(repoId: number, name: store.SealedName, value: string): void {
    if (value === "") return;
    store.setSealed(this.needs.db, repoId, name, this.sealed[name].seal(repoId, new Secret(value)));
  }

  private open({ repoId }: RepoImport, name: store.SealedName): string {
    const sealed = store.sealedOf(this.needs.db, repoId, name);
    return sealed === "" ? "" : this.sealed[name].open(repoId, sealed).reveal();
  }
}

/** What making a repository refuses, in the words of bringing one in (contract repositories.md 9.5). */
const REWORDED: Readonly<Record<string, string>> = {
  "name.malformed": "import.malformed-name",
  "name.reserved": "import.reserved-name",
  "name.reserved-ending": "import.reserved-ending",
  "repository.limit-reached": "import.limit-reached",
};

const keyOf = (repoId: number) => `import:${repoId}`;

/** A mirror has no items but its wiki; git alone has none either. */
function partsOf({ isMirror, parts, service }: ImportRequest): ImportPart[] {
  return parts.filter((part) => part === "wiki" || (!isMirror && service !== "git"));
}

/** Where git fetches from, and as whom: a token is the password of `oauth2` (contract repositories.md 9.1). */
function addressOf({ address: text, password, token, username }: ImportRequest): RemoteAddress {
  const address = parseRemoteAddress(text, "clone_addr");
  // Of several, git takes the first.
  const [first = ""] = token.split(",");
  if (first.trim() !== "") return { ...address, credentials: { username: "oauth2", password: first.trim() } };
  return username === "" && password === "" ? address : { ...address, credentials: { username, password } };
}

/** What would be called for the large files. */
function largeFilesAt(endpoint: string): RemoteAddress {
  return parseRemoteAddress(`${endpoint.replace(/\/+$/, "")}/objects/batch`, "lfs_endpoint");
}

/** The branch that HEAD names there, if it is there. */
function headOf({ head, refs }: RemoteListing): string | undefined {
  return head?.startsWith(BRANCHES) && refs.some(({ name }) => name === head) ? head.slice(BRANCHES.length) : undefined;
}
