import { atLeast } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { Oid } from "../git/objects/types.ts";
import type { RefChange } from "../git/refs/types.ts";
import type { PushOutcome, VerifiedPush } from "../git/transport/receive/receive-pack.ts";
import type { CommandResult } from "../git/transport/receive/report.ts";
import type { ErrorMessages } from "../http/error-words.ts";
import type { Authenticator } from "../identity/authenticate.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { Failure } from "../kernel/errors.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { Examination, PushRules } from "../repos/rules/service.ts";
import type { ProposedChange } from "../repos/rules/types.ts";
import type { RepoService } from "../repos/service.ts";
import type { Repo, SeenRepo } from "../repos/types.ts";
import type { WorkerPool } from "../workers/pool.ts";
import type { SeenFolder } from "./access.ts";
import { evaluatePushRules, NO_WRITING, type PushRefusal } from "./push-rules.ts";
import { DECLINED, refusalText } from "./push-words.ts";
import { REFS_FOR, type ReceivedPull, type RefsFor } from "./refs-for.ts";

/** Refs changed per transaction: some ten milliseconds. */
const SLICE = 250;

/** The permitted part of a push. */
interface Allowed {
  readonly refusals?: undefined;
  readonly target: SeenFolder;
  /** The reasons for refusing the others, by name. */
  readonly declined: ReadonlyMap<string, string>;
  readonly allowed: VerifiedPush["commands"];
}

/** The changes of one transaction. */
interface Changed extends Pick<Allowed, "allowed"> {
  /** The targets of the tags among the new objects. */
  readonly targets: ReadonlyMap<Oid, Oid> | undefined;
  /** Bytes added to the repository. */
  readonly incomingBytes: number;
}

type Judged = Allowed | { readonly refusals: readonly PushRefusal[] };

/** An area's messages to a pusher about moved refs, line by line. */
export type PushAdvice = (seen: SeenRepo, moved: readonly RefChange[]) => readonly string[];

/** Carries out a verified push, all of it or what the rules permit: evaluates it, admits its pack, changes its refs. */
export class PushAdmission {
  private readonly advisers: PushAdvice[] = [];

  constructor(
    private readonly authenticator: Pick<Authenticator, "refreshed">,
    private readonly repos: RepoService,
    private readonly folders: GitFolders,
    private readonly refs: RefService,
    private readonly rules: PushRules,
    private readonly refsFor: RefsFor,
    private readonly pool: WorkerPool,
    private readonly messages: ErrorMessages,
    private readonly crash: CrashPoint,
  ) {}

  adviseWith(advice: PushAdvice): void {
    this.advisers.push(advice);
  }

