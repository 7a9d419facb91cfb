import { inHashOrder } from "../hash-order.ts";
import { joined, nameOf, parentOf } from "../state.ts";
import type { DirectoryRelevance } from "./changes.ts";

/** By directory: how many of its files went to each other directory. */
export type DirectoryCounts = Map<string, Map<string, number>>;

/** Placeholder for a destination not yet known; not a valid tree path. */
const UNKNOWN = "/";

/** Counts where the files of removed directories went, to determine the directories' own destinations. */
export class DirectoryTally {
  readonly counts: DirectoryCounts = new Map();

  constructor(private readonly removed: Map<string, DirectoryRelevance>) {}

  /** Counts a rename for its directory, and for the directories above it while both paths end in the same names. */
  add(from: string, to: string): void {
    let oldDirectory = from;
    let newDirectory = to;
    for (let first = true; ; first = false) {
      const oldName = nameOf(oldDirectory);
      oldDirectory = parentOf(oldDirectory);
      if (!this.removed.has(oldDirectory)) return;
      const newName = nameOf(newDirectory);
      newDirectory = parentOf(newDirectory);
      if (!first && oldName !== newName) return;
      const relevance = this.removed.get(oldDirectory) ?? "none";
      if (relevance === "self" || first) this.count(oldDirectory, newDirectory);
      if (relevance === "none" || oldDirectory === "" || newDirectory === "") return;
    }
  }

  /** Where a file would be if it had moved with most of its directory; undefined if unknown. */
  guess(path: string, guesses: ReadonlyMap<string, string>): string | undefined {
    const directory = guesses.get(parentOf(path));
    // As in git, the root is not used as a guess.
    return directory === undefined || directory === "" ? undefined : joined(directory, nameOf(path));
  }

  /** The most frequent destination of each directory. */
  guesses(): Map<string, string> {
    const found = new Map<string, string>();
    for (const [directory, counts] of this.counts) {
      let best: string | undefined;
      let max = 0;
      for (const destination of inHashOrder([...counts.keys()])) {
        const count = counts.get(destination) ?? 0;
        if (count <= max) continue;
        max = count;
        best = destination;
      }
      if (best !== undefined) found.set(directory, best);
    }
    return found;
  }

  /** Counts a file with an unknown destination for each removed directory it was in. */
  addUnknown(path: string): void {
    for (let directory = parentOf(path); directory !== ""; directory = parentOf(directory)) {
      if ((this.removed.get(directory) ?? "none") === "none") return;
      this.count(directory, UNKNOWN);
    }
  }

  /** Settles directories whose destination has a majority that no further rename can change. */
  settle(): void {
    for (const [directory, counts] of this.counts)
      if (this.removed.get(directory) === "self" && hasMajority(counts)) this.removed.set(directory, "ancestor");
  }

  /** The final counts, without irrelevant directories and unknown destinations. */
  finished(): DirectoryCounts {
    for (const [directory, counts] of this.counts) {
      if ((this.removed.get(directory) ?? "none") === "none") this.counts.delete(directory);
      else counts.delete(UNKNOWN);
    }
    return this.counts;
  }

  private count(from: string, to: string): void {
    let counts = this.counts.get(from);
    if (!counts) {
      counts = new Map();
      this.counts.set(from, counts);
    }
    counts.set(to, (counts.get(to) ?? 0) + 1);
  }
}

function hasMajority(counts: ReadonlyMap<string, number>): boolean {
  let first = 0;
  let second = 0;
  let unknown = 0;
  for (const [destination, count] of counts) {
    if (destination === UNKNOWN) unknown = count;
    else if (count >= first) {
      second = first;
      first = count;
    } else if (count >= second) second = count;
  }
  return first > second + unknown;
}
