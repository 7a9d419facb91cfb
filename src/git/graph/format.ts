import { type ObjectFormat, SHA1, SHA256 } from "../objects/format.ts";

/**
 * Constants of git's commit-graph file, `objects/info/commit-graph`, as in gitformat-commit-graph(5); H is the size
 * of an id, 20 or 32 bytes:
 *
 *     "CGPH" version hash-version chunks base-graphs
 *     chunk table: (id, offset)..., (0, end)
 *     OIDF  256 * 4          number of ids with a first byte of at most i
 *     OIDL  N * H            ids in ascending order; a commit's index here is its position
 *     CDAT  N * (H + 16)     tree, two parents, level << 2 | time bits 32-33, time
 *     GDA2  N * 4            corrected commit date - commit date
 *     GDO2  8 each           offsets of 31 or more bits
 *     EDGE  4 each           second and later parents of octopus merges
 *     BIDX  N * 4            end of each commit's Bloom filter in BDAT
 *     BDAT  12 + filters     version, hashes, bits per entry, filters
 *     BASE  H each           checksums of the layers below, lowest first
 *     checksum of everything above
 *
 * All numbers are in network byte order. A chain is several such files, listed lowest first, one per line, in
 * `commit-graph-chain` next to them (`objects/info/commit-graphs/graph-<checksum>.graph`). Positions then count through
 * the layers from the lowest up, and a parent is in its child's layer or below. A single file, if present, wins.
 */

export const SIGNATURE = 0x43475048;
export const FILE_VERSION = 1;
export const HEADER_BYTES = 8;
export const TABLE_ROW_BYTES = 12;
export const FANOUT_BYTES = 1024;
/** Bytes of a CDAT row after the tree's id. */
export const ROW_REST_BYTES = 16;
export const BLOOM_HEADER_BYTES = 12;

export const NO_PARENT = 0x70000000;
/** Marks an octopus merge in the second parent field, the end of a list in EDGE, and an overflow in GDA2. */
export const TOP_BIT = 0x80000000;
export const LOW_31_BITS = 0x7fffffff;
export const LEVEL_MAX = 0x3fffffff;
/** Commit times have 34 bits. */
export const TIME_LIMIT = 2 ** 34;

export function chunkId(name: string): number {
  return Buffer.from(name, "latin1").readUInt32BE(0);
}

/** The number by which the file identifies the hash of its object ids. */
export function hashVersion(format: ObjectFormat): number {
  return format.name === "sha1" ? 1 : 2;
}

export function formatOfVersion(version: number): ObjectFormat | undefined {
  return version === 1 ? SHA1 : version === 2 ? SHA256 : undefined;
}

/** Paths of the commit-graph, relative to the repository. */
export const GRAPH_PATH = "objects/info/commit-graph";
export const CHAIN_DIRECTORY = "objects/info/commit-graphs";
export const CHAIN_PATH = `${CHAIN_DIRECTORY}/commit-graph-chain`;

/** File name of a layer in the chain directory. */
export function layerName(checksum: string): string {
  return `graph-${checksum}.graph`;
}
