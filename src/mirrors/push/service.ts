import { atLeast } from "../../access/levels.ts";
import { operator } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Consumer } from "../../events/delivery.ts";
import type { DomainEvent } from "../../events/types.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { JobAborted } from "../../jobs/types.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, Failure, Forbidden, Locked, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import { Semaphore } from "../../kernel/semaphore.ts";
import { parseRemoteAddress, type RemoteAddress } from "../../remotes/address.ts";
import { recordFailure } from "../../remotes/recorded-failure.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { SecretBox } from "../../secrets/box.ts";
import { Secret } from "../../secrets/secret.ts";
import { type MirrorIntervals, retryAfterMs } from "../interval.ts";
import { type DeliveryParts, PushDelivery } from "./delivery.ts";
import * as store from "./store.ts";
import type { NewPushMirror, PushMirror, PushMirrorEdit } from "./types.ts";
import { checkAddress, checkBranches, newRemoteName } from "./values.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Pushes a repository to one of its mirrors. */
    "mirrors.push": { readonly mirrorId: number };
  }
}

export interface PushMirrorParts extends DeliveryParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly repos: RepoService;
  readonly secrets: SecretBox;
  readonly intervals: MirrorIntervals;
  /** The settings `mirrors.enabled` and `mirrors.new_push`. */
  readonly isEnabled: boolean;
  readonly mayBeAdded: boolean;
  /** The time limit of a push. */
  readonly timeLimitMs: number;
}

/** Per repository. */
const MAX_MIRRORS = 50;
const MAX_CREDENTIAL_CHARACTERS = 1_024;
/** Mirrors pushed to concurrently. */
const CONCURRENCY = 3;
const NEVER = new AbortController().signal;

/** Push mirrors: copies elsewhere of a repository here (contract repositories.md 10.2). */
export class PushMirrors implements Consumer {
  readonly name = "push mirrors";
  private readonly sealed: ReturnType<SecretBox["column"]>;
  /** One push to a mirror at a time. */
  private readonly turns = new Semaphore(1);
  private readonly delivery: PushDelivery;

  constructor(private readonly parts: PushMirrorParts) {
    const { jobs, secrets, timeLimitMs } = parts;
    this.sealed = secrets.column({ table: "push_mirrors", column: "password", key: "id" });
    this.delivery = new PushDelivery(parts);
    jobs.handle("mirrors.push", {
      // Written here in this shape.
      parse: (payload) => payload as { mirrorId: number },
      run: async ({ mirrorId }, run) => {
        const mirror = store.findPushMirror(parts.db, mirrorId);
        if (mirror) await this.push(mirror, run.signal, (line) => run.progress(line));
      },
      concurrency: CONCURRENCY,
      timeLimitMs,
    });
  }

  /** Oldest first. @throws BadRequest mirrors are disabled; Forbidden */
  list(seen: SeenRepo, paging: Pick<Paging, "limit" | "offset">): Slice<PushMirror> {
    this.requireAdmin(seen);
    return store.pushMirrorsOf(this.parts.db, seen.repo.id, paging);
  }

  /** @throws NotFound; BadRequest mirrors are disabled; Forbidden */
  get(seen: SeenRepo, remoteName: string): PushMirror {
    this.requireAdmin(seen);
    const mirror = store.pushMirrorNamed(this.parts.db, seen.repo.id, remoteName);
    if (!mirror) throw new NotFound();
    return mirror;
  }

  /**
   * @throws BadRequest the address or interval, there are too many, mirrors are disabled; Unauthorised the address
   * may not be connected to; Forbidden
   */
  async add(seen: SeenRepo, { address: given, username, password, ...request }: NewPushMirror): Promise<PushMirror> {
    const { clock, db, intervals, mayBeAdded, remotes } = this.parts;
    this.requireChangeable(seen);
    if (!mayBeAdded) throw new Forbidden("push-mirror.adding-disabled");
    const intervalMs = this.readInterval(request.interval);
    const branches = checkBranches(request.branches);
    const address = await checkAddress(given, remotes);
    const credentials = username === "" && password === "" ? address.credentials : { username, password };
    if (Math.max(username.length, password.length) > MAX_CREDENTIAL_CHARACTERS)
      throw new BadRequest("push-mirror.long-credentials", { params: { max: MAX_CREDENTIAL_CHARACTERS } });
    return db.transaction(() => {
      if (store.countPushMirrors(db, seen.repo.id) >= MAX_MIRRORS)
        throw new BadRequest("push-mirror.too-many", { params: { max: MAX_MIRRORS } });
      const now = clock();
      const id = store.insertPushMirror(
        db,
        {
          repoId: seen.repo.id,
          remoteName: newRemoteName(),
          address: address.url,
          username: credentials?.username ?? "",
          intervalMs,
          syncOnCommit: request.syncOnCommit,
          branches,
          nextAt: intervalMs > 0 ? now + Math.max(intervalMs, intervals.minMs) : undefined,
        },
        now,
      );
      if (credentials?.password)
        store.setSealedPassword(db, id, this.sealed.seal(id, new Secret(credentials.password)));
      const made = store.findPushMirror(db, id);
      if (!made) throw new Error("a mirror was made and is not there");
      return made;
    });
  }

