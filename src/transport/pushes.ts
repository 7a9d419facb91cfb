import type { Principal } from "../access/principal.ts";
import type { FsckId } from "../git/object-checks/fsck.ts";
import { SHA1 } from "../git/objects/format.ts";
import { refNameText, withTextNames } from "../git/refs/names.ts";
import { type Refusal, receivePack, refusePush } from "../git/transport/receive/receive-pack.ts";
import { DEFAULT_PUSH_LIMITS } from "../git/transport/receive/request.ts";
import type { ErrorMessages } from "../http/error-words.ts";
import { clientNetwork } from "../kernel/client-network.ts";
import { diskTrouble } from "../kernel/disk.ts";
import { Failure, WritesStopped } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { Semaphore } from "../kernel/semaphore.ts";
import type { LiveHub } from "../live/hub.ts";
import { quotaExceeded } from "../quotas/service.ts";
import { folderUnits, type GitFolder } from "../repos/folders/types.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { PushRules } from "../repos/rules/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { WorkerPool } from "../workers/pool.ts";
import type { GitTarget, NewFolder, SeenFolder } from "./access.ts";
import type { PushAdmission, PushAdvice } from "./push-admission.ts";
import type { PushCreation } from "./push-creation.ts";
import { evaluatePushRules, type PushRequested } from "./push-rules.ts";
import { DECLINED, errorText, objectAdvice, refusalText } from "./push-words.ts";
import type { RefsFor } from "./refs-for.ts";

export interface PushOptions {
  readonly maxPackBytes: number;
  readonly maxObjectBytes: number;
  readonly maxObjects: number;
  /** fsck problems that are tolerated. */
  readonly accepted: readonly FsckId[];
  /** Maximum number of refs changed by one push. */
  readonly maxRefChanges: number;
  /** The same for an atomic push, which makes others wait for one transaction. */
  readonly maxAtomicRefChanges: number;
  readonly concurrentPerRepo: number;
  /** How many more bytes the owner of a directory may store there; negative: already over the limit. */
  roomFor(target: SeenFolder): number;
}

/** The channel of a push. */
export interface PushChannel {
  readonly address: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** Fires when the client disconnects. */
  readonly signal: AbortSignal;
  /** A connection that the client may keep open while it waits for the report (`ReceivePackOptions.isConnection`). */
  readonly isConnection?: boolean;
}

/** A pack over its owner's limit by less than this is read, so that the pusher learns why; a larger one is cut off. */
const BEYOND_ROOM_BYTES = 64 * 2 ** 20;

/** A slow push occupies memory and a thread for as long as its sender likes: limits them per account and network. */
const PUSHES_OF_ONE_USER = 4;
const PUSHES_OF_ONE_NETWORK = 8;

/** Never fires. */
const NEVER = new AbortController().signal;

export interface PushParts {
  readonly admission: PushAdmission;
  readonly creation: PushCreation;
  readonly live: LiveHub;
  readonly log: Log;
  readonly messages: ErrorMessages;
  readonly options: PushOptions;
  readonly pool: WorkerPool;
  readonly refs: RefService;
  readonly refsFor: RefsFor;
  readonly rules: PushRules;
  readonly storage: RepoStorage;
}

/** Receives pushes: the engine verifies the pack, the rules check the refs, one transaction changes them. */
export class PushService {
  private readonly turns: Semaphore;
  /** Per account, across all repositories. */
  private readonly turnsOfUser = new Semaphore(PUSHES_OF_ONE_USER);
  private readonly turnsOfNetwork = new Semaphore<string>(PUSHES_OF_ONE_NETWORK);

  constructor(private readonly parts: PushParts) {
    const { options } = parts;
    this.turns = new Semaphore(options.concurrentPerRepo);
  }

  /** Called by areas during wiring. */
  adviseWith(advice: PushAdvice): void {
    this.parts.admission.adviseWith(advice);
  }

