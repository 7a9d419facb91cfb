import { inHashOrder } from "../hash-order.ts";
import { joined, nameOf, parentOf } from "../state.ts";
import type { FolderRelevance } from "./changes.ts";

/** How many files went from a folder to each other folder. */
export type FolderCounts = Map<string, Map<string, number>>;

/** Stands for a destination not known yet; no path of a tree has this form. */
const UNKNOWN = "/";

/** Where the files of removed folders went, counted, so that the folders' own destinations can be told. */
export class FolderTally {
  readonly counts: FolderCounts = new Map();

  constructor(private readonly removed: Map<string, FolderRelevance>) {}

  /** Counts a rename for its folder, and for the folders above it as long as the ends of both paths are the same. */
  add(from: string, to: string): void {
    let oldFolder = from;
    let newFolder = to;
    for (let first = true; ; first = false) {
      const oldName = nameOf(oldFolder);
      oldFolder = parentOf(oldFolder);
      if (!this.removed.has(oldFolder)) return;
      const newName = nameOf(newFolder);
      newFolder = parentOf(newFolder);
      if (!first && oldName !== newName) return;
      const relevance = this.removed.get(oldFolder) ?? "none";
      if (relevance === "self" || first) this.count(oldFolder, newFolder);
      if (relevance === "none" || oldFolder === "" || newFolder === "") return;
    }
  }

  /** Where a file would be if it had gone with most of its folder; undefined when nothing is known. */
  guess(path: string, guesses: ReadonlyMap<string, string>): string | undefined {
    const folder = guesses.get(parentOf(path));
    // As git has it, a guess at the root finds nothing.
    return folder === undefined || folder === "" ? undefined : joined(folder, nameOf(path));
  }

  /** The most frequent destination of each folder. */
  guesses(): Map<string, string> {
    const found = new Map<string, string>();
    for (const [folder, counts] of this.counts) {
      let best: string | undefined;
      let most = 0;
      for (const destination of inHashOrder([...counts.keys()])) {
        const count = counts.get(destination) ?? 0;
        if (count <= most) continue;
        most = count;
        best = destination;
      }
      if (best !== undefined) found.set(folder, best);
    }
    return found;
  }

  /** Counts a file without a known destination for each removed folder it was in. */
  addUnknown(path: string): void {
    for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
      if ((this.removed.get(folder) ?? "none") === "none") return;
      this.count(folder, UNKNOWN);
    }
  }

  /** Lets go of folders whose destination has a majority that no further rename can change. */
  settle(): void {
    for (const [folder, counts] of this.counts)
      if (this.removed.get(folder) === "self" && hasMajority(counts)) this.removed.set(folder, "ancestor");
  }

  /** What is left for telling folders' destinations: nothing of folders that do not matter, nothing unknown. */
  finished(): FolderCounts {
    for (const [folder, counts] of this.counts) {
      if ((this.removed.get(folder) ?? "none") === "none") this.counts.delete(folder);
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
