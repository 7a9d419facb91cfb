import { openTree, type TreeCursor } from "../diff/cursor.ts";
import { type BloomKey, bloomKey } from "../graph/bloom.ts";
import type { Commits } from "../graph/commits.ts";
import { encodeName } from "../objects/names.ts";
import { isFolder, MODE_TREE } from "../objects/tree.ts";
import type { Oid } from "../objects/types.ts";

export interface FoundEntry {
  readonly mode: number;
  readonly oid: Oid;
}

/** Answers remembered; a walk asks for neighbours, so a few thousand serve it. */
const REMEMBERED = 4096;

/** What is at one path in many commits. */
export class PathState {
  private readonly parts: string[];
  private readonly keys: BloomKey[];
  private readonly atCommit = new Map<number, FoundEntry | undefined>();
  private readonly atTree: Map<Oid, FoundEntry | undefined>[];

  /** @param path a name as `decodeName` gives it, without slashes at its ends; empty for the root folder */
  constructor(
    private readonly commits: Commits,
    path: string,
  ) {
    const bytes = Buffer.from(encodeName(path)).toString("latin1");
    this.parts = bytes === "" ? [] : bytes.split("/");
    this.keys = this.parts.map((_, i) => bloomKey(Buffer.from(this.parts.slice(0, i + 1).join("/"), "latin1")));
    this.atTree = this.parts.map(() => new Map());
  }

  /** False when the commit certainly left the path as its first parent has it. */
  mayChange(commit: number): boolean {
    // The deepest path decides most often.
    for (let i = this.keys.length - 1; i >= 0; i--) if (!this.commits.mayChange(commit, this.keys[i]!)) return false;
    return true;
  }

  /** Undefined when the commit has nothing there. @throws CorruptObject when a tree is missing or malformed */
  at(commit: number): FoundEntry | undefined {
    if (this.atCommit.has(commit)) return this.atCommit.get(commit);
    let found: FoundEntry | undefined = { mode: MODE_TREE, oid: this.commits.treeOf(commit) };
    for (let i = 0; i < this.parts.length && found; i++) {
      found = isFolder(found.mode) ? this.inTree(found.oid, i) : undefined;
    }
    if (this.atCommit.size >= REMEMBERED) this.atCommit.clear();
    this.atCommit.set(commit, found);
    return found;
  }

  /** Whether two commits have the same at the path. */
  same(a: number, b: number): boolean {
    const left = this.at(a);
    const right = this.at(b);
    return left?.oid === right?.oid && left?.mode === right?.mode;
  }

  /** Whether the commit has nothing there, or an empty folder, which stands for nothing. */
  isNothing(commit: number): boolean {
    const found = this.at(commit);
    return found === undefined || found.oid === this.commits.store.format.emptyTree;
  }

  private inTree(tree: Oid, depth: number): FoundEntry | undefined {
    const known = this.atTree[depth]!;
    if (known.has(tree)) return known.get(tree);
    const found = findEntry(openTree(this.commits.store, tree), this.parts[depth]!);
    if (known.size >= REMEMBERED) known.clear();
    known.set(tree, found);
    return found;
  }
}

/** The entry of a name (latin1, one character a byte) in a stored tree. @throws CorruptObject when the bytes are no tree */
export function findEntry(cursor: TreeCursor, name: string): FoundEntry | undefined {
  const wanted = Buffer.from(name, "latin1");
  while (cursor.next()) {
    if (cursor.nameEnd - cursor.nameStart !== wanted.length) continue;
    let i = 0;
    while (i < wanted.length && cursor.data[cursor.nameStart + i] === wanted[i]) i++;
    if (i === wanted.length) return { mode: cursor.mode, oid: cursor.oid() };
  }
  return undefined;
}
