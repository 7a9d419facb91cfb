import { atLeast } from "../../access/levels.ts";
import { asAccount, operator, type Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { JobAborted, type JobRun } from "../../jobs/types.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CrashPoint } from "../../kernel/crash.ts";
import { BadRequest, Failure, Forbidden, Locked, ValidationFailed } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { LfsRemote } from "../../lfs/remote/service.ts";
import type { QuotaService } from "../../quotas/service.ts";
import { parseRemoteAddress, type RemoteAddress } from "../../remotes/address.ts";
import { bringRepository } from "../../remotes/bring.ts";
import { recordFailure } from "../../remotes/recorded-failure.ts";
import type { RemoteService } from "../../remotes/service.ts";
import type { GitFolders } from "../../repos/folders/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { SecretBox } from "../../secrets/box.ts";
import { type MirrorIntervals, retryAfterMs } from "../interval.ts";
import { PullMirrorSecrets } from "./secrets.ts";
import * as store from "./store.ts";
import type { PullMirror, PullMirrorEdit } from "./types.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Syncs a pull mirror. */
    "mirrors.pull": { readonly repoId: number };
  }
}

declare module "../../repos/service.ts" {
  interface EditRepo {
    /** Changes to a mirror; ignored for other repositories. */
    readonly mirror?: PullMirrorEdit;
  }
}

export interface PullMirrorParts {
  readonly clock: Clock;
  readonly crash: CrashPoint;
  readonly db: Database;
  readonly folders: GitFolders;
  readonly jobs: JobQueue;
  readonly lfsRemote: LfsRemote;
  readonly log: Log;
  readonly quotas: QuotaService;
  readonly remotes: RemoteService;
  readonly repos: RepoService;
  readonly secrets: SecretBox;
  readonly intervals: MirrorIntervals;
  /** The setting `mirrors.enabled`. */
  readonly isEnabled: boolean;
  /** The time limit of a sync. */
  readonly timeLimitMs: number;
}

/** The source and settings of a new mirror. */
export interface NewPullMirror {
  readonly address: RemoteAddress;
  readonly intervalMs: number;
  readonly hasWiki: boolean;
  readonly hasLfs: boolean;
  /** Empty: the default of git LFS. */
  readonly lfsEndpoint: string;
}

/** Mirrors synced concurrently. */
const CONCURRENCY = 3;

/** Pull mirrors: repositories that follow one elsewhere (contract repositories.md 10.1). */
export class PullMirrors {
  private readonly sealed: PullMirrorSecrets;

  constructor(private readonly parts: PullMirrorParts) {
    const { db, jobs, repos, secrets } = parts;
    this.sealed = new PullMirrorSecrets(db, secrets);
    repos.addList("mirrorTimes", store.mirrorTimes);
    repos.addEditor((seen, { mirror }) => {
      if (mirror) this.editWithin(seen, mirror);
    });
    jobs.handle("mirrors.pull", {
      // Written here in this shape.
      parse: (payload) => payload as { repoId: number },
      run: ({ repoId }, run) => this.sync(repoId, run),
      concurrency: CONCURRENCY,
      timeLimitMs: parts.timeLimitMs,
      exclusionKey: ({ repoId }) => `mirror:${repoId}`,
    });
  }

  /** The repository's mirror settings; undefined if it is not a mirror. */
  of(repoId: number): PullMirror | undefined {
    return store.findPullMirror(this.parts.db, repoId);
  }

  /** The LFS endpoint of a mirror, without credentials; empty: the default of git LFS. */
  lfsEndpointOf(repoId: number): string {
    const given = this.sealed.open(repoId, "lfs_endpoint");
    return given === "" ? "" : this.parts.lfsRemote.addressOf(given).url;
  }

  /**
   * @param text a duration; undefined: the default @throws ValidationFailed `mirror.bad-interval`,
   * `mirror.short-interval`
   */
  intervalOf(text: string | undefined): number {
    const { intervals } = this.parts;
    if (text === undefined || text === "") return intervals.defaultMs;
    return this.readInterval(text);
  }

