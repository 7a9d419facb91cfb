import { existsSync } from "node:fs";
import { join } from "node:path";
import { GitError } from "../errors.ts";
import type { RepositoryFolder } from "../folder.ts";
import { verifyCommitGraph } from "../graph/verify.ts";
import type { GitObject, ObjectType, Oid } from "../objects/types.ts";
import { alternatesOf } from "../odb/alternates.ts";
import { eachLink } from "./links.ts";
import {
  ERROR_COMMIT_GRAPH,
  ERROR_OBJECT,
  ERROR_REACHABLE,
  ERROR_REFS,
  type FsckListener,
  type FsckOptions,
} from "./listener.ts";
import { HAS, ObjectTable, REACHABLE, USED } from "./object-table.ts";
import { allRefs, headOf, loggedOids } from "./roots.ts";
import { Scan } from "./scan.ts";

/** The revisions given on the command line, and a way to format paths. */
export interface Heads {
  readonly words: readonly string[];
  /** A path as git would print it. */
  nameOf(path: string): string;
}

/**
 * Checks a repository as `git fsck` does and reports its findings in git's words. Each object is read once; history is
 * walked only if something is missing, or if all unreachable objects are requested: dangling objects are found by
 * looking at each object alone, and if nothing is missing, every object that another one points to is taken as
 * reachable.
 * @returns bits of git's exit status
 */
export async function checkRepository(
  repository: RepositoryFolder,
  heads: Heads,
  options: FsckOptions,
  listener: FsckListener,
): Promise<number> {
  const { store } = repository;
  const expected = store.packs().reduce((sum, pack) => sum + pack.index.objectCount, 0);
  const objects = new ObjectTable(store.format, expected + 1024);
  const scan = new Scan(store, objects, options, listener);
  const objectsDir = join(repository.gitDir, "objects");
  for (const directory of [objectsDir, ...alternatesOf(objectsDir)]) scan.loose(directory, heads.nameOf);
  if (options.full || options.connectivityOnly) for (const pack of store.packs()) await scan.pack(pack);
  if (!options.connectivityOnly) scan.specialFiles();
  const reach = new Reach(repository, objects, options, listener, scan);
  reach.errors = scan.errors;
  reach.takeRoots(heads.words);
  reach.conclude();
  if (existsSync(join(repository.gitDir, "objects/info/commit-graph"))) reach.checkGraph();
  return reach.errors;
}

/** Which objects are reachable from refs, and what is missing on the way. */
class Reach {
  errors = 0;
  private readonly pending: number[] = [];
  private defaultRefs = 0;
  private showUnreachable: boolean;

  constructor(
    private readonly repository: RepositoryFolder,
    private readonly objects: ObjectTable,
    private readonly options: FsckOptions,
    private readonly listener: FsckListener,
    private readonly scan: Pick<Scan, "mistaken" | "unreadable">,
  ) {
    this.showUnreachable = options.unreachable;
  }

  takeRoots(words: readonly string[]): void {
    for (const word of words) this.takeWord(word);
    if (words.length > 0) return;
    const { gitDir, store } = this.repository;
    for (const { name, oid } of allRefs(gitDir, store.format.zeroOid)) this.takeRef(name, oid);
    this.takeHead(gitDir);
    if (this.options.reflogs)
      for (const { name, oid } of loggedOids(gitDir)) {
        const slot = this.objects.table.findOid(oid);
        if (slot >= 0 && this.objects.is(slot, HAS)) this.root(slot);
        else this.fail(ERROR_REACHABLE, `${name}: invalid reflog entry ${oid}`);
      }
    if (this.defaultRefs > 0) return;
    this.listener.notice("No default references");
    this.showUnreachable = false;
  }

  private takeWord(word: string): void {
    const oid = this.repository.find(word);
    const slot = oid === undefined ? -1 : this.objects.table.findOid(oid);
    if (oid === undefined) this.fail(ERROR_OBJECT, `invalid parameter: expected sha1, got '${word}'`);
    else if (slot < 0 || !this.objects.is(slot, HAS)) this.fail(ERROR_OBJECT, `${oid}: object missing`);
    else this.root(slot);
  }

  private takeRef(name: string, oid: Oid): void {
    const slot = this.objects.table.findOid(oid);
    const isThere = slot >= 0 && (this.objects.is(slot, HAS) || !this.options.full);
    if (!isThere) {
      for (const complaint of this.scan.unreadable.get(oid) ?? []) this.listener.error(complaint);
      this.fail(ERROR_REACHABLE, `${name}: invalid sha1 pointer ${oid}`);
      return;
    }
    if (this.objects.typeOf(slot) !== "commit" && name.startsWith("refs/heads/"))
      this.fail(ERROR_REFS, `${name}: not a commit`);
    this.defaultRefs++;
    this.root(slot);
  }

