import { CorruptObject } from "../errors.ts";
import type { ObjectSource } from "../objects/source.ts";
import { MODE_GITLINK } from "../objects/tree.ts";
import type { Oid } from "../objects/types.ts";

/** git looks for a NUL this far into a file to call it binary. */
const BINARY_SCAN_BYTES = 8000;

const NOTHING = new Uint8Array(0);

/**
 * The bytes a diff compares: a file's content, a link's target, or the line that stands for a submodule.
 * @param mode 0: nothing is there
 * @returns "too-large" when there are more than `maxBytes`
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
  const header = store.header(oid);
  if (!header) throw new CorruptObject(`blob ${oid} is missing`);
  if (header.sizeBytes > maxBytes) return "too-large";
  const object = store.read(oid);
  if (object?.type !== "blob") throw new CorruptObject(`${oid} is not a blob`);
  return object.data;
}

export function isBinary(data: Uint8Array): boolean {
  const end = Math.min(data.length, BINARY_SCAN_BYTES);
  return data.subarray(0, end).indexOf(0) >= 0;
}

export function toLatin1(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1", 0, data.byteLength);
}