  /** @throws NotFound; BadRequest; Forbidden */
  edit(seen: SeenRepo, remoteName: string, edit: PushMirrorEdit): void {
    const { clock, db } = this.parts;
    this.requireChangeable(seen);
    db.transaction(() => {
      const mirror = this.get(seen, remoteName);
      const intervalMs = edit.interval === undefined ? mirror.intervalMs : this.readInterval(edit.interval);
      const branches = edit.branches === undefined ? mirror.branches : checkBranches(edit.branches);
      const { syncOnCommit = mirror.syncOnCommit } = edit;
      const nextAt = intervalMs > 0 ? clock() + intervalMs : undefined;
      store.updatePushMirror(db, { ...mirror, intervalMs, branches, syncOnCommit, nextAt });
    });
  }

  /** Does nothing if it does not exist. @throws BadRequest mirrors are disabled; Forbidden */
  delete(seen: SeenRepo, remoteName: string): void {
    const { db } = this.parts;
    this.requireChangeable(seen);
    db.transaction(() => {
      const mirror = store.pushMirrorNamed(db, seen.repo.id, remoteName);
      if (mirror) store.deletePushMirror(db, mirror.id);
    });
  }

  /** Requests a push soon. @throws NotFound; BadRequest mirrors are disabled; Forbidden */
  request(seen: SeenRepo, remoteName: string): void {
    const { id } = this.get(seen, remoteName);
    this.parts.db.transaction(() => this.enqueue(id));
  }

  /**
   * Pushes to all of them in turn, and waits for the result.
   * @throws ValidationFailed `push-mirror.failed` names those that could not be pushed to; BadRequest, Forbidden
   */
  async pushAll(seen: SeenRepo): Promise<void> {
    const { items } = this.list(seen, { limit: MAX_MIRRORS, offset: 0 });
    const failed: string[] = [];
    for (const mirror of items) if (!(await this.push(mirror, NEVER))) failed.push(mirror.remoteName);
    if (failed.length > 0) throw new ValidationFailed("push-mirror.failed", { params: { names: failed.join(", ") } });
  }

  /** Requests a push to those that are due. Joins the running transaction. */
  requestDue(limit: number): void {
    const { clock, db, isEnabled } = this.parts;
    if (isEnabled) for (const id of store.duePushMirrors(db, clock(), limit)) this.enqueue(id);
  }

  /** Changed refs trigger a push to mirrors with that setting; many changes become one push. */
  handle({ kind, repoId }: DomainEvent): void {
    const { db, isEnabled } = this.parts;
    if (!isEnabled || repoId === undefined || (kind !== "refs.changed" && kind !== "folder.refs-changed")) return;
    for (const id of store.mirrorsOnCommit(db, repoId)) this.enqueue(id);
  }

  private enqueue(mirrorId: number): void {
    this.parts.jobs.enqueue("mirrors.push", { mirrorId }, { uniqueKey: `push-mirror:${mirrorId}` });
  }

  /** @returns whether it succeeded; the reason for a failure is stored with the mirror */
  private async push(mirror: PushMirror, signal: AbortSignal, onProgress?: (line: string) => void): Promise<boolean> {
    const { db, isEnabled, log, repos } = this.parts;
    const leave = await this.turns.enter(mirror.id, signal);
    try {
      const seen = repos.seeById(operator, mirror.repoId);
      const present = store.findPushMirror(db, mirror.id);
      if (!isEnabled || !seen || !present || seen.repo.isArchived) return true;
      await this.delivery.push(present, seen, {
        address: this.remoteOf(present),
        signal,
        ...(onProgress ? { onProgress } : {}),
      });
      this.record(present, undefined);
      return true;
    } catch (error) {
      // Shutting down is not a failure; the job runs again.
      if (signal.aborted && signal.reason instanceof JobAborted && signal.reason.reason === "stopping") throw error;
      if (!(error instanceof Failure)) log.error("a push mirror failed", { mirror: mirror.remoteName, error });
      this.record(mirror, error);
      return false;
    } finally {
      leave();
    }
  }

  private record(mirror: PushMirror, error: unknown): void {
    const { clock, db, intervals } = this.parts;
    const now = clock();
    db.transaction(() => {
      // The settings may have been changed meanwhile.
      const present = store.findPushMirror(db, mirror.id);
      if (!present) return;
      const failures = error === undefined ? 0 : present.failures + 1;
      // Mirrors without an interval, pushed after changes, are retried too.
      const again = failures > 0 && present.syncOnCommit ? intervals.minMs : 0;
      const intervalMs = present.intervalMs || again;
      const nextAt = intervalMs === 0 ? undefined : now + retryAfterMs(intervalMs, failures);
      const lastError = error === undefined ? "" : recordFailure(error);
      store.recordPush(db, mirror.id, { failures, lastError, nextAt }, now);
    });
  }

  private remoteOf({ address: text, id, username }: PushMirror): RemoteAddress {
    const address = parseRemoteAddress(text, "remote_address");
    const sealed = store.sealedPassword(this.parts.db, id);
    const password = sealed === "" ? "" : this.sealed.open(id, sealed).reveal();
    return username === "" && password === "" ? address : { ...address, credentials: { username, password } };
  }

  private readInterval(text: string): number {
    const { intervals } = this.parts;
    const ms = intervals.read(text);
    const facts = { field: "interval", params: { given: text, min: intervals.minText } };
    if (ms === "unreadable") throw new BadRequest("push-mirror.bad-interval", facts);
    if (ms === "too-short") throw new BadRequest("push-mirror.short-interval", facts);
    return ms;
  }

  private requireChangeable(seen: SeenRepo): void {
    this.requireAdmin(seen);
    if (seen.repo.isArchived) throw new Locked("repository.archived");
  }

  private requireAdmin({ access }: SeenRepo): void {
    if (!atLeast(access.level, "admin")) throw new Forbidden("repository.needs-admin");
    if (!this.parts.isEnabled) throw new BadRequest("mirror.disabled");
  }
}