  async apply(
    before: SeenFolder,
    principal: Principal,
    push: VerifiedPush,
    say: (text: string) => void,
  ): Promise<PushOutcome> {
    // Receiving the pack may have taken an hour: permissions are checked again now, and once it is in place.
    const examined = await this.examine(before, principal, push);
    const early = this.judged(before, principal, push, examined);
    if (!early.refusals && early.allowed.length > 0) {
      this.crash("push.before-admit");
      if (push.pack) await this.pool.run("git.admit", push.pack, { lane: "writes" });
      this.crash("push.after-admit");
    }
    const targets = early.refusals ? undefined : await this.targetsOf(before, early.allowed);
    const judged = this.judged(before, principal, push, examined);
    if (judged.refusals) {
      say(refusalText(judged.refusals, principal));
      return { results: push.commands.map(({ name }) => ({ name, ok: false, reason: DECLINED })) };
    }
    const { target, declined, allowed } = judged;
    const refs = allowed.filter((change) => !isRequest(change));
    const results = await this.changeInSlices(before, principal, push, examined, {
      target,
      allowed: refs,
      targets,
    });
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

  /** Lets the rules examine the pack in quarantine. */
  private async examine(before: SeenFolder, principal: Principal, push: VerifiedPush): Promise<Examination> {
    const target = this.present(before, principal) ?? before;
    return this.rules.examine(proposed(target, push.commands), { quarantineDir: push.pack?.quarantineDir });
  }

  /** The directory as the pusher sees it now; undefined if they no longer do. */
  private present(before: SeenFolder, principal: Principal): SeenFolder | undefined {
    const present = this.authenticator.refreshed(principal);
    const seen = present && this.repos.seeById(present, before.seen.repo.id);
    const folder = this.folders.byId(before.folder.id);
    return seen && folder && { seen, folder };
  }

  /** The currently permitted part of a push: nothing, with the reasons, or some of its commands. */
  private judged(before: SeenFolder, principal: Principal, push: VerifiedPush, examined: Examination): Judged {
    const target = this.present(before, principal);
    if (!target || target.seen.repo.isArchived) return { refusals: [NO_WRITING] };
    const { refusals, declined } = evaluatePushRules(target, push, this.refsFor, this.rules);
    const refusal = refusals[0] ?? this.refusedOptions(target.seen, push.pushOptions);
    if (refusal !== undefined) return { refusals: [refusal] };
    const reasons = new Map(declined);
    // What another area does for a pull request cannot share a transaction with refs.
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
    const full = this.refusedByGuards(target, allowed, examined);
    if (full) return { refusals: [() => this.messages.of(full)] };
    return { target, declined: reasons, allowed: push.atomic && reasons.size > 0 ? [] : allowed };
  }

  /** Objections of areas to the content of a directory without rules. */
  private refusedByGuards(
    { seen, folder }: SeenFolder,
    commands: VerifiedPush["commands"],
    { incomingBytes }: Examination,
  ): Failure | undefined {
    if (folder.kind === "code" || commands.every(({ newOid }) => newOid === null)) return undefined;
    try {
      this.rules.guardFolder(seen, folder.kind, incomingBytes);
      return undefined;
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  }

  private targetsOf({ folder }: SeenFolder, changes: readonly RefChange[]): Promise<ReadonlyMap<Oid, Oid>> {
    const oids = changes.flatMap((change) => (isRequest(change) ? [] : (change.newOid ?? [])));
    return this.refs.targetsOf(folder.id, oids);
  }

  /**
   * A non-atomic push of thousands of refs is applied in batches, so that others are served in between; permissions
   * are checked again for each.
   */
  private async changeInSlices(
    before: SeenFolder,
    principal: Principal,
    push: VerifiedPush,
    examined: Examination,
    { target, allowed, targets }: Pick<Allowed, "target" | "allowed"> & Pick<Changed, "targets">,
  ): Promise<CommandResult[]> {
    if (allowed.length === 0) return [];
    const { incomingBytes } = examined;
    if (push.atomic) return [...this.change(target, principal, push, { allowed, targets, incomingBytes })];
    const changed = [
      ...this.change(target, principal, push, { allowed: allowed.slice(0, SLICE), targets, incomingBytes }),
    ];
    // The incoming bytes have been counted.
    const counted = { ...examined, incomingBytes: 0 };
    for (let at = SLICE; at < allowed.length; at += SLICE) {
      await nextTurn();
      const commands = allowed.slice(at, at + SLICE);
      const now = this.judged(before, principal, { ...push, commands }, counted);
      const fine = new Set(now.refusals ? [] : now.allowed);
      if (!now.refusals && fine.size > 0)
        changed.push(...this.change(now.target, principal, push, { allowed: [...fine], targets, incomingBytes: 0 }));
      const left = commands.filter((command) => !fine.has(command));
      changed.push(...left.map(({ name }) => ({ name, ok: false as const, reason: DECLINED })));
    }
    return changed;
  }

  private change(
    { seen, folder }: SeenFolder,
    principal: Principal,
    push: VerifiedPush,
    { allowed, targets, incomingBytes }: Changed,
  ): readonly CommandResult[] {
    const wasEmpty = folder.kind === "code" && folder.isEmpty;
    return this.refs.change(folder.id, {
      principal,
      changes: allowed,
      atomic: push.atomic,
      ...(targets ? { targets } : {}),
      alongside: () => {
        if (folder.kind === "code") this.repos.grow(seen.repo.id, incomingBytes);
        if (wasEmpty) this.repos.setByPush(seen.repo, wantedByOptions(push.pushOptions));
      },
    });
  }

  /**
   * `repo.*` options require an administrator of the repository, checked before anything changes (security rule A22).
   */
  private refusedOptions(seen: SeenRepo, options: readonly string[]): PushRefusal | undefined {
    const asked = options.some((option) => option.startsWith("repo."));
    return asked && !atLeast(seen.access.level, "admin") ? (t) => t("repoSettings") : undefined;
  }
}

/** Whether it requests a pull request. */
function isRequest({ name }: RefChange): boolean {
  return name.startsWith(REFS_FOR);
}

/** Commands for the rules: those for the code, without pull requests, which change no ref themselves. */
function proposed({ seen, folder }: SeenFolder, commands: VerifiedPush["commands"]): ProposedChange[] {
  if (folder.kind !== "code") return [];
  return commands
    .filter((command) => !isRequest(command))
    .map((command) => ({ ...command, seen, via: "push" as const }));
}

/** Reports the ref that was moved instead of the named one (gitprotocol-pack, report-status-v2). */
function resultOf({ name, newOid }: RefChange, received: ReceivedPull, { objectFormat }: Repo): CommandResult {
  if (!received.ok) return { name, ok: false, reason: received.reason };
  const { refname, oldOid, isForced } = received;
  const options = { refname, oldOid: oldOid ?? objectFormat.zeroOid, forcedUpdate: isForced };
  return { name, ok: true, options: newOid === null ? options : { ...options, newOid } };
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
