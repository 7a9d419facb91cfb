import { TreeTooLarge } from "../diff/tree.ts";
import { CorruptObject } from "../errors.ts";
import { canonicalMode, isTreeMode, MODE_TREE } from "../objects/tree.ts";
import { openTree, type TreeCursor } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import { Directory } from "./directories.ts";
import { inHashOrder } from "./hash-order.ts";
import { type DirectoryRelevance, SideChanges } from "./renames/changes.ts";
import {
  BASE,
  joined,
  type MergeState,
  NOTHING,
  OURS,
  PathState,
  SIDES,
  type Side,
  sameVersion,
  THEIRS,
  type Version,
} from "./state.ts";

/** Deeper than any file system allows. */
const MAX_DEPTH = 2048;
const MAX_TREES = 1_000_000;
const MAX_PATHS = 1_000_000;

type Three<T> = readonly [T, T, T];

/** The entries of the three trees under one name. */
interface Group {
  readonly name: string;
  readonly versions: [Version, Version, Version];
  fileMask: number;
  directoryMask: number;
}

/**
 * If one side removed a directory and the other added a file to it, the directory's destination is relevant, and every
 * rename out of it must be found. 0: no such directory here; 2 or 4: the side that still has it; 7: relevant.
 */
type DirectoryMask = 0 | 2 | 4 | 7;

/**
 * Walks three trees side by side and records every path that is not the same in all of them, without descending where
 * a whole directory can be decided: one that only one side changed is taken as it is, unless renames may lead into it.
 */
export function collectPaths(state: MergeState, trees: Three<Oid | undefined>): Three<SideChanges> {
  return new Collection(state).run(trees);
}

class Collection {
  private readonly changes: Three<SideChanges> = [new SideChanges(), new SideChanges(), new SideChanges()];
  /** By side: directories only that side changed, not descended into yet, with the mask in effect there. */
  private readonly deferred: [Map<string, DirectoryMask>, Map<string, DirectoryMask>, Map<string, DirectoryMask>] = [
    new Map(),
    new Map(),
    new Map(),
  ];
  private readonly mayDefer: [boolean, boolean, boolean] = [false, true, true];
  private mask: DirectoryMask = 0;
  private treesLeft = MAX_TREES;

  constructor(private readonly state: MergeState) {}

  run(trees: Three<Oid | undefined>): Three<SideChanges> {
    this.directory("", trees, 0);
    for (const side of SIDES) this.settleDeferred(side);
    return this.changes;
  }

  /** Takes the directories only this side changed as a whole, unless a rename on this side is relevant. */
  private settleDeferred(side: Side): void {
    const whole = this.changes[side].relevant.size === 0;
    this.mayDefer[side] = whole;
    // Descending into them defers either no more directories of this side, or all.
    const waiting = this.deferred[side];
    this.deferred[side] = new Map();
    for (const path of inHashOrder([...waiting.keys()])) {
      const mask = waiting.get(path)!;
      const found = this.state.paths.get(path)!;
      if (whole) {
        takeWhole(found, side);
        continue;
      }
      this.mask = mask;
      this.descend(path, found);
      this.mask = 0;
    }
    for (const path of this.deferred[side].keys()) takeWhole(this.state.paths.get(path)!, side);
  }

  private directory(path: string, trees: Three<Oid | undefined>, depth: number): void {
    if (depth > MAX_DEPTH) throw new CorruptObject("folders are nested too deep");
    this.treesLeft -= 3;
    if (this.treesLeft < 0) throw new TreeTooLarge("the trees are too large to merge");
    this.state.signal?.throwIfAborted();
    const groups = this.differences(path, trees);
    if (this.state.paths.size + groups.length > (this.state.maxPaths ?? MAX_PATHS))
      throw new TreeTooLarge("too many paths differ to be merged");
    if ((this.mask === 2 || this.mask === 4) && groups.some(({ fileMask }) => fileMask === this.mask)) this.mask = 7;
    for (const group of groups) this.group(path, group);
  }

