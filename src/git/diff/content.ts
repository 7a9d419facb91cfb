import { CorruptObject, ObjectTooLarge } from "../errors.ts";
import type { ObjectSource } from "../objects/source.ts";
import { MODE_GITLINK } from "../objects/tree.ts";
import type { GitObject, Oid } from "../objects/types.ts";

/** git calls a file binary if there is a NUL within this many bytes. */
const BINARY_SCAN_BYTES = 8000;

const NOTHING = new Uint8Array(0);

/**
 * The bytes a diff compares: a file's content, a link's target, or the line that stands for a submodule.
 * @param mode 0 if the file does not exist
 * @returns "too-large" if there are more than `maxBytes`
 * @throws CorruptObject when the blob is missing
 */
export function contentOf(
  store: ObjectSource,
  mode: number,
  oid: Oid | undefined,
  maxBytes: number,
): Uint8Array | "too-large" {
  if (mode === 0 || oid === undefined) return NOTHING;
  if (mode === MODE_GITLINK) return Buffer.from(`Subproject commit ${oid}\n`, "latin1");
  // Looking up the size costs a good part of reading, so it is done only if the limit may really be exceeded.
  if (maxBytes < READ_AT_ONCE_BYTES) {
    const header = store.header(oid);
    if (!header) throw new CorruptObject(`blob ${oid} is missing`);
    if (header.sizeBytes > maxBytes) return "too-large";
  }
  const object = readOrTooLarge(store, oid);
  if (object === "too-large") return object;
  if (!object) throw new CorruptObject(`blob ${oid} is missing`);
  if (object.type !== "blob") throw new CorruptObject(`${oid} is not a blob`);
  return object.data.length > maxBytes ? "too-large" : object.data;
}

/** Maximum size that a source reads by default. */
const READ_AT_ONCE_BYTES = 128 * 1024 * 1024;

function readOrTooLarge(store: ObjectSource, oid: Oid): GitObject | "too-large" | undefined {
  try {
    return store.read(oid);
  } catch (error) {
    if (error instanceof ObjectTooLarge) return "too-large";
    throw error;
  }
}

export function isBinary(data: Uint8Array): boolean {
  const end = Math.min(data.length, BINARY_SCAN_BYTES);
  return data.subarray(0, end).indexOf(0) >= 0;
}