  /** Makes a newly registered repository follow that address. Joins the running transaction. */
  begin(repoId: number, { address, intervalMs, lfsEndpoint, ...parts }: NewPullMirror): void {
    const { clock, db } = this.parts;
    const now = clock();
    const { username = "", password = "" } = address.credentials ?? {};
    const nextAt = intervalMs > 0 ? now + intervalMs : undefined;
    store.insertPullMirror(db, { repoId, address: address.url, username, intervalMs, nextAt, ...parts }, now);
    this.sealed.seal(repoId, "password", password);
    this.sealed.seal(repoId, "lfs_endpoint", lfsEndpoint);
  }

  /**
   * Requests a sync soon. The caller has checked that the principal may write to it.
   * @throws BadRequest it is not a mirror, or mirrors are disabled; Locked archived; TooLarge its owner may store no
   * more
   */
  request(seen: SeenRepo): void {
    const { repo } = seen;
    if (!this.parts.isEnabled) throw new BadRequest("mirror.disabled");
    if (repo.isArchived) throw new Locked("repository.archived");
    if (!repo.isMirror) throw new BadRequest("mirror.none");
    this.parts.quotas.requireForContent(seen);
    this.parts.db.transaction(() => this.enqueue(repo.id));
  }

  /** Requests a sync of those that are due. Joins the running transaction. */
  requestDue(limit: number): void {
    const { clock, db, isEnabled } = this.parts;
    if (isEnabled) for (const repoId of store.duePullMirrors(db, clock(), limit)) this.enqueue(repoId);
  }

  /** Changes a mirror's settings. @throws Forbidden; ValidationFailed */
  edit(seen: SeenRepo, edit: PullMirrorEdit): void {
    this.parts.db.transaction(() => this.editWithin(seen, edit));
  }

  /**
   * Converts it to a regular repository. @throws Forbidden the principal does not own it; BadRequest it is not a
   * mirror
   */
  convert(seen: SeenRepo): void {
    const { db, repos } = this.parts;
    if (!atLeast(seen.access.level, "owner")) throw new Forbidden("repository.needs-owner");
    db.transaction(() => {
      if (!this.of(seen.repo.id)) throw new BadRequest("mirror.none");
      store.deletePullMirror(db, seen.repo.id);
      repos.endMirroring(seen);
    });
  }

  private enqueue(repoId: number): void {
    this.parts.jobs.enqueue("mirrors.pull", { repoId }, { uniqueKey: `mirror:${repoId}` });
  }

  private editWithin({ access, repo }: SeenRepo, edit: PullMirrorEdit): void {
    const { clock, db, repos } = this.parts;
    const mirror = Object.values(edit).some((value) => value !== undefined) ? this.of(repo.id) : undefined;
    if (!mirror) return;
    if (!atLeast(access.level, "admin")) throw new Forbidden("repository.needs-admin");
    const now = clock();
    const intervalMs = edit.interval === undefined ? mirror.intervalMs : this.readInterval(edit.interval);
    const address = edit.address === undefined ? undefined : parseRemoteAddress(edit.address, "mirror_address");
    const url = address?.url ?? mirror.address;
    const username = edit.username ?? address?.credentials?.username ?? mirror.username;
    const password = edit.password ?? address?.credentials?.password;
    const nextAt = intervalMs === mirror.intervalMs ? mirror.nextAt : intervalMs > 0 ? now + intervalMs : undefined;
    const { hasLfs = mirror.hasLfs, hasWiki = mirror.hasWiki, prunes = mirror.prunes } = edit;
    const changed = { ...mirror, address: url, username, intervalMs, prunes, hasLfs, hasWiki, nextAt };
    store.updatePullMirror(db, changed, now);
    // A password belongs to one user on one server and must not be sent for another.
    const isElsewhere = new URL(url).origin !== new URL(mirror.address).origin;
    if (password !== undefined) this.sealed.seal(repo.id, "password", password);
    else if (username !== mirror.username || isElsewhere) this.sealed.seal(repo.id, "password", "");
    const lfsEndpoint = edit.lfsEndpoint?.trim();
    const movesLfs = lfsEndpoint !== undefined && lfsEndpoint !== this.lfsEndpointOf(repo.id);
    if (movesLfs && lfsEndpoint !== "") this.parts.lfsRemote.addressOf(lfsEndpoint);
    if (movesLfs || isElsewhere) this.sealed.seal(repo.id, "lfs_endpoint", movesLfs ? lfsEndpoint : "");
    if (url !== mirror.address || movesLfs || !mirror.hasLfs) store.setLfsWhole(db, repo.id, false);
    if (url !== mirror.address) repos.setOriginalUrl(repo.id, url);
  }