  /** The names whose entries differ between the three trees. The other entries are kept in the directory's record. */
  private differences(path: string, trees: Three<Oid | undefined>): Group[] {
    const { store } = this.state;
    const cursors = trees.map((oid) => (oid === undefined ? undefined : openTree(store, oid)));
    const open = cursors.map((cursor) => cursor?.next() ?? false);
    const [base, ours, theirs] = cursors;
    const record = new Directory(base?.data ?? Buffer.alloc(0));
    this.state.directories.add(path, record);
    const groups: Group[] = [];
    const ahead = new DirectoriesAhead(cursors, trees, (oid) => openTree(store, oid));
    let entryStart = 0;
    const advance = (i: number) => {
      do {
        if (i === BASE) entryStart = base!.oidStart + store.format.oidBytes;
        open[i] = cursors[i]!.next();
      } while (open[i] && ahead.isTaken(cursors[i]!));
    };
    while (open[0] || open[1] || open[2]) {
      if (open[0] && open[1] && open[2] && base!.compare(ours!) === 0 && base!.compare(theirs!) === 0) {
        if (base!.sameContent(ours!) && base!.sameContent(theirs!) && isPlain(base!, entryStart)) {
          record.keep(entryStart, base!.oidStart + store.format.oidBytes);
          for (let i = 0; i < 3; i++) advance(i);
          continue;
        }
      }
      groups.push(nextGroup(cursors, open, ahead, advance));
    }
    return groups;
  }

  private group(directory: string, { name, versions, fileMask, directoryMask }: Group): void {
    const { state } = this;
    const path = joined(directory, name);
    const [base, ours, theirs] = versions;
    const oursIsBase = ours.mode !== 0 && sameVersion(ours, base);
    const theirsIsBase = theirs.mode !== 0 && sameVersion(theirs, base);
    const sidesMatch = ours.mode !== 0 && sameVersion(ours, theirs);
    if (oursIsBase && theirsIsBase) {
      state.paths.set(path, PathState.resolved(path, base));
      return;
    }
    if (fileMask === 7 && (sidesMatch || oursIsBase || theirsIsBase)) {
      state.paths.set(path, PathState.resolved(path, oursIsBase ? theirs : ours));
      return;
    }
    const maskBefore = this.mask;
    const matchMask = oursIsBase ? 3 : theirsIsBase ? 5 : sidesMatch ? 6 : 0;
    this.noteChanges(directory, path, versions, fileMask, directoryMask, matchMask);
    const found = new PathState(path, versions);
    found.fileMask = fileMask;
    found.directoryMask = directoryMask;
    found.matchMask = matchMask;
    found.directoryConflict = fileMask !== 0 && directoryMask !== 0;
    state.paths.set(path, found);
    if (directoryMask === 0) return;
    let side: Side | undefined = oursIsBase ? THEIRS : theirsIsBase ? OURS : undefined;
    if (fileMask === 0 && (directoryMask === 2 || directoryMask === 4)) {
      found.matchMask = 7 - directoryMask;
      side = directoryMask === 2 ? OURS : THEIRS;
    }
    if (this.mask !== 7 && side !== undefined && this.mayDefer[side]) this.deferred[side].set(path, this.mask);
    else this.descend(path, found);
    this.mask = maskBefore;
  }

  private descend(path: string, found: PathState): void {
    found.matchMask &= found.fileMask;
    const tree = (i: 0 | 1 | 2) => (found.directoryMask & (1 << i) ? found.stages[i].oid : undefined);
    this.directory(path, [tree(BASE), tree(OURS), tree(THEIRS)], depthOf(path));
  }

  /** Records what rename detection needs: additions, deletions, removed directories, and which of them are relevant. */
  private noteChanges(
    directory: string,
    path: string,
    versions: Three<Version>,
    fileMask: number,
    directoryMask: number,
    matchMask: number,
  ): void {
    const { changes } = this;
    if (this.mask !== 7 && (directoryMask === 3 || directoryMask === 5)) this.mask = directoryMask === 3 ? 2 : 4;
    if (directoryMask === 1 || directoryMask === 3 || directoryMask === 5) {
      const relevance: DirectoryRelevance = this.mask === 7 ? "ancestor" : "none";
      for (const side of SIDES)
        if ((directoryMask & (1 << side)) === 0) changes[side].removedDirectories.set(path, relevance);
    }
    if (this.mask === 7 && (fileMask === 2 || fileMask === 4))
      changes[fileMask === 2 ? THEIRS : OURS].removedDirectories.set(directory, "self");
    if (fileMask === 0 || fileMask === 7) return;
    for (const side of SIDES) {
      const has = (fileMask & (1 << side)) !== 0;
      if ((fileMask & 1) !== 0 && !has) {
        const content = (matchMask & fileMask) === 0;
        if (content || this.mask === 7) changes[side].relevant.set(path, content ? "content" : "location");
        changes[side].pairs.push({ path, version: versions[BASE], added: false });
      } else if ((fileMask & 1) === 0 && has) {
        changes[side].pairs.push({ path, version: versions[side], added: true });
      }
    }
  }
}

