import { peelToTree } from "../graph/peel.ts";
import type { Header } from "../objects/headers.ts";
import type { Person } from "../objects/person.ts";
import type { ObjectSource } from "../objects/source.ts";
import { isFolder, MODE_FILE, MODE_GITLINK, MODE_SYMLINK } from "../objects/tree.ts";
import type { Oid } from "../objects/types.ts";
import type { NewObject } from "../objects/write.ts";
import { type Made, make, makeCommit, type Sign } from "./make.ts";
import { checkContent } from "./paths.ts";
import { EditRefused } from "./refused.ts";
import { TreeEdit } from "./tree-edit.ts";

/**
 * What is to be at a path. Paths are names as `decodeName` gives them, joined by `/`. Without a mode a file keeps the one
 * it has, and a new one is an ordinary file. The data of a link (mode 120000) is where it leads.
 */
export type FileChange =
  | { readonly path: string; readonly mode?: number; readonly data: Uint8Array }
  /** An object that is stored already; of a submodule (mode 160000) a commit of another repository. */
  | { readonly path: string; readonly mode?: number; readonly oid: Oid }
  /** A folder goes with all that is in it. */
  | { readonly path: string; readonly remove: true };

export interface FilesCommit {
  /** The first is the one whose files are changed; none: the first commit of all. */
  readonly parents: readonly Oid[];
  /** Carried out one after another. */
  readonly changes: readonly FileChange[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
  readonly extraHeaders?: readonly Header[];
  readonly sign?: Sign;
}

/**
 * One commit of many changed files, made in memory: nothing is stored, and nothing is made when one change is refused.
 * @returns the objects to store, in an order in which none comes before what it points to; the last is the commit
 * @throws EditRefused; CorruptObject when the parent's trees cannot be read
 */
export function commitFiles(
  store: ObjectSource,
  wished: FilesCommit,
): { objects: NewObject[]; tree: Oid; commit: Oid } {
  const { parents, author, committer, message, extraHeaders } = wished;
  const [first] = parents;
  const before = first === undefined ? undefined : peelToTree(store, first);
  if (first !== undefined && before === undefined) throw new EditRefused("missing", "", `no commit ${first}`);
  const { objects, tree } = changeFiles(store, before, wished.changes);
  const commit = makeCommit(
    store.format,
    { tree, parents, author, committer, message, ...(extraHeaders ? { extraHeaders } : {}) },
    wished.sign,
  );
  return { objects: [...objects, commit], tree, commit: commit.oid };
}

/**
 * The same without the commit: what a tree becomes by the changes.
 * @throws EditRefused; CorruptObject
 */
export function changeFiles(
  store: ObjectSource,
  tree: Oid | undefined,
  changes: readonly FileChange[],
): { objects: NewObject[]; tree: Oid } {
  const edit = new TreeEdit(store, tree);
  const blobs = new Map<Oid, Made>();
  for (const change of changes) {
    const { path } = change;
    if ("remove" in change) {
      if (!edit.remove(path)) throw new EditRefused("missing", path, `there is nothing [path: ${path}]`);
      continue;
    }
    const there = edit.find(path);
    const mode = change.mode ?? (there && !isFolder(there.mode) ? there.mode : MODE_FILE);
    if ("oid" in change) {
      checkTarget(store, path, mode, change.oid);
      edit.put(path, mode, change.oid);
      continue;
    }
    checkData(path, mode, change.data);
    checkContent(path, change.data, store.format);
    const blob = make(store.format, "blob", change.data);
    edit.put(path, mode, blob.oid);
    if (!store.has(blob.oid)) blobs.set(blob.oid, blob);
  }
  const written = edit.write();
  return { objects: [...blobs.values(), ...written.objects], tree: written.tree };
}

function checkTarget(store: ObjectSource, path: string, mode: number, oid: Oid): void {
  const refuse = (why: string) => new EditRefused("bad entry", path, `${why} [path: ${path}]`);
  if (oid.length !== store.format.oidDigits || oid === store.format.zeroOid) throw refuse(`${oid} is no id`);
  if (mode === MODE_GITLINK) return;
  const type = store.header(oid)?.type;
  if (type !== "blob") throw refuse(type === undefined ? `${oid} is not stored` : `${oid} is a ${type}`);
}

function checkData(path: string, mode: number, data: Uint8Array): void {
  const refuse = (why: string) => new EditRefused("bad entry", path, `${why} [path: ${path}]`);
  if (mode === MODE_GITLINK) throw refuse("a submodule has no content of its own");
  if (mode === MODE_SYMLINK && (data.length === 0 || data.includes(0))) throw refuse("a link leads somewhere");
}
