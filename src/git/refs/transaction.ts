import { join } from "node:path";
import { GitError } from "../errors.ts";
import type { Signature } from "../objects/signature.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import {
  dropLock,
  isDirectory,
  makeDirectoryAbove,
  putInPlace,
  RefsLocked,
  readPackedRefs,
  removeDirectoriesAbove,
  removeEmptyDirectories,
  removeFile,
  replaceThroughLock,
  takeLock,
  writeThrough,
} from "./files.ts";
import { compareRefNames, isRefName } from "./names.ts";
import { formatPackedRefs } from "./packed-refs.ts";
import { MAX_SYMBOLIC, type RawRef, RawRefs } from "./raw.ts";
import { appendReflog, removeReflog } from "./reflog.ts";
import type { Ref } from "./types.ts";

/** A ref update was refused; nothing has changed. The message is git's. */
export class RefRefused extends GitError {
  override name = "RefRefused";
}

export interface RefEdit {
  /** `refs/…`, `HEAD` or another all-caps top-level name. */
  readonly name: string;
  /** null deletes; undefined only verifies. */
  readonly newOid: Oid | null | undefined;
  /** The expected current value; null: must not exist; undefined: any. */
  readonly oldOid: Oid | null | undefined;
  /** Changes a symbolic ref itself instead of the ref it names. */
  readonly noDeref?: boolean;
}

/** How changes are recorded in `logs/…`. */
export interface RefLogging {
  /** Called at most once, when something is logged. */
  who(): Signature;
  readonly reason: string;
  /** Whether to create a missing log; existing ones are always appended to. */
  begins(name: string): boolean;
}

/** The repository whose refs are changed. */
export interface RefPlace {
  readonly gitDir: string;
  /** Used to check that objects exist and their types. */
  readonly store: ObjectSource;
  /** Fills in the target of an annotated tag. */
  withPeeled(ref: Ref): Ref;
  readonly logging?: RefLogging;
  /** How long to wait for a held lock, in milliseconds; negative: forever. git's defaults if undefined. */
  readonly refLockTimeoutMs?: number | undefined;
  readonly packedLockTimeoutMs?: number | undefined;
}

/** git's defaults for `core.filesRefLockTimeout` and `core.packedRefsTimeout`. */
const REF_LOCK_TIMEOUT_MS = 100;
const PACKED_LOCK_TIMEOUT_MS = 1000;
const MAX_PAUSE_MS = 20;

interface Step extends RefEdit {
  /** The name to show in messages: that of the symbolic ref the step came from. */
  readonly shown: string;
  /** Symbolic refs followed so far. */
  readonly depth: number;
  /** For a symbolic ref, the step that is changed in its place; only the symbolic ref's log is written. */
  target?: Step;
  /** The ref's previous value; null: did not exist. */
  before: Oid | null;
  /** The open lock file. */
  lock?: { readonly path: string; fd: number | undefined };
  /** Whether the lock file contains the new value. */
  isWritten: boolean;
}

/**
 * An all-or-nothing update of refs in a repository, as in `git update-ref --stdin`. `prepare`
 * takes git's own lock file for each ref, compares and checks; after that only a disk error can make `commit` fail.
 * Between the renames of `commit` a reader may see some of the changes and not others, as with git.
 */
export class RefTransaction {
  private readonly raw: RawRefs;
  private edits: RefEdit[] = [];
  private steps: Step[] = [];
  private packed: { readonly fd: number; readonly refs: readonly Ref[] } | undefined;
  private isPrepared = false;
  private signature: Signature | undefined;
  private existing: string[] | undefined;

  constructor(private readonly place: RefPlace) {
    this.raw = new RawRefs(place.gitDir);
  }

  /** @throws RefRefused for a name git would not write; an existing ref with such a name may still be deleted */
  add(edit: RefEdit): void {
    if (!(edit.newOid === null ? isDeletableName(edit.name) : isWritableName(edit.name)))
      throw new RefRefused(`refusing to update ref with bad name '${edit.name}'`);
    this.edits.push(edit);
  }

  /** Takes the locks and compares. @throws RefRefused after releasing all locks */
  prepare(): void {
    try {
      this.lockAll();
      this.isPrepared = true;
    } catch (error) {
      this.abort();
      throw error;
    }
  }

  /** Leaves the transaction empty. @throws RefRefused when it cannot be prepared; the file system's error */
  commit(): void {
    if (!this.isPrepared) this.prepare();
    try {
      for (const step of this.steps) {
        if (step.target ? step.newOid !== undefined : step.isWritten) this.log(step);
        if (!step.isWritten || !step.lock) continue;
        putInPlace(step.lock.path);
        delete step.lock;
      }
      this.removeDeleted(this.steps.filter((step) => step.newOid === null && !step.target));
    } finally {
      this.abort();
    }
  }

