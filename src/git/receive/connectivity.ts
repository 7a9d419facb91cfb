import { BadPack } from "../errors.ts";
import { parseCommitLinks } from "../objects/commit.ts";
import { eachLinkedId } from "../objects/links.ts";
import { ObjectWalk } from "../objects/object-walk.ts";
import { OidTable } from "../objects/oid-table.ts";
import type { ObjectSource } from "../objects/source.ts";
import { parseTagLink } from "../objects/tag.ts";
import type { GitObject, ObjectType, Oid } from "../objects/types.ts";
import { PriorityQueue } from "../priority-queue.ts";

/** A referenced object, with the type it is referenced as. A tip may have any type. */
export interface Needed {
  readonly oid: Oid;
  readonly type?: ObjectType;
}

/**
 * Proves that everything reachable from some objects is in the repository. Whatever is reachable from `connectedTo` is
 * known to be complete; merely being stored proves nothing, since leftovers of a refused push or a deleted branch may
 * lack parts. Like `git rev-list --objects --not --all`, it looks commits up in the known history and walks only those
 * not found there.
 */
export class Connectivity {
  private readonly connected: Set<Oid>;
  /** Every commit of the known history, if it had to be walked. */
  private history: OidTable | undefined;
  /** Objects proven complete. */
  private readonly complete: OidTable;

  /** `findReachable`: uses a graph to find which commits `connectedTo` reaches; without it, history is walked. */
  constructor(
    private readonly source: ObjectSource,
    private readonly connectedTo: readonly Oid[],
    private readonly findReachable?: (commits: readonly Oid[]) => ReadonlySet<Oid>,
  ) {
    this.connected = new Set(connectedTo);
    this.complete = new OidTable(source.format);
  }

  /**
   * Returns which of `wanted` were seen in the trees of known commits on the way.
   * @throws BadPack "missing necessary objects" when something is missing or of another type
   */
  prove(needed: readonly Needed[], wanted: ReadonlySet<Oid> = new Set()): Set<Oid> {
    const typed = needed.map(({ oid, type }) => ({ oid, type: type ?? this.typeOf(oid) }));
    const commits = typed.filter(({ type }) => type === "commit");
    const reachable = this.findReachable?.(commits.map(({ oid }) => oid).filter((oid) => !this.connected.has(oid)));
    const unknown = commits.filter(({ oid }) => !this.connected.has(oid) && !reachable?.has(oid));
    const foreign = unknown.length === 0 ? [] : this.outsideHistory(unknown);
    for (const { oid } of commits) this.typeMustBe(oid, "commit");
    const parts = { tree: new OidTable(this.source.format), blob: new OidTable(this.source.format) };
    for (const { oid, type } of typed) if (type === "tree" || type === "blob") parts[type].addOid(oid);
    const outside = new Set(foreign.map(({ oid }) => oid));
    const known = commits.filter(({ oid }) => !outside.has(oid)).map(({ oid }) => oid);
    const seen = this.compareTrees(known, parts, wanted);
    this.walk([...foreign, ...typed.filter(({ type }) => type !== "commit")]);
    return seen;
  }

  private typeOf(oid: Oid): ObjectType {
    const header = this.source.header(oid);
    if (!header) throw missing(oid);
    return header.type;
  }

  private typeMustBe(oid: Oid, type: ObjectType): void {
    const actual = this.typeOf(oid);
    if (actual !== type) throw new BadPack(`object ${oid} is a ${actual}, not a ${type}`, oid);
  }

  /** The `commits` that are not in the known history. Recent history is searched first. */
  private outsideHistory(commits: readonly Needed[]): Needed[] {
    const left = new Map(commits.map((commit) => [commit.oid, commit]));
    const history = new OidTable(this.source.format);
    const queue = new PriorityQueue<readonly Oid[]>();
    const visit = (oid: Oid) => {
      if (!addNew(history, oid)) return;
      left.delete(oid);
      const object = this.source.read(oid);
      // A known tip may be a tree or blob; a missing commit here is existing damage in the repository.
      if (object?.type !== "commit") return;
      const { parents, committerTime } = parseCommitLinks(object.data);
      if (parents.length > 0) queue.push(parents, committerTime);
    };
    for (const tip of this.connectedTo) {
      if (left.size === 0) break;
      visit(this.peel(tip));
    }
    for (let parents = queue.pop(); parents && left.size > 0; parents = queue.pop())
      for (const parent of parents) visit(parent);
    if (left.size > 0) this.history = history;
    return [...left.values()];
  }

  private peel(tip: Oid): Oid {
    let oid = tip;
    for (let object = this.source.read(oid); object?.type === "tag"; object = this.source.read(oid))
      oid = parseTagLink(object.data).object;
    return oid;
  }

