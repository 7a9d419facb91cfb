import { atLeast } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import { SHA1 } from "../git/objects/format.ts";
import { refNameText, withTextNames } from "../git/refs/names.ts";
import type { RefChange } from "../git/refs/types.ts";
import {
  type PushOutcome,
  type Refusal,
  receivePack,
  refusePush,
  type VerifiedPush,
} from "../git/transport/receive/receive-pack.ts";
import type { CommandResult } from "../git/transport/receive/report.ts";
import { DEFAULT_PUSH_LIMITS } from "../git/transport/receive/request.ts";
import type { ErrorMessages } from "../http/error-words.ts";
import type { Authenticator } from "../identity/authenticate.ts";
import { clientNetwork } from "../kernel/client-network.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { type DiskTrouble, diskTrouble } from "../kernel/disk.ts";
import { Failure, NotFound, WritesStopped } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { Semaphore } from "../kernel/semaphore.ts";
import { languageOfCode } from "../language/choose.ts";
import { english } from "../language/language.ts";
import type { LiveHub } from "../live/hub.ts";
import type { RepoRegistration } from "../repos/creation/registration.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import { codeFolderOf, folderUnits, type GitFolder } from "../repos/folders/types.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoRemoval } from "../repos/removal.ts";
import type { Examination, PushRules } from "../repos/rules/service.ts";
import type { ProposedChange } from "../repos/rules/types.ts";
import type { RepoService } from "../repos/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { Repo, SeenRepo } from "../repos/types.ts";
import { JobTimedOut, type WorkerPool } from "../workers/pool.ts";
import type { GitTarget, SeenFolder } from "./access.ts";
import { evaluatePushRules, NO_WRITING, type PushRefusal, type PushRequested } from "./push-rules.ts";
import { REFS_FOR, type ReceivedPull, type RefsFor } from "./refs-for.ts";
import { pushWords } from "./words/index.ts";

export interface PushOptions {
  readonly maxPackBytes: number;
  readonly maxObjectBytes: number;
  readonly maxObjects: number;
  /** Refs that one push may change. */
  readonly maxRefChanges: number;
  /** The same for a push that is atomic: one transaction, for which others wait. */
  readonly maxAtomicRefChanges: number;
  readonly concurrentPerRepo: number;
  readonly newArePrivate: boolean;
}

/** A slow push holds memory and a thread for as long as its sender likes: no account and no network has many. */
const PUSHES_OF_ONE_USER = 4;
const PUSHES_OF_ONE_NETWORK = 8;

/** A signal that nothing fires. */
const NEVER = new AbortController().signal;

/** Refs that become true at once: some ten milliseconds. */
const SLICE = 250;

/** What of a push may be done. */
interface Allowed {
  readonly refusals?: undefined;
  readonly target: SeenFolder;
  /** Why others may not, by name. */
  readonly declined: ReadonlyMap<string, string>;
  readonly allowed: VerifiedPush["commands"];
}

type Judged = Allowed | { readonly refusals: readonly PushRefusal[] };

/** What an area tells a pusher of refs that moved, line by line. */
export type PushAdvice = (seen: SeenRepo, moved: readonly RefChange[]) => readonly string[];

/** Receives pushes: the engine verifies the pack, the rules judge the refs, one transaction makes them true. */
export class PushService {
  private readonly turns: Semaphore;
  /** Of one account in all repositories. */
  private readonly turnsOfUser = new Semaphore(PUSHES_OF_ONE_USER);
  private readonly turnsOfNetwork = new Semaphore<string>(PUSHES_OF_ONE_NETWORK);
  private readonly advisers: PushAdvice[] = [];

  constructor(
    private readonly authenticator: Pick<Authenticator, "refreshed">,
    private readonly repos: RepoService,
    private readonly repoRegistration: RepoRegistration,
    private readonly repoRemoval: RepoRemoval,
    private readonly folders: GitFolders,
    private readonly refs: RefService,
    private readonly rules: PushRules,
    private readonly refsFor: RefsFor,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    private readonly live: LiveHub,
    private readonly log: Log,
    private readonly messages: ErrorMessages,
    private readonly crash: CrashPoint,
    private readonly options: PushOptions,
  ) {
    this.turns = new Semaphore(options.concurrentPerRepo);
  }

  /** Called by areas while they are wired. */
  adviseWith(advice: PushAdvice): void {
    this.advisers.push(advice);
  }