  /** Discards uncommitted edits and releases their locks. */
  abort(): void {
    for (const step of this.steps) {
      if (!step.lock) continue;
      dropLock(step.lock.path, step.lock.fd);
      removeDirectoriesAbove(this.place.gitDir, step.name);
    }
    if (this.packed) dropLock(this.packedPath, this.packed.fd);
    this.packed = undefined;
    this.steps = [];
    this.edits = [];
    this.isPrepared = false;
    this.existing = undefined;
  }

  private lockAll(): void {
    const names = new Set<string>();
    for (const { name } of this.edits.toSorted((a, b) => compareRefNames(a.name, b.name))) {
      if (names.has(name)) throw new RefRefused(`multiple updates for ref '${name}' not allowed`);
      names.add(name);
    }
    const head = this.raw.read("HEAD");
    this.steps = this.edits.map((edit) => stepOf(edit, edit.name, 0));
    // The targets of symbolic refs are appended during the loop.
    for (let at = 0; at < this.steps.length; at++) {
      const step = this.steps[at]!;
      if (step.target) continue;
      if (head.kind === "symbolic" && head.target === step.name && step.newOid !== undefined)
        this.followHead(step, names);
      const present = this.raw.read(step.name);
      if (present.kind === "symbolic" && !step.noDeref) this.follow(step, present.target, names);
      else this.lock(step, present);
    }
    for (const step of this.steps) for (let at = step.target; at; at = at.target) step.before = at.before;
    if (this.steps.some((step) => step.newOid === null && step.before !== null)) this.lockPacked();
  }

  /** A change to the branch HEAD names is also logged for HEAD. */
  private followHead(step: Step, names: Set<string>): void {
    if (this.steps.some((other) => other.name === "HEAD" && other.target === step)) return;
    if (names.has("HEAD"))
      throw new RefRefused(
        `multiple updates for 'HEAD' (including one via its referent '${step.name}') are not allowed`,
      );
    names.add("HEAD");
    this.steps.push({ ...stepOf({ ...step, name: "HEAD" }, "HEAD", 0), target: step });
  }

  private follow(step: Step, target: string, names: Set<string>): void {
    if (names.has(target))
      throw new RefRefused(
        `multiple updates for '${target}' (including one via symref '${step.name}') are not allowed`,
      );
    if (step.depth >= MAX_SYMBOLIC || !isWritableName(target))
      throw new RefRefused(`cannot lock ref '${step.shown}': unable to resolve reference '${step.name}'`);
    names.add(target);
    step.target = stepOf({ ...step, name: target }, step.shown, step.depth + 1);
    this.steps.push(step.target);
  }

  private lock(step: Step, present: RawRef): void {
    const { name, newOid, oldOid } = step;
    const cannot = (why: string) => new RefRefused(`cannot lock ref '${step.shown}': ${why}`);
    if (present.kind === "missing") {
      if (oldOid) throw cannot(`unable to resolve reference '${name}'`);
      this.checkWay(name, cannot);
    }
    if (present.kind === "broken") throw cannot(`unable to resolve reference '${name}': reference broken`);
    const lock: Step["lock"] = this.lockFileOf(name, cannot);
    step.lock = lock;
    // Read again under the lock: no one else can change it now.
    const locked = this.raw.read(name);
    if (locked.kind === "oid") step.before = locked.oid;
    else if (locked.kind === "symbolic") step.before = this.raw.resolve(locked.target) ?? null;
    if (oldOid !== undefined && oldOid !== step.before) {
      if (oldOid === null) throw cannot("reference already exists");
      throw cannot(
        step.before === null
          ? `reference is missing but expected ${oldOid}`
          : `is at ${step.before} but expected ${oldOid}`,
      );
    }
    if (!newOid || (newOid === step.before && locked.kind === "oid")) return;
    this.checkObject(step, newOid);
    const { fd } = lock;
    lock.fd = undefined;
    if (fd !== undefined) writeThrough(fd, `${newOid}\n`);
    step.isWritten = true;
  }

  private checkObject({ name }: Step, oid: Oid): void {
    const cannot = (why: string) => new RefRefused(`cannot update ref '${name}': trying to write ${why}`);
    const type = this.place.store.header(oid)?.type;
    if (type === undefined) throw cannot(`ref '${name}' with nonexistent object ${oid}`);
    if (type !== "commit" && (name === "HEAD" || name.startsWith("refs/heads/")))
      throw cannot(`non-commit object ${oid} to branch '${name}'`);
  }