  private takeHead(gitDir: string): void {
    const head = headOf(gitDir);
    if (!head) this.fail(ERROR_REFS, "invalid HEAD");
    else if ("oid" in head) this.takeRef("HEAD", head.oid);
    else if (!head.ref.startsWith("refs/heads/"))
      this.fail(ERROR_REFS, `HEAD points to something strange (${head.ref})`);
    else this.takeBranchOfHead(head.ref, gitDir);
  }

  private takeBranchOfHead(ref: string, gitDir: string): void {
    const { zeroOid } = this.repository.store.format;
    const oid = allRefs(gitDir, zeroOid).find(({ name }) => name === ref)?.oid;
    if (oid === undefined) this.listener.notice(`HEAD points to an unborn branch (${ref.slice("refs/heads/".length)})`);
    else if (oid === zeroOid) this.fail(ERROR_REFS, "invalid HEAD");
    else this.takeRef("HEAD", oid);
  }

  private root(slot: number): void {
    this.objects.mark(slot, USED);
    if (this.objects.is(slot, REACHABLE)) return;
    this.objects.mark(slot, REACHABLE);
    if (this.objects.is(slot, HAS)) this.pending.push(slot);
  }

  /** Walks as far as necessary, and reports missing, dangling and unreachable objects. */
  conclude(): void {
    const { objects, options } = this;
    if (this.mustWalk()) this.walk();
    else this.reachAll();
    for (let slot = 0; slot < objects.table.size; slot++) {
      const name = () => `${objects.typeOf(slot) ?? "unknown"} ${objects.oidOf(slot)}`;
      if (objects.is(slot, REACHABLE)) {
        if (objects.is(slot, HAS) || this.isPacked(slot)) continue;
        this.listener.line(`missing ${name()}`);
        this.errors |= ERROR_REACHABLE;
      } else if (!objects.is(slot, HAS)) continue;
      else if (this.showUnreachable) this.listener.line(`unreachable ${name()}`);
      else if (options.dangling && !objects.is(slot, USED)) this.listener.line(`dangling ${name()}`);
    }
  }

  /** Whether something that is pointed to is missing, or all unreachable objects are to be listed. */
  private mustWalk(): boolean {
    const { objects } = this;
    if (this.scan.mistaken) return true;
    for (let slot = 0; slot < objects.table.size; slot++) {
      if (!objects.is(slot, HAS)) return true;
      if (this.showUnreachable && !objects.is(slot, USED)) return true;
    }
    return false;
  }

  /**
   * Nothing is missing: an object that is pointed to is either reachable or below a dangling one, and is not reported.
   */
  private reachAll(): void {
    const { objects } = this;
    for (let slot = 0; slot < objects.table.size; slot++) if (objects.is(slot, USED)) objects.mark(slot, REACHABLE);
  }

  private walk(): void {
    const { objects, repository } = this;
    const { format } = repository.store;
    for (let slot = this.pending.pop(); slot !== undefined; slot = this.pending.pop()) {
      this.options.signal?.throwIfAborted();
      const type = objects.typeOf(slot);
      const object = type === undefined || type === "blob" ? undefined : this.read(objects.oidOf(slot));
      if (!object) continue;
      const from = slot;
      try {
        eachLink(object.type, object.data, format, objects.table, (to, as) => this.follow(from, to, as));
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
      }
    }
  }

  private follow(from: number, to: number, as: ObjectType): void {
    const { objects } = this;
    if (!objects.take(to, as)) {
      this.listener.error(`object ${objects.oidOf(to)} is a ${objects.typeOf(to)}, not a ${as}`);
      const name = (type: string | undefined) => (type ?? "unknown").padStart(7);
      this.listener.line(
        `broken link from ${name(objects.typeOf(from))} ${objects.oidOf(from)}\nbroken link from ${name(as)} unknown`,
      );
      this.errors |= ERROR_REACHABLE;
      return;
    }
    if (objects.is(to, REACHABLE)) return;
    objects.mark(to, REACHABLE);
    if (objects.is(to, HAS)) this.pending.push(to);
    else if (!this.repository.store.has(objects.oidOf(to))) {
      const name = (slot: number) => `${(objects.typeOf(slot) ?? "unknown").padStart(7)} ${objects.oidOf(slot)}`;
      this.listener.line(`broken link from ${name(from)}\n              to ${name(to)}`);
      this.errors |= ERROR_REACHABLE;
    }
  }

  private read(oid: Oid): GitObject | undefined {
    try {
      return this.repository.store.read(oid);
    } catch (error) {
      if (error instanceof GitError) return undefined;
      throw error;
    }
  }

  private isPacked(slot: number): boolean {
    return this.repository.store.locate(this.objects.oidOf(slot)) !== undefined;
  }

  checkGraph(): void {
    const { gitDir, store } = this.repository;
    for (const problem of verifyCommitGraph(gitDir, store, this.options.signal)) this.fail(ERROR_COMMIT_GRAPH, problem);
  }

  private fail(bit: number, message: string): void {
    this.errors |= bit;
    this.listener.error(message);
  }
}