function takeWhole(found: PathState, side: Side): void {
  found.clean = true;
  found.result = found.stages[side];
  found.matchMask = 0;
}

function depthOf(path: string): number {
  let depth = 1;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) depth++;
  return depth;
}

/** Whether the mode is stored as git writes it, so that the entry's bytes can be reused. */
function isPlain(cursor: TreeCursor, entryStart: number): boolean {
  return canonicalMode(cursor.mode) === cursor.mode && cursor.nameStart - entryStart === (cursor.isTree ? 6 : 7);
}

/**
 * Takes the smallest name from the trees that have it. Names are compared without the trailing slash that directories
 * have in tree order, so a tree may have a directory of that name beyond its current entry: `a.b` comes before the
 * directory `a`, but not before the file `a`.
 */
function nextGroup(
  cursors: readonly (TreeCursor | undefined)[],
  open: readonly boolean[],
  ahead: DirectoriesAhead,
  advance: (i: number) => void,
): Group {
  let first: TreeCursor | undefined;
  for (let i = 0; i < 3; i++) if (open[i] && (!first || cursors[i]!.compareNames(first) < 0)) first = cursors[i];
  const name = first!.latin1Name();
  const group: Group = { name, versions: [NOTHING, NOTHING, NOTHING], fileMask: 0, directoryMask: 0 };
  const isAtIt = cursors.map((cursor, i) => open[i] === true && cursor!.compareNames(first!) === 0);
  for (const i of [BASE, OURS, THEIRS] as const) {
    const cursor = cursors[i]!;
    const directory = isAtIt[i] || !open[i] ? undefined : ahead.take(i, name);
    if (!isAtIt[i] && !directory) continue;
    group.versions[i] = directory ?? { mode: canonicalMode(cursor.mode), oid: cursor.oid() };
    if (directory || cursor.isTree) group.directoryMask |= 1 << i;
    else group.fileMask |= 1 << i;
  }
  for (let i = 0; i < 3; i++) if (isAtIt[i]) advance(i);
  return group;
}

/** Directories that are taken before their turn in tree order. */
class DirectoriesAhead {
  private readonly directories: (Map<string, Version> | undefined)[] = [undefined, undefined, undefined];
  private readonly taken = new Set<string>();

  constructor(
    private readonly cursors: readonly (TreeCursor | undefined)[],
    private readonly trees: Three<Oid | undefined>,
    private readonly open: (oid: Oid) => TreeCursor,
  ) {}

  /** The directory of that name, if the tree has one beyond its cursor. */
  take(i: 0 | 1 | 2, name: string): Version | undefined {
    // Only names that begin with the directory's name can come in between.
    const directory = this.cursors[i]!.latin1Name().startsWith(name) ? this.directoriesOf(i).get(name) : undefined;
    if (directory) this.taken.add(name);
    return directory;
  }

  isTaken(cursor: TreeCursor): boolean {
    return this.taken.size > 0 && cursor.isTree && this.taken.has(cursor.latin1Name());
  }

  private directoriesOf(i: 0 | 1 | 2): Map<string, Version> {
    const cached = this.directories[i];
    if (cached) return cached;
    const found = new Map<string, Version>();
    const oid = this.trees[i];
    if (oid !== undefined) {
      const cursor = this.open(oid);
      while (cursor.next())
        if (isTreeMode(cursor.mode)) found.set(cursor.latin1Name(), { mode: MODE_TREE, oid: cursor.oid() });
    }
    this.directories[i] = found;
    return found;
  }
}
