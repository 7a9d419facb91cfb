import { ProtocolError } from "../errors.ts";
import type { ObjectType } from "../objects/types.ts";

/**
 * What a partial clone omits (git-rev-list(1), `--filter`). An object is sent only if every part passes it;
 * objects requested by id are always sent.
 */
export interface ObjectFilter {
  /** Omit blobs of at least this size in bytes; 0: all blobs; undefined: none. */
  readonly blobLimitBytes: number | undefined;
  /** Omit trees and blobs at this depth or deeper below a commit's root tree (depth 0). */
  readonly treeDepth: number | undefined;
  /** Include only objects of this type. */
  readonly type: ObjectType | undefined;
}

const UNITS: Record<string, number> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Maximum number of parts in a combination. */
const MAX_PARTS = 32;

/**
 * Reads a filter specification: `blob:none`, `blob:limit=<n>[kmg]`, `tree:<depth>`, `object:type=<type>`,
 * `combine:<spec>+<spec>…` with each part percent-encoded.
 * @throws ProtocolError when it is malformed or of an unsupported kind (`sparse:`)
 */
export function parseFilter(spec: string): ObjectFilter {
  if (spec.startsWith("combine:")) {
    const parts = spec.slice("combine:".length).split("+");
    if (parts.length > MAX_PARTS) throw new ProtocolError(`filter-spec combines more than ${MAX_PARTS} filters`);
    return parts.map((part) => parseFilter(percentDecoded(part, spec))).reduce(both);
  }
  const nothing: ObjectFilter = { blobLimitBytes: undefined, treeDepth: undefined, type: undefined };
  if (spec === "blob:none") return { ...nothing, blobLimitBytes: 0 };
  const limit = /^blob:limit=(\d{1,15})([kmg]?)$/i.exec(spec);
  if (limit) return { ...nothing, blobLimitBytes: Number(limit[1]) * UNITS[limit[2]!.toLowerCase()]! };
  const depth = /^tree:(\d{1,9})$/.exec(spec);
  if (depth) return { ...nothing, treeDepth: Number(depth[1]) };
  const type = /^object:type=(commit|tree|blob|tag)$/.exec(spec);
  if (type) return { ...nothing, type: type[1] as ObjectType };
  if (spec.startsWith("sparse:")) throw new ProtocolError("filter 'sparse' not supported");
  throw new ProtocolError(`invalid filter-spec '${spec.slice(0, 200)}'`);
}

function both(a: ObjectFilter, b: ObjectFilter): ObjectFilter {
  if (a.type && b.type && a.type !== b.type) throw new ProtocolError("filters of two object types leave nothing");
  return {
    blobLimitBytes: lower(a.blobLimitBytes, b.blobLimitBytes),
    treeDepth: lower(a.treeDepth, b.treeDepth),
    type: a.type ?? b.type,
  };
}

function lower(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : Math.min(a, b);
}

function percentDecoded(part: string, spec: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ProtocolError(`invalid filter-spec '${spec.slice(0, 200)}'`);
  }
}