  /**
   * Answers a receive-pack request of a principal admitted by GitAccess; creates the repository first if permitted.
   * @throws MadeMeanwhile, before anything of the body is read; NotFound the repository could not be created
   */
  async receive(
    target: GitTarget,
    principal: Principal,
    { address, body, signal, isConnection = false }: PushChannel,
  ): Promise<ReadableStream<Uint8Array>> {
    const made = "create" in target;
    let release = made ? await this.enter(undefined, principal, address, signal) : () => {};
    let before: SeenFolder;
    try {
      if (made) before = await this.parts.creation.make(target.create, principal);
      else before = "begins" in target ? await this.parts.creation.begin(target) : target;
      if (made) {
        // Immediate: nobody else has a place there, and `sweep` checks whether someone has.
        const leaveMade = await this.turns.enter(before.folder.id, NEVER);
        const leave = release;
        release = () => {
          leaveMade();
          leave();
        };
      }
    } catch (error) {
      release();
      const words =
        diskTrouble(error) === undefined && !(error instanceof WritesStopped)
          ? undefined
          : errorText(error, principal, this.parts.messages);
      if (words === undefined) throw error;
      this.parts.log.warn("a push could not make what it goes to", { error });
      return refusePush(body, SHA1, words, { isConnection });
    }
    const { seen, folder } = before;
    let written = () => {};
    let over = false;
    const done = () => {
      if (over) return;
      over = true;
      release();
      written();
      // Another push to it may be running: `sweep` decides about the repository after that.
      if (made && !this.turns.isTaken(folder.id)) this.parts.creation.end(seen.repo, principal);
    };
    try {
      const answer = await receivePack({
        repoDir: this.parts.storage.dirOf(folder.id),
        format: folder.objectFormat,
        body,
        isConnection,
        connectedTo: () => this.parts.refs.tips(folder.id),
        pool: this.parts.pool,
        ...(principal.user ? { share: `account:${principal.user.id}` } : {}),
        signal,
        accepted: this.parts.options.accepted,
        limits: {
          pack: {
            packBytes: Math.min(
              this.parts.options.maxPackBytes,
              Math.max(0, this.parts.options.roomFor(before)) + BEYOND_ROOM_BYTES,
            ),
            objectBytes: this.parts.options.maxObjectBytes,
            objects: this.parts.options.maxObjects,
          },
          push: {
            ...DEFAULT_PUSH_LIMITS,
            commands: this.parts.options.maxRefChanges,
            atomicCommands: this.parts.options.maxAtomicRefChanges,
          },
        },
        begin: async (request) => {
          if (!made) {
            const refusal = this.refusedAtOnce(before, { ...request, commands: withTextNames(request.commands) });
            if (refusal) return refusal;
            release = await this.enter(folder.id, principal, address, signal);
          }
          written = this.parts.storage.writing(folder.id);
          return undefined;
        },
        onProgress: (text) =>
          this.parts.live.publish(`repo:${seen.repo.id}`, {
            event: "push.progress",
            data: text,
            unit: folderUnits[folder.kind],
          }),
        onError: (error) => this.noteError(folder, error),
        wordsFor: (error) => errorText(error, principal, this.parts.messages),
        adviceFor: (problems) => objectAdvice(problems, principal),
        apply: async (push, say) => {
          const { results } = await this.parts.admission.apply(
            before,
            principal,
            { ...push, commands: withTextNames(push.commands) },
            say,
          );
          // One for each command, in order: the engine uses its own names for them.
          return {
            results: results.map((result, at) => ({ ...result, name: push.commands[at]?.name ?? result.name })),
          };
        },
      });
      return afterwards(answer, done);
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Creates the further git directory that is requested. */
  begin(target: NewFolder): Promise<SeenFolder> {
    return this.parts.creation.begin(target);
  }

  /** A push without any permitted change must cost no thread, no disk and nobody's place. */
  private refusedAtOnce(target: SeenFolder, request: PushRequested): Refusal | undefined {
    const { refusals, declined } = evaluatePushRules(target, request, this.parts.refsFor, this.parts.rules);
    const stores = request.commands.some(({ newOid }) => newOid !== null);
    if (stores && this.parts.options.roomFor(target) < 0) {
      const words = this.parts.messages.of(quotaExceeded(target.seen.owner));
      return { words: refusalText([() => words], target.seen.principal), reasonOf: () => DECLINED };
    }
    const [refusal] = refusals;
    if (refusal !== undefined)
      return { words: refusalText([refusal], target.seen.principal), reasonOf: () => DECLINED };
    if (declined.size < request.commands.length) return undefined;
    return { words: undefined, reasonOf: (name) => declined.get(refNameText(name)) ?? DECLINED };
  }

  /**
   * Acquires the places for a push. The directory's first, so that waiting for one repository does not block pushes
   * to others; one that does not exist yet has its own once created.
   */
  private async enter(
    folderId: number | undefined,
    principal: Principal,
    address: string,
    signal: AbortSignal,
  ): Promise<() => void> {
    const places: (() => void)[] = [];
    const leave = () => {
      for (const place of places.splice(0)) place();
    };
    try {
      if (folderId !== undefined) places.push(await this.turns.enter(folderId, signal));
      // All deploy keys of a repository count together.
      places.push(await this.turnsOfUser.enter(principal.user?.id ?? -(principal.repoCredential?.repoId ?? 0), signal));
      places.push(await this.turnsOfNetwork.enter(clientNetwork(address), signal));
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  private noteError(folder: GitFolder, error: unknown): void {
    this.parts.storage.noteFailure(error);
    if (!(error instanceof Failure) && diskTrouble(error) === undefined)
      this.parts.log.error("a push failed", { folder: folder.id, error });
    else this.parts.log.warn("a push could not be stored", { folder: folder.id, error });
  }

  /** At startup and periodically: deletes repositories created for pushes that failed. */
  sweep(): void {
    this.parts.creation.sweep((repoId) => this.turns.isTaken(repoId));
  }
}

/** The same stream; `done` is called once, when it has been read to its end, failed or was cancelled. */
function afterwards(stream: ReadableStream<Uint8Array>, done: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const step = await reader.read();
          if (!step.done) {
            controller.enqueue(step.value);
            return;
          }
          done();
          controller.close();
        } catch (error) {
          done();
          controller.error(error);
        }
      },
      cancel: async (reason) => {
        await reader.cancel(reason);
        done();
      },
    },
    { highWaterMark: 0 },
  );
}
