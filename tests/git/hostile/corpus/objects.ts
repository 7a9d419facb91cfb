import type { BlobRole } from "../../../../src/git/object-checks/fsck.ts";
import { SHA1 } from "../../../../src/git/objects/format.ts";
import { hashObject, oidBytes } from "../../../../src/git/objects/hash.ts";
import type { ObjectType, Oid } from "../../../../src/git/objects/types.ts";

/** One object someone might push, well-formed or not, and what is odd about it. */
export interface CorpusObject {
  readonly story: string;
  readonly type: ObjectType;
  readonly data: Uint8Array;
  /** The blob is stored with a tree that names it so. */
  readonly role?: BlobRole;
}

export const EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
export const EMPTY_TREE = SHA1.emptyTree;

/** A commit for others to have as their parent. */
export const PARENT: CorpusObject = object(
  "commit",
  "a parent",
  `tree ${EMPTY_TREE}\nauthor A <a@b.c> 1 +0000\ncommitter A <a@b.c> 1 +0000\n\n`,
);

export function oidOf({ type, data }: Pick<CorpusObject, "type" | "data">): Oid {
  return hashObject(SHA1, type, data);
}

export type Entry = readonly [mode: string, name: string | Uint8Array, oid?: Oid];

/** The bytes of a tree, its entries as given: not sorted, nothing checked. Text is one byte per character (latin1). */
export function treeOf(...entries: readonly Entry[]): Buffer {
  return Buffer.concat(
    entries.flatMap(([mode, name, oid]) => [
      bytesOf(`${mode} `),
      typeof name === "string" ? bytesOf(name) : name,
      Buffer.of(0),
      oidBytes(oid ?? (/^0*4/.test(mode) ? EMPTY_TREE : EMPTY_BLOB)),
    ]),
  );
}

export function bytesOf(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

/** The bytes of `text` in UTF-8 as latin1 text. */
export function utf8(text: string): string {
  return Buffer.from(text).toString("latin1");
}

export function object(type: ObjectType, story: string, content: string | Uint8Array, role?: BlobRole): CorpusObject {
  const data = typeof content === "string" ? bytesOf(content) : content;
  return { story, type, data, ...(role ? { role } : {}) };
}
