/**
 * The read limit was exceeded. Not a `GitError`: nothing is wrong with the repository, and code that tolerates
 * damaged objects must not mistake this for one.
 */
export class ReadingSpent extends Error {
  override name = "ReadingSpent";
}

/**
 * Limits how much may still be read. For deltas it counts the bytes inflated and applied along the chain, not the
 * result: six hundred leaves of a few bytes on a chain of large objects cost a minute.
 */
export class ReadMeter {
  constructor(private bytesLeft: number) {}

  /** @throws ReadingSpent before the bytes are read */
  spend(bytes: number): void {
    this.bytesLeft -= bytes;
    if (this.bytesLeft < 0) throw new ReadingSpent("more would have to be read than may be here");
  }
}
