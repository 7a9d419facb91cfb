/**
 * More was read than was allowed. Not one of the `GitError` family: nothing is wrong with the repository, and whoever
 * takes damaged objects lightly must not take this for one.
 */
export class ReadingSpent extends Error {
  override name = "ReadingSpent";
}

/**
 * How much may still be read. Where objects are deltas, what is inflated and applied on the way to one counts, not what
 * comes out: six hundred leaves of a few bytes on a chain of large objects cost a minute.
 */
export class ReadMeter {
  constructor(private bytesLeft: number) {}

  /** @throws ReadingSpent before the bytes are read */
  spend(bytes: number): void {
    this.bytesLeft -= bytes;
    if (this.bytesLeft < 0) throw new ReadingSpent("more would have to be read than may be here");
  }
}