  /**
   * Answers a receive-pack request of an principal whom GitAccess let in; makes the repository first where it may.
   * @throws NotFound the repository could not be made
   */
  async receive(
    target: GitTarget,
    principal: Principal,
    address: string,
    body: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const made = "create" in target;
    let release = made ? await this.enter(undefined, principal, address, signal) : () => {};
    let before: SeenFolder;
    try {
      before = made ? await this.make(target.create, principal) : target;
      if (made) {
        // At once: nobody else has a place there, and `sweep` looks whether somebody has.
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
          : this.wordsFor(error, principal);
      if (words === undefined) throw error;
      this.log.warn("a push could not make its repository", { error });
      return refusePush(body, SHA1, words);
    }
    const { seen, folder } = before;
    let written = () => {};
    let over = false;
    const done = () => {
      if (over) return;
      over = true;
      release();
      written();
      if (made) this.endMaking(seen.repo, principal);
    };
    try {
      const answer = await receivePack({
        repoDir: this.storage.dirOf(folder.id),
        format: folder.objectFormat,
        body,
        connectedTo: () => this.refs.list(folder.id).map((ref) => ref.oid),
        pool: this.pool,
        ...(principal.user ? { share: `account:${principal.user.id}` } : {}),
        signal,
        limits: {
          pack: {
            packBytes: this.options.maxPackBytes,
            objectBytes: this.options.maxObjectBytes,
            objects: this.options.maxObjects,
          },
          push: {
            ...DEFAULT_PUSH_LIMITS,
            commands: this.options.maxRefChanges,
            atomicCommands: this.options.maxAtomicRefChanges,
          },
        },
        begin: async (request) => {
          if (!made) {
            const refusal = this.refusedAtOnce(before, { ...request, commands: withTextNames(request.commands) });
            if (refusal) return refusal;
            release = await this.enter(folder.id, principal, address, signal);
          }
          written = this.storage.writing(folder.id);
          return undefined;
        },
        onProgress: (text) =>
          this.live.publish(`repo:${seen.repo.id}`, {
            event: "push.progress",
            data: text,
            unit: folderUnits[folder.kind],
          }),
        onError: (error) => this.noteError(folder, error),
        wordsFor: (error) => this.wordsFor(error, principal),
        apply: async (push, say) => {
          const { results } = await this.apply(
            before,
            principal,
            { ...push, commands: withTextNames(push.commands) },
            say,
          );
          // One for each command, in their order: the engine knows them by its own names.
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

  /** Who may change nothing of what they ask for costs no thread, no disk and no one's place. */
  private refusedAtOnce(target: SeenFolder, request: PushRequested): Refusal | undefined {
    const { refusals, declined } = evaluatePushRules(target, request, this.refsFor, this.rules);
    const [refusal] = refusals;
    if (refusal !== undefined)
      return { words: refusalText([refusal], target.seen.principal), reasonOf: () => DECLINED };
    if (declined.size < request.commands.length) return undefined;
    return { words: undefined, reasonOf: (name) => declined.get(refNameText(name)) ?? DECLINED };
  }

  /**
   * Places for a push. The folder's first, so that who waits for one repository does not wait with all their pushes to
   * others; one that is yet to be made has its own when it is made.
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
      places.push(await this.turnsOfUser.enter(principal.user?.id ?? 0, signal));
      places.push(await this.turnsOfNetwork.enter(clientNetwork(address), signal));
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  private async apply(
    before: SeenFolder,
    principal: Principal,
    push: VerifiedPush,
    say: (text: string) => void,
  ): Promise<PushOutcome> {
    // The pack may have taken an hour: what the pusher may do is asked again, now, and once it is in its place.
    const examined = await this.examine(before, principal, push);
    const early = this.judged(before, principal, push, examined);
    if (!early.refusals && early.allowed.length > 0) {
      this.crash("push.before-admit");
      if (push.pack) await this.pool.run("git.admit", push.pack, { lane: "writes" });
      this.crash("push.after-admit");
    }
    const judged = this.judged(before, principal, push, examined);
    if (judged.refusals) {
      say(refusalText(judged.refusals, principal));
      return { results: push.commands.map(({ name }) => ({ name, ok: false, reason: DECLINED })) };
    }
    const { target, declined, allowed } = judged;
    const refs = allowed.filter((change) => !isRequest(change));
    const results = await this.changeInSlices(before, principal, push, examined, { target, allowed: refs });
    for (const change of allowed)
      if (isRequest(change)) {
        const received = await this.refsFor.receive(target.seen, change, push.pushOptions, say);
        results.push(resultOf(change, received, target.seen.repo));
      }
    await this.refs.projected();
    this.advise(target, refs, results, say);
    const byName = new Map(results.map((result) => [result.name, result]));
    return {
      results: push.commands.map(({ name }): CommandResult => {
        const reason = declined.get(name) ?? "atomic push failure";
        return byName.get(name) ?? { name, ok: false, reason };
      }),
    };
  }

  private advise(
    { seen, folder }: SeenFolder,
    refs: readonly RefChange[],
    results: readonly CommandResult[],
    say: (text: string) => void,
  ): void {
    if (folder.kind !== "code") return;
    const done = new Set(results.filter(({ ok }) => ok).map(({ name }) => name));
    const moved = refs.filter(({ name }) => done.has(name));
    const lines = this.advisers.flatMap((advice) => advice(seen, moved));
    if (lines.length > 0) say(["", ...lines, ""].join("\n"));
  }

  /** Has the rules find out what they must know of the pack in quarantine. */
  private async examine(before: SeenFolder, principal: Principal, push: VerifiedPush): Promise<Examination> {
    const target = this.present(before, principal) ?? before;
    return this.rules.examine(proposed(target, push.commands), { quarantineDir: push.pack?.quarantineDir });
  }

  /** The folder as the pusher sees it now; undefined: not at all. */
  private present(before: SeenFolder, principal: Principal): SeenFolder | undefined {
    const present = this.authenticator.refreshed(principal);
    const seen = present && this.repos.seeById(present, before.seen.repo.id);
    const folder = this.folders.byId(before.folder.id);
    return seen && folder && { seen, folder };
  }

  /** What of a push may be done now: nothing, for which there are words, or some of its commands. */
  private judged(before: SeenFolder, principal: Principal, push: VerifiedPush, examined: Examination): Judged {
    const target = this.present(before, principal);
    if (!target || target.seen.repo.isArchived) return { refusals: [NO_WRITING] };
    const { refusals, declined } = evaluatePushRules(target, push, this.refsFor, this.rules);
    const refusal = refusals[0] ?? this.refusedOptions(target.seen, push.pushOptions);
    if (refusal !== undefined) return { refusals: [refusal] };
    const reasons = new Map(declined);
    // What another area does for a pull request is not one transaction with refs.
    if (push.atomic && push.commands.some(isRequest) && !push.commands.every(isRequest))
      for (const { name } of push.commands.filter(isRequest)) reasons.set(name, "atomic push failure");
    const said: string[] = [];
    for (const [name, { failure, alone }] of this.rules.refusals(proposed(target, push.commands), examined)) {
      const words = this.messages.of(failure);
      if (alone) reasons.set(name, reasons.get(name) ?? words);
      else said.push(words);
    }
    if (said.length > 0) return { refusals: [...new Set(said)].map((words) => () => words) };
    const allowed = push.commands.filter(({ name }) => !reasons.has(name));
    return { target, declined: reasons, allowed: push.atomic && reasons.size > 0 ? [] : allowed };
  }

  /**
   * A push of thousands of refs that is not atomic becomes true a slice at a time, so that others are served between;
   * what the pusher may do is asked again for each.
   */
  private async changeInSlices(
    before: SeenFolder,
    principal: Principal,
    push: VerifiedPush,
    examined: Examination,
    { target, allowed }: Pick<Allowed, "target" | "allowed">,
  ): Promise<CommandResult[]> {
    if (allowed.length === 0) return [];
    if (push.atomic) return [...this.change(target, principal, push, allowed)];
    const changed = [...this.change(target, principal, push, allowed.slice(0, SLICE))];
    for (let at = SLICE; at < allowed.length; at += SLICE) {
      await new Promise((resolve) => setImmediate(resolve));
      const commands = allowed.slice(at, at + SLICE);
      const now = this.judged(before, principal, { ...push, commands }, examined);
      const fine = new Set(now.refusals ? [] : now.allowed);
      if (!now.refusals && fine.size > 0) changed.push(...this.change(now.target, principal, push, [...fine]));
      const left = commands.filter((command) => !fine.has(command));
      changed.push(...left.map(({ name }) => ({ name, ok: false as const, reason: DECLINED })));
    }
    return changed;
  }

  private change(
    { seen, folder }: SeenFolder,
    principal: Principal,
    push: VerifiedPush,
    allowed: VerifiedPush["commands"],
  ): readonly CommandResult[] {
    const wasEmpty = folder.kind === "code" && folder.isEmpty;
    return this.refs.change(folder.id, {
      principal,
      changes: allowed,
      atomic: push.atomic,
      alongside: () => {
        if (wasEmpty) this.repos.setByPush(seen.repo, wantedByOptions(push.pushOptions));
      },
    });
  }

  /** `repo.*` options need an administrator of the repository, before anything changes (security rule A22). */
  private refusedOptions(seen: SeenRepo, options: readonly string[]): PushRefusal | undefined {
    const asked = options.some((option) => option.startsWith("repo."));
    return asked && !atLeast(seen.access.level, "admin") ? (t) => t("repoSettings") : undefined;
  }

  private noteError(folder: GitFolder, error: unknown): void {
    this.storage.noteFailure(error);
    if (!(error instanceof Failure) && diskTrouble(error) === undefined)
      this.log.error("a push failed", { folder: folder.id, error });
    else this.log.warn("a push could not be stored", { folder: folder.id, error });
  }

  /** At start and now and then: takes away what pushes made that came to nothing. */
  sweep(): void {
    this.repoRemoval.endPushes((repoId) => this.turns.isTaken(repoId));
  }

  /** What a pusher may hear of an error that is the server's. */
  private wordsFor(error: unknown, principal: Principal): string | undefined {
    if (error instanceof Failure) return this.messages.of(error);
    if (error instanceof JobTimedOut) return pusherWords(principal)("tookTooLong");
    const trouble = diskTrouble(error);
    return trouble && troubleText(trouble, principal);
  }

  private endMaking(repo: Repo, principal: Principal): void {
    try {
      this.repoRemoval.pushEnded(principal, repo);
    } catch (error) {
      this.log.warn("it could not be recorded that the push that made a repository is over", { repo: repo.id, error });
    }
  }

  private async make(create: { owner: SeenRepo["owner"]; name: string }, principal: Principal): Promise<SeenFolder> {
    if (!principal.user) throw new NotFound("git.repository-missing");
    let repo: Repo;
    try {
      repo = await this.repoRegistration.create(principal, {
        owner: create.owner,
        name: create.name,
        isPrivate: this.options.newArePrivate,
        awaitsPush: true,
      });
    } catch (error) {
      if (diskTrouble(error) !== undefined || error instanceof WritesStopped) throw error;
      throw new NotFound("git.repository-missing");
    }
    const seen = this.repos.seeById(principal, repo.id);
    if (!seen) throw new NotFound("git.repository-missing");
    return { seen, folder: codeFolderOf(seen.repo) };
  }
}

/** What a client prints after each ref when all of them are refused, and before. */
const DECLINED = "pre-receive hook declined";

/** Says messages in the language that the pusher's account is set to. */
const pusherWords = ({ user }: Principal) => pushWords.in(languageOfCode(user?.language ?? "") ?? english);

const refusalText = (refusals: readonly PushRefusal[], principal: Principal) =>
  `error:\n${refusals.map((refusal) => `error: ${refusal(pusherWords(principal))}\n`).join("")}error:`;

function troubleText(trouble: DiskTrouble, principal: Principal): string {
  const t = pusherWords(principal);
  if (trouble === "full") return t("diskFull");
  return trouble === "readonly" ? t("diskReadOnly") : t("diskFailed");
}

/** Asks for a pull request. */
function isRequest({ name }: RefChange): boolean {
  return name.startsWith(REFS_FOR);
}

/** Commands as the rules see them: those of the code, without requests for pull requests, which change no ref by themselves. */
function proposed({ seen, folder }: SeenFolder, commands: VerifiedPush["commands"]): ProposedChange[] {
  if (folder.kind !== "code") return [];
  return commands
    .filter((command) => !isRequest(command))
    .map((command) => ({ ...command, seen, via: "push" as const }));
}

/** A report of the ref that was moved instead of the one that was named (gitprotocol-pack, report-status-v2). */
function resultOf({ name, newOid }: RefChange, received: ReceivedPull, { objectFormat }: Repo): CommandResult {
  if (!received.ok) return { name, ok: false, reason: received.reason };
  const { refname, oldOid, isForced } = received;
  const options = { refname, oldOid: oldOid ?? objectFormat.zeroOid, forcedUpdate: isForced };
  return { name, ok: true, options: newOid === null ? options : { ...options, newOid } };
}

/** The same stream; `done` is called once, when it has been read to its end, failed or was given up. */
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

/** Push options that set a repository's flags; a bare one counts as true. Others are ignored, as git servers do. */
function wantedByOptions(options: readonly string[]): { isPrivate?: boolean; isTemplate?: boolean } {
  const wanted: { isPrivate?: boolean; isTemplate?: boolean } = {};
  for (const option of options) {
    const [name, value = "true"] = option.split("=", 2);
    if (value !== "true" && value !== "false") continue;
    if (name === "repo.private") wanted.isPrivate = value === "true";
    if (name === "repo.template") wanted.isTemplate = value === "true";
  }
  return wanted;
}