  /** A new ref must not be created where there is a directory of refs, or vice versa. */
  private checkWay(name: string, cannot: (why: string) => RefRefused): void {
    const isInTheWay = (other: string) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`);
    this.existing ??= this.raw.names();
    const other = this.existing.find(isInTheWay);
    const beside = this.edits.find((edit) => isInTheWay(edit.name));
    if (other !== undefined) throw cannot(`'${other}' exists; cannot create '${name}'`);
    if (!beside) return;
    throw cannot(`cannot process '${name}' and '${beside.name}' at the same time`);
  }

  private lockFileOf(name: string, cannot: (why: string) => RefRefused): { path: string; fd: number } {
    const path = this.raw.pathOf(name);
    try {
      removeEmptyDirectories(path);
      if (isDirectory(path)) throw cannot(`there is a non-empty directory '${path}' blocking reference '${name}'`);
      makeDirectoryAbove(path);
      return { path, fd: waitForLock(path, this.place.refLockTimeoutMs ?? REF_LOCK_TIMEOUT_MS) };
    } catch (error) {
      if (isNameTooLong(error)) throw cannot(`unable to resolve reference '${name}': File name too long`);
      const words = lockTrouble(error);
      if (words === undefined) throw error;
      throw cannot(`Unable to create '${path}.lock': ${words}`);
    }
  }

  private lockPacked(): void {
    let fd: number;
    try {
      fd = waitForLock(this.packedPath, this.place.packedLockTimeoutMs ?? PACKED_LOCK_TIMEOUT_MS);
    } catch (error) {
      const words = lockTrouble(error);
      if (words === undefined) throw error;
      throw new RefRefused(`Unable to create '${this.packedPath}.lock': ${words}`);
    }
    this.packed = { fd, refs: readPackedRefs(this.place.gitDir).refs };
  }

  /** The packed refs go first: a packed value must not reappear when the loose file that overrides it is removed. */
  private removeDeleted(gone: readonly Step[]): void {
    if (this.packed) {
      const { fd, refs } = this.packed;
      this.packed = undefined;
      const names = new Set(gone.map(({ name }) => name));
      const rest = refs.filter((ref) => !names.has(ref.name));
      if (rest.length === refs.length) dropLock(this.packedPath, fd);
      else replaceThroughLock(this.packedPath, fd, formatPackedRefs(rest.map((ref) => this.place.withPeeled(ref))));
    }
    for (const step of gone) {
      if (!step.lock) continue;
      removeFile(step.lock.path);
      dropLock(step.lock.path, step.lock.fd);
      delete step.lock;
      removeReflog(this.place.gitDir, step.name);
      removeDirectoriesAbove(this.place.gitDir, step.name);
    }
  }

  private log(step: Step): void {
    const { logging, store } = this.place;
    if (!logging) return;
    const { zeroOid } = store.format;
    this.signature ??= logging.who();
    const entry = {
      oldOid: step.before ?? zeroOid,
      newOid: step.newOid ?? zeroOid,
      who: this.signature,
      reason: logging.reason,
    };
    appendReflog(this.place.gitDir, step.name, entry, logging.begins(step.name));
  }

  private get packedPath(): string {
    return join(this.place.gitDir, "packed-refs");
  }
}

function stepOf({ name, newOid, oldOid, noDeref }: RefEdit, shown: string, depth: number): Step {
  return { name, newOid, oldOid, noDeref: noDeref ?? false, shown, depth, before: null, isWritten: false };
}

/** Other top-level names are git's own files (`config`), which a ref must not replace. */
function isWritableName(name: string): boolean {
  return name.startsWith("refs/") ? isRefName(name) : /^[A-Z][A-Z_]*$/.test(name);
}

/** Also allows names git would not write, as long as they stay below `refs/`, as `git update-ref -d` does. */
function isDeletableName(name: string): boolean {
  const isInside = name.startsWith("refs/") && !name.includes("\0");
  return isWritableName(name) || (isInside && name.split("/").every((part) => !["", ".", ".."].includes(part)));
}

function isNameTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENAMETOOLONG";
}

const ANOTHER_GIT = `

Another git process seems to be running in this repository, e.g.
an editor opened by 'git commit'. Please make sure all processes
are terminated then try again. If it still fails, a git process
may have crashed in this repository earlier:
remove the file manually to continue.`;

/** @throws RefsLocked when the lock is still held at the timeout; the file system's error */
function waitForLock(path: string, timeoutMs: number): number {
  const end = timeoutMs < 0 ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return takeLock(path);
    } catch (error) {
      if (!(error instanceof RefsLocked) || performance.now() >= end) throw error;
    }
    Bun.sleepSync(pauseMs);
  }
}

/** Why a lock file could not be created, in the system's words; undefined for other errors. */
function lockTrouble(error: unknown): string | undefined {
  if (error instanceof RefsLocked) return `File exists.${ANOTHER_GIT}`;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EROFS") return "Read-only file system";
  if (code === "EACCES") return "Permission denied";
  return code === "ENOTDIR" || code === "EEXIST" ? "Not a directory" : undefined;
}
