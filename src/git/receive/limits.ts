/** Limits on the cost of a push. Anything over a limit is refused before the memory or time is spent. */
export interface ReceiveLimits {
  /** Bytes of the pack as sent. */
  readonly packBytes: number;
  /** Inflated bytes of one object. Larger objects are refused; large blobs below the limit are streamed. */
  readonly objectBytes: number;
  /** Bytes of objects that must fit in memory: those stored as deltas, their bases, and trees, commits and tags. */
  readonly wholeObjectBytes: number;
  /** Number of objects; each takes about 75 bytes of memory while the push is received. */
  readonly objects: number;
  /** Maximum length of a delta chain. */
  readonly deltaDepth: number;
  /**
   * Maximum cost of reading an object: the bytes of all objects in its delta chain, including itself, as a multiple of
   * its size, with `chainFloorBytes` always allowed. git's own chains have fifty deltas of similar sizes; a crafted
   * chain puts large objects below tiny ones, each of which then takes a second to read.
   */
  readonly chainRatio: number;
  readonly chainFloorBytes: number;
  /** Maximum nesting of directories. */
  readonly treeDepth: number;
  /**
   * Inflated size of all objects as a multiple of the pack's size: a little above zlib's own maximum of 1,032, so that
   * only deltas can exceed it, never objects stored whole. `inflateFloorBytes` is always allowed: two seconds' work,
   * which a few kilobytes of copying deltas can cause.
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
