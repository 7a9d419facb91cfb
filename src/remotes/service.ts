import type { Principal } from "../access/principal.ts";
import type { RemoteTransport } from "../git/client/conversation.ts";
import { RemoteFailed } from "../git/client/errors.ts";
import { RemoteSource } from "../git/client/fetch.ts";
import { hadBy, RemoteTarget } from "../git/client/push.ts";
import { ProtocolError } from "../git/errors.ts";
import type { FsckId } from "../git/object-checks/fsck.ts";
import type { ObjectFormat } from "../git/objects/format.ts";
import type { Oid } from "../git/objects/types.ts";
import { emptyPack } from "../git/packs/empty-pack.ts";
import type { ReceiveLimits } from "../git/receive/limits.ts";
import { discard, newQuarantine } from "../git/receive/quarantine.ts";
import { refNameText, withTextNames } from "../git/refs/names.ts";
import type { RefChange, RefResult } from "../git/refs/types.ts";
import { Failure, ValidationFailed } from "../kernel/errors.ts";
import type { OutboundClient } from "../outbound/client.ts";
import { OutboundFailed } from "../outbound/errors.ts";
import type { ChangeRefs, RefService } from "../repos/refs/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { Repo } from "../repos/types.ts";
import { JobFailed, type WorkerPool } from "../workers/pool.ts";
import type { RemoteAddress } from "./address.ts";
import { DaemonTransport } from "./daemon.ts";
import { RemoteRefused } from "./errors.ts";
import { HttpTransport } from "./http.ts";
import type { RemoteLimits } from "./limits.ts";
import { isRenaming, prefixesOf, type RefSelection, type RenamedRefs, selects } from "./selection.ts";

export interface RemoteRequest {
  readonly address: RemoteAddress;
  /** Aborting it ends the conversation, and discards whatever is not yet in the refs. */
  readonly signal: AbortSignal;
  /** Receives progress of the other server and of our own work, a line at a time. */
  readonly onProgress?: (line: string) => void;
}

export interface RemoteListing {
  readonly refs: readonly { readonly name: string; readonly oid: Oid }[];
  /** The ref that HEAD names there. */
  readonly head: string | undefined;
  readonly format: ObjectFormat;
}

export interface FetchInto extends RemoteRequest {
  /** Who refs are changed as. The caller has checked permissions. */
  readonly principal: Principal;
  readonly repo: Repo;
  /** Kinds of refs, or single ones that may have other names here. */
  readonly select: RefSelection | RenamedRefs;
  /** Deletes selected refs that no longer exist there; single ones stay. */
  readonly prune: boolean;
  /** Passed on to the event. */
  readonly told?: Pick<ChangeRefs, "isInitial" | "isMirrored">;
}

export interface Fetched {
  readonly head: string | undefined;
  /** Refs that changed, or could not be changed; empty if everything was up to date. */
  readonly results: readonly RefResult[];
  /** Refs skipped because git would not create such names. */
  readonly skipped: number;
}

export interface PushFrom extends RemoteRequest {
  readonly repo: Repo;
  readonly select: RefSelection;
  /** Deletes selected refs there that do not exist here. */
  readonly prune: boolean;
  /** Overwrites refs that have diverged there. */
  readonly force: boolean;
}