  /**
   * Marks those of `parts` that occur in the trees of known commits as complete, and returns which of `wanted` occur
   * there. Descends the trees of known commits alongside the pushed ones: a directory found in both is unchanged and
   * therefore complete; one found only on the known side was changed and is descended into. The cost is thus
   * proportional to the change.
   */
  private compareTrees(commits: readonly Oid[], parts: Parts, wanted: ReadonlySet<Oid>): Set<Oid> {
    const seen = new Set<Oid>();
    const unchanged: Oid[] = [];
    const visited = new OidTable(this.source.format);
    let found = 0;
    const look = (oid: Oid, isTree: boolean, stack: Oid[]) => {
      if (wanted.has(oid)) seen.add(oid);
      if (parts[isTree ? "tree" : "blob"].findOid(oid) < 0) {
        if (isTree) stack.push(oid);
      } else if (this.isNew(this.complete.addOid(oid))) {
        found++;
        if (isTree) unchanged.push(oid);
      }
    };
    for (const commit of commits) {
      if (found === parts.tree.size + parts.blob.size && seen.size === wanted.size) return seen;
      const object = this.source.read(commit);
      if (object?.type !== "commit") continue;
      const stack: Oid[] = [];
      look(parseCommitLinks(object.data).tree, true, stack);
      for (let oid = stack.pop(); oid !== undefined; oid = stack.pop())
        if (addNew(visited, oid)) this.eachEntry(oid, (child, isTree) => look(child, isTree, stack));
    }
    // The rest of `wanted` is in unchanged directories, or far away: search for it within a budget.
    for (let budget = SEARCHED_TREES; unchanged.length > 0 && seen.size < wanted.size && budget > 0; budget--) {
      const oid = unchanged.pop()!;
      this.eachEntry(oid, (child, isTree) => {
        if (wanted.has(child)) seen.add(child);
        if (isTree && addNew(visited, child)) unchanged.push(child);
      });
    }
    return seen;
  }

  /** Visits the entries of a tree, except submodules. A missing tree has none. */
  private eachEntry(tree: Oid, visit: (oid: Oid, isTree: boolean) => void): void {
    const object = this.source.read(tree);
    if (object?.type === "tree") eachLinkedId(object, this.source.format, (oid, as) => visit(oid, as === "tree"));
  }

  /** Walks everything below `starts` not yet known to be complete, and marks it as complete. */
  private walk(starts: readonly Needed[]): void {
    const { complete, source } = this;
    const trees = new ObjectWalk<true>(
      {
        format: source.format,
        find: (_data, view, at) => complete.add(view, at),
        read: (slot) => this.need(complete.oidOf(slot)),
        oidOf: (slot) => complete.oidOf(slot),
      },
      {
        // Every id has a slot in the table; a missing object is noticed when its type is checked.
        missing: () => {},
        entry: (slot, { isTree }) => {
          if (!this.isNew(slot)) return undefined;
          this.typeMustBe(complete.oidOf(slot), isTree ? "tree" : "blob");
          return true;
        },
      },
      false,
    );
    const stack: { oid: Oid; type: ObjectType }[] = [];
    const push = (oid: Oid, type: ObjectType) => {
      if (type === "commit" && (this.connected.has(oid) || (this.history?.findOid(oid) ?? -1) >= 0)) return;
      if (this.isNew(complete.addOid(oid))) stack.push({ oid, type });
    };
    for (const { oid, type } of starts) push(oid, type ?? this.typeOf(oid));
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { oid, type } = next;
      this.typeMustBe(oid, type);
      if (type === "tree") trees.enter(complete.addOid(oid), true);
      else if (type !== "blob") eachLinkedId(this.need(oid), source.format, push);
    }
  }

  /** Marks an object as complete; returns whether it was not before. */
  private isNew(slot: number): boolean {
    const { flags } = this.complete;
    if (flags[slot] !== 0) return false;
    flags[slot] = 1;
    return true;
  }

  private need(oid: Oid): GitObject {
    const object = this.source.read(oid);
    if (!object) throw missing(oid);
    return object;
  }
}

interface Parts {
  readonly tree: OidTable;
  readonly blob: OidTable;
}

/** Adds an id; returns whether it is new. */
function addNew(table: OidTable, oid: Oid): boolean {
  const before = table.size;
  table.addOid(oid);
  return table.size > before;
}

/** Limit on trees read to find bases of a thin pack in unchanged directories: a few tens of milliseconds. */
const SEARCHED_TREES = 2000;

/** The refusal of an incomplete push: git's reason, with the id of the missing object. */
export function missing(oid: Oid): BadPack {
  return new BadPack(`missing necessary objects (${oid})`, oid);
}