  private readInterval(text: string): number {
    const { intervals } = this.parts;
    const ms = intervals.read(text);
    const refused = (code: string) =>
      new ValidationFailed(code, { field: "mirror_interval", params: { given: text, min: intervals.minText } });
    if (ms === "unreadable") throw refused("mirror.bad-interval");
    if (ms === "too-short") throw refused("mirror.short-interval");
    return ms;
  }

  private async sync(repoId: number, run: JobRun): Promise<void> {
    const { signal } = run;
    const { crash, db, isEnabled, lfsRemote, quotas, repos } = this.parts;
    const seen = repos.seeById(operator, repoId);
    const mirror = this.of(repoId);
    if (!isEnabled || !mirror || !seen || seen.repo.isArchived) return;
    try {
      quotas.requireForContent(seen);
      const { hasWiki, prunes } = mirror;
      const principal = principalFor(seen);
      const address = this.sealed.addressOf(mirror);
      // If we crash in between, they are searched for next time.
      if (mirror.hasLfs) store.setLfsWhole(db, repoId, false);
      const { results } = await bringRepository(this.parts, seen, {
        address,
        signal,
        onProgress: (line) => run.progress(line),
        principal,
        hasWiki,
        prune: prunes,
        told: { isMirrored: true },
      });
      if (mirror.hasLfs) {
        if (results.length > 0 || !mirror.lfsIsWhole)
          await lfsRemote.fetch(seen, { address, endpoint: this.sealed.open(repoId, "lfs_endpoint"), signal });
        store.setLfsWhole(db, repoId, true);
      }
    } catch (error) {
      // Shutting down is not a failure; the job runs again.
      if (signal.aborted && signal.reason instanceof JobAborted && signal.reason.reason === "stopping") throw error;
      this.recordFailure(mirror, error);
      return;
    }
    crash("mirror.after-fetch");
    this.record(mirror, { failures: 0, lastError: "", isWell: true });
  }

  private recordFailure(mirror: PullMirror, error: unknown): void {
    if (!(error instanceof Failure)) this.parts.log.error("a mirror failed", { repo: mirror.repoId, error });
    this.record(mirror, { failures: mirror.failures + 1, lastError: recordFailure(error), isWell: false });
  }

  private record(
    mirror: PullMirror,
    { isWell, ...result }: Pick<PullMirror, "failures" | "lastError"> & { readonly isWell: boolean },
  ): void {
    const { clock, db } = this.parts;
    const now = clock();
    db.transaction(() => {
      // The settings may have been changed meanwhile.
      const intervalMs = this.of(mirror.repoId)?.intervalMs ?? 0;
      const nextAt = intervalMs === 0 ? undefined : now + retryAfterMs(intervalMs, result.failures);
      store.recordSync(db, mirror.repoId, { ...result, nextAt, syncedAt: isWell ? now : mirror.syncedAt }, now);
    });
  }
}

/** A mirror's changes are attributed to its owner (contract webhooks.md 7.1). */
function principalFor({ owner }: SeenRepo): Principal {
  return asAccount(owner);
}