/** Git as a client: the refs of repositories on other servers, fetching from them and pushing to them. */
export class RemoteService {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    private readonly options: {
      readonly limits: RemoteLimits;
      readonly pack: Partial<ReceiveLimits>;
      /** fsck problems that are tolerated. */
      readonly accepted: readonly FsckId[];
    },
  ) {}

  /**
   * Whether its host may be connected to, checked before storing anything; checked again with every call. @throws
   * Failure `remote.…`
   */
  async check(address: RemoteAddress): Promise<void> {
    // Only the host is resolved, whatever the protocol.
    await wording(address, () => this.outbound.check(address.url.replace(/^git:/, "http:")));
  }

  /** The refs a server advertises for a repository. @throws Failure `remote.…` */
  async list(request: RemoteRequest): Promise<RemoteListing> {
    return wording(request.address, async () => {
      const source = await RemoteSource.open(this.transport(request));
      try {
        const { refs, head } = await source.refs();
        return { refs: withTextNames(refs), head: head && refNameText(head), format: source.format };
      } finally {
        await source.close();
      }
    });
  }

  /**
   * Updates the selected refs to those on another server, with all reachable objects. Objects are verified like those
   * of a push, and durable before any ref moves.
   * @throws Failure `remote.…`; nothing has changed then
   */
  async fetch(request: FetchInto): Promise<Fetched> {
    return wording(request.address, async () => {
      const source = await RemoteSource.open(this.transport(request));
      const done = this.storage.writing(request.repo.id);
      try {
        if (source.format !== request.repo.objectFormat) throw new RemoteFailed("object-format", source.format.name);
        const { select } = request;
        const { refs: remote, head, skipped, isShallow } = await source.refs(prefixesOf(select));
        if (isShallow) throw new RemoteFailed("shallow");
        const { present, wanted } = isRenaming(select) ? renaming(select) : selecting(select);
        const there = new Map(remote.flatMap(({ name, oid }) => pairOf(wanted(name), oid)));
        const visible = this.refs.visible(request.repo.id).refs;
        const here = new Map(visible.flatMap(({ name, oid }) => (present(name) ? [[name, oid] as const] : [])));
        const changes = changesTo(here, there, request.prune && !isRenaming(select));
        if (changes.length === 0) return { head: head && refNameText(head), results: [], skipped };
        await this.takePack(source, request, changes);
        request.signal.throwIfAborted();
        const results = this.refs.change(request.repo.id, {
          principal: request.principal,
          changes: withTextNames(changes),
          atomic: false,
          ...request.told,
        });
        await this.refs.projected();
        return { head: head && refNameText(head), results, skipped };
      } finally {
        done();
        await source.close();
      }
    });
  }

  /**
   * Updates the selected refs on another server to those here.
   * @returns what changed there, or could not be changed and why; empty if everything was up to date
   * @throws Failure `remote.…`
   */
  async push(request: PushFrom): Promise<readonly RefResult[]> {
    return wording(request.address, async () => {
      const target = await RemoteTarget.open(this.transport(request));
      try {
        const { repo, force } = request;
        const isSelected = selects(request.select);
        const local = this.refs.visible(repo.id).refs.filter(({ name }) => isSelected(name));
        const here = new Map(local.map(({ name, oid }) => [name, oid]));
        const there = new Map(
          target.refs.refs.filter(({ name }) => isSelected(name)).map(({ name, oid }) => [name, oid]),
        );
        if (target.format !== repo.objectFormat && here.size > 0)
          throw new RemoteFailed("object-format", target.format.name);
        const all = changesTo(there, here, request.prune);
        const refused = force ? [] : await this.refusedWithoutForce(repo, all, request.signal);
        const changes = all.filter(({ name }) => !refused.some((result) => result.name === name));
        if (changes.length === 0) return withTextNames(refused);
        const results = await target.push({
          changes,
          pack: (ofsDelta) => this.packFor(request, changes, hadBy(target.refs), ofsDelta),
          onText: (line) => request.onProgress?.(line),
        });
        return withTextNames([...refused, ...results]);
      } finally {
        await target.close();
      }
    });
  }

  private transport({ address, signal }: RemoteRequest): RemoteTransport {
    const { limits } = this.options;
    return address.scheme === "git"
      ? new DaemonTransport(this.outbound, address, limits, signal)
      : new HttpTransport(this.outbound, address, limits, signal);
  }

  /** Streams missing objects into quarantine, verified like a push, and from there into the store. */
  private async takePack(source: RemoteSource, request: FetchInto, changes: readonly RefChange[]): Promise<void> {
    const { repo, signal, onProgress } = request;
    const newTips = [...new Set(changes.flatMap(({ newOid }) => (newOid === null ? [] : [newOid])))];
    if (newTips.length === 0) return;
    const repoDir = this.storage.dirOf(repo.id);
    const connectedTo = this.refs.tips(repo.id);
    const asked = { repoDir, offered: newTips.join("\n"), tips: connectedTo };
    const { missing, haves } = await this.pool.run("git.negotiation", asked, { lane: "bulk", signal });
    const quarantineDir = newQuarantine(repoDir);
    try {
      const { pack: limits, accepted } = this.options;
      const input = { repoDir, quarantineDir, newTips, connectedTo, limits, accepted };
      const job = this.pool.start("git.receive", input, { signal, onNote: (note) => onProgress?.(note.trim()) });
      // Stops sending if the job fails; the result is awaited below.
      let failed = false;
      job.result.catch(() => {
        failed = true;
      });
      const pack =
        missing.length === 0
          ? [emptyPack(repo.objectFormat)]
          : source.pack({ wants: missing, haves, onText: (line) => onProgress?.(line) });
      try {
        for await (const piece of pack) {
          if (failed) break;
          await job.send(piece.byteLength === piece.buffer.byteLength ? piece : piece.slice());
        }
      } catch (error) {
        job.abort();
        // Until it has ended it may still write there.
        await job.result.catch(() => {});
        throw error;
      }
      job.end();
      const { quarantined } = await job.result;
      await this.pool.run("git.admit", quarantined, { lane: "writes" });
    } finally {
      discard({ quarantineDir });
    }
  }

  private async *packFor(
    { repo, signal }: PushFrom,
    changes: readonly RefChange[],
    haves: readonly Oid[],
    ofsDelta: boolean,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const wants = [...new Set(changes.flatMap(({ newOid }) => (newOid === null ? [] : [newOid])))].join("\n");
    const input = { repoDir: this.storage.dirOf(repo.id), wants, haves: haves.join("\n"), ofsDelta };
    const job = this.pool.start("git.pack", input, { signal });
    // The output fails with it.
    job.result.catch(() => {});
    yield* job.output;
    await job.result;
  }

  /** What git refuses without force: a branch that would lose commits, an existing tag. */
  private async refusedWithoutForce(
    repo: Repo,
    changes: readonly RefChange[],
    signal: AbortSignal,
  ): Promise<RefResult[]> {
    const refused: RefResult[] = [];
    const repoDir = this.storage.dirOf(repo.id);
    for (const { name, oldOid, newOid } of changes) {
      if (oldOid === null || newOid === null) continue;
      if (!name.startsWith("refs/heads/")) {
        refused.push({ name, ok: false, reason: "already exists" });
        continue;
      }
      const { missing } = await this.pool.run(
        "git.negotiation",
        { repoDir, offered: oldOid, tips: "" },
        { lane: "bulk", signal },
      );
      if (missing.length > 0) refused.push({ name, ok: false, reason: "fetch first" });
      else if (!(await this.pool.run("git.isAncestor", { repoDir, ancestor: oldOid, descendant: newOid }, { signal })))
        refused.push({ name, ok: false, reason: "non-fast-forward" });
    }
    return refused;
  }
}

