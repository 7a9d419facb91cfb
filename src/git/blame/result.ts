import type { Commits } from "../graph/commits.ts";
import type { Oid } from "../objects/types.ts";
import type { Entry, Origin } from "./origin.ts";

/** A file in a commit. */
export interface CommitFile {
  readonly commit: Oid;
  readonly path: string;
}

/** The file in the commit that introduced some lines. */
export interface BlamedFile extends CommitFile {
  /** The file it was made from; undefined if the commit created it. */
  readonly previous: CommitFile | undefined;
  /** Why blame ended here, if it could go no further: the commit has no parents, or is excluded. */
  readonly boundary: "root" | "excluded" | undefined;
}

/** Lines that one commit introduced. Numbers are 0-based. */
export interface BlameRange {
  readonly line: number;
  readonly count: number;
  readonly file: BlamedFile;
  /** Where the lines were in that file. */
  readonly originLine: number;
  /** An ignored commit changed the lines: this is where they probably were before. */
  readonly ignored: boolean;
  /** An ignored commit added the lines, and nothing before it resembles them. */
  readonly unblamable: boolean;
}

/** Turns entries with a final origin into results. */
export class Ranges {
  private readonly files = new Map<Origin, BlamedFile>();

  constructor(private readonly commits: Commits) {}

  of(entry: Entry, origin: Origin, excluded: boolean): BlameRange {
    const { line, count, originLine, ignored, unblamable } = entry;
    return { line, count, file: this.fileOf(origin, excluded), originLine, ignored, unblamable };
  }

  private fileOf(origin: Origin, excluded: boolean): BlamedFile {
    const cached = this.files.get(origin);
    if (cached) return cached;
    const { commits } = this;
    const { previous } = origin;
    const file: BlamedFile = {
      commit: commits.oidOf(origin.commit),
      path: origin.path,
      previous: previous && { commit: commits.oidOf(previous.commit), path: previous.path },
      boundary: excluded ? "excluded" : commits.firstParentOf(origin.commit) < 0 ? "root" : undefined,
    };
    this.files.set(origin, file);
    return file;
  }
}
