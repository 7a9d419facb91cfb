import { join } from "node:path";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { dropLock, readHead, replaceThroughLock, takeLock } from "../../src/git/refs/files.ts";
import { appendReflog, removeReflog } from "../../src/git/refs/reflog.ts";
import { refusalOf } from "../../src/git/refs/refusal.ts";
import type { Terminal } from "./command.ts";
import { personOf } from "./persons.ts";

export interface RefWish {
  readonly name: string;
  /** null deletes. */
  readonly newOid: Oid | null;
  /** What the ref must be now; null: not there; undefined: anything. */
  readonly oldOid: Oid | null | undefined;
  /** Only compare. */
  readonly isCheck?: boolean;
}

export interface HowToMove {
  readonly reason: string;
  /** Follow HEAD to the branch it names. */
  readonly deref: boolean;
  /** Begin a log where there is none. */
  readonly beginLog: boolean;
}

interface Step extends RefWish {
  readonly deref: boolean;
}

/** Changes of refs that all happen or none does. */
export class RefTransaction {
  private steps: Step[] = [];
  private nextDeref: boolean;

  constructor(
    private readonly repository: RepositoryFolder,
    private readonly terminal: Terminal,
    private readonly how: HowToMove,
  ) {
    this.nextDeref = how.deref;
  }

  add(wish: RefWish): void {
    this.steps.push({ ...wish, deref: this.nextDeref });
    this.nextDeref = this.how.deref;
  }

  /** The next change is of HEAD itself. */
  withoutDeref(): void {
    this.nextDeref = false;
  }

  /** Why it would not go through, in git's words; undefined when it would. */
  refusal(): string | undefined {
    const names = this.steps.map((step) => this.targetOf(step));
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) return `multiple updates for ref '${twice}' not allowed`;
    for (const step of this.steps) {
      const refusal = this.refusalOf(step);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  /** Makes the changes and writes the logs; answers why it did not. The transaction is empty then. */
  commit(): string | undefined {
    const refusal = this.refusal();
    const { refs } = this.repository;
    if (refusal !== undefined) return refusal;
    const moves = this.steps
      .filter((step) => !step.isCheck && this.targetOf(step) !== "HEAD")
      .map((step) => {
        const name = this.targetOf(step);
        return { name, oldOid: refs.resolve(name)?.oid ?? null, newOid: step.newOid };
      });
    const failed = refs.update(moves, { atomic: true }).find((result) => !result.ok);
    if (failed) return `cannot lock ref '${failed.name}': it changed meanwhile`;
    for (const move of moves) this.log(move.name, move.oldOid, move.newOid);
    for (const step of this.steps) if (!step.isCheck && this.targetOf(step) === "HEAD") this.detach(step.newOid);
    this.steps = [];
    return undefined;
  }

  clear(): void {
    this.steps = [];
  }

  private targetOf({ name, deref }: Step): string {
    if (name !== "HEAD" || !deref) return name;
    const head = readHead(this.repository.gitDir);
    return head && "ref" in head ? head.ref : name;
  }

  private refusalOf(step: Step): string | undefined {
    const name = this.targetOf(step);
    const now = name === "HEAD" ? this.repository.headOid() : this.repository.refs.resolve(name)?.oid;
    const oldOid = step.oldOid === undefined ? (now ?? null) : step.oldOid;
    if (name === "HEAD")
      return now === (oldOid ?? undefined) ? undefined : `cannot lock ref 'HEAD': is at ${now} but expected ${oldOid}`;
    // Deleting what is not there is refused only when something was expected.
    if (step.newOid === null && step.oldOid === undefined && now === undefined) return undefined;
    return refusalOf(this.repository.store, this.repository.refs, {
      name,
      oldOid,
      newOid: step.isCheck ? null : step.newOid,
    });
  }

  private detach(oid: Oid | null): void {
    const path = join(this.repository.gitDir, "HEAD");
    const before = this.repository.headOid() ?? null;
    const lock = takeLock(path);
    if (oid === null) dropLock(path, lock);
    else {
      replaceThroughLock(path, lock, `${oid}\n`);
      this.log("HEAD", before, oid);
    }
  }

  private log(name: string, oldOid: Oid | null, newOid: Oid | null): void {
    const { gitDir, commonDir, store } = this.repository;
    if (newOid === null) {
      removeReflog(commonDir, name);
      return;
    }
    const zero = store.format.zeroOid;
    const entry = {
      oldOid: oldOid ?? zero,
      newOid,
      reason: this.how.reason,
      who: personOf(this.terminal, "COMMITTER"),
    };
    const begins = this.how.beginLog || (logsByDefault(name) && !this.repository.isBare);
    appendReflog(name === "HEAD" ? gitDir : commonDir, name, entry, begins);
    const head = readHead(gitDir);
    if (head && "ref" in head && head.ref === name) appendReflog(gitDir, "HEAD", entry, begins);
  }
}

function logsByDefault(name: string): boolean {
  return name === "HEAD" || /^refs\/(heads|remotes|notes)\//.test(name);
}