/** Converts errors with another server into coded failures that name its host and nothing secret. */
async function wording<T>(address: RemoteAddress, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw remoteFailureOf(error, new URL(address.url).host);
  }
}

/** The local refs of a selection, and the local names of remote refs; undefined: not selected. */
interface Selecting {
  present(name: string): boolean;
  wanted(name: string): string | undefined;
}

function selecting(selection: RefSelection): Selecting {
  const isSelected = selects(selection);
  return { present: isSelected, wanted: (name) => (isSelected(name) ? name : undefined) };
}

function renaming(renamed: RenamedRefs): Selecting {
  const here = new Set(renamed.values());
  return { present: (name) => here.has(name), wanted: (name) => renamed.get(name) };
}

const pairOf = (name: string | undefined, oid: Oid): (readonly [string, Oid])[] =>
  name === undefined ? [] : [[name, oid]];

/** The changes that turn one side into the other; deletions first, as they may free names. */
function changesTo(before: ReadonlyMap<string, Oid>, after: ReadonlyMap<string, Oid>, prune: boolean): RefChange[] {
  const changes: RefChange[] = [];
  if (prune) for (const [name, oid] of before) if (!after.has(name)) changes.push({ name, oldOid: oid, newOid: null });
  for (const [name, oid] of after) {
    const old = before.get(name);
    if (old !== oid) changes.push({ name, oldOid: old ?? null, newOid: oid });
  }
  return changes;
}

/**
 * Converts known errors with another server to coded failures; anything else is returned as is. @param host how to
 * name the server
 */
export function remoteFailureOf(error: unknown, host: string): unknown {
  if (error instanceof Failure) return error;
  const failed = (problem: string, detail: string) =>
    new ValidationFailed(`remote.${problem}`, { params: { host, detail } });
  if (error instanceof RemoteFailed || error instanceof RemoteRefused) return failed(error.problem, error.detail);
  if (error instanceof ProtocolError) return failed("broken", error.message);
  if (error instanceof OutboundFailed)
    return failed(error.problem === "forbidden" ? "forbidden-host" : error.problem, error.detail);
  if (error instanceof JobFailed && ["BadPack", "ObjectTooLarge"].includes(error.originalName))
    return failed("bad-pack", error.message);
  return error;
}
