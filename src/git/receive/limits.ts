/** What a push may cost. Everything is refused before the memory or the time is spent. */
export interface ReceiveLimits {
  /** Bytes of the pack as sent. */
  readonly packBytes: number;
  /** Bytes of one object, inflated. Larger ones are refused; large blobs below it are streamed. */
  readonly objectBytes: number;
  /** Bytes of an object that is stored as a delta, of its base and of a tree, commit or tag: those must fit in memory. */
  readonly wholeObjectBytes: number;
  /** Each costs about 75 bytes of memory while the push is received. */
  readonly objects: number;
  /** Deltas upon deltas. */
  readonly deltaDepth: number;
  /**
   * What reading an object may cost: itself and all objects of its delta chain, as a multiple of its own bytes, with
   * `chainFloorBytes` always allowed. git's own chains have fifty deltas of similar sizes; a crafted one has large
   * objects below tiny ones, each of which costs whoever reads it a second.
   */
  readonly chainRatio: number;
  readonly chainFloorBytes: number;
  /** Directories within directories. */
  readonly treeDepth: number;
  /**
   * All objects inflated, as a multiple of the pack's bytes: a little more than zlib's own 1,032, so that no object
   * that is stored whole is refused for it, only deltas (with `inflateFloorBytes` always allowed: two seconds'
   * work, which a few kilobytes of deltas that copy can ask for).
   */
  readonly inflateRatio: number;
  readonly inflateFloorBytes: number;
}

const MIB = 1024 * 1024;

/** Generous for real histories: Linux inflates to about 70 times its pack; git itself makes chains of at most 4,095. */
export const DEFAULT_LIMITS: ReceiveLimits = {
  packBytes: 8 * 1024 * MIB,
  objectBytes: 4 * 1024 * MIB,
  wholeObjectBytes: 128 * MIB,
  objects: 5_000_000,
  deltaDepth: 4095,
  chainRatio: 256,
  chainFloorBytes: 64 * MIB,
  treeDepth: 2048,
  inflateRatio: 1040,
  inflateFloorBytes: 1536 * MIB,
};
