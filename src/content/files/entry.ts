import type { ObjectSource } from "../../git/objects/source.ts";
import { isTreeMode, MODE_GITLINK, MODE_SYMLINK } from "../../git/objects/tree.ts";
import type { Oid } from "../../git/objects/types.ts";

export type EntryKind = "file" | "dir" | "symlink" | "submodule";

/** An entry of a tree. */
export interface FileEntry {
  /** Names as decoded by `decodeName`, joined by slashes; empty for the root directory. */
  readonly path: string;
  readonly name: string;
  readonly kind: EntryKind;
  readonly isExecutable: boolean;
  readonly oid: Oid;
  /** 0 for directories and submodules. */
  readonly sizeBytes: number;
}

export function kindOfMode(mode: number): EntryKind {
  if (isTreeMode(mode)) return "dir";
  if (mode === MODE_GITLINK) return "submodule";
  return mode === MODE_SYMLINK ? "symlink" : "file";
}

/** @param objects used to look up its size; undefined: the size stays 0 */
export function entryOf(objects: ObjectSource | undefined, path: string, mode: number, oid: Oid): FileEntry {
  const kind = kindOfMode(mode);
  return {
    path,
    name: path.slice(path.lastIndexOf("/") + 1),
    kind,
    isExecutable: kind === "file" && (mode & 0o111) !== 0,
    oid,
    sizeBytes: kind === "file" || kind === "symlink" ? (objects?.header(oid)?.sizeBytes ?? 0) : 0,
  };
}
