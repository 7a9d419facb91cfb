import type { Oid } from "../git/objects/types.ts";
import type { SeenRepo } from "../repos/types.ts";

/** A wiki that someone may read. */
export interface Wiki {
  /** Its repository. */
  readonly seen: SeenRepo;
  /** Its own git folder as a repository, for what reads files and history; undefined: nothing was ever written. */
  readonly content: SeenRepo | undefined;
}

/** A wiki that has a first commit. */
export interface WrittenWiki extends Wiki {
  readonly content: SeenRepo;
  /** The tip of its branch. */
  readonly commit: Oid;
}

/** A page in the root directory of a wiki. */
export interface WikiEntry {
  /** Its name in git, as `decodeName` gives it. */
  readonly file: string;
  readonly title: string;
  /** Where it is below `wiki/`, escaped. */
  readonly address: string;
  /** Its content. */
  readonly oid: Oid;
}

/** A page to be written. */
export interface WikiText {
  readonly title: string;
  readonly content: Uint8Array;
  /** Absent or empty: one that names the page. */
  readonly message?: string | undefined;
}

/** What becomes of a page. */
export interface WikiEdit extends Omit<WikiText, "content"> {
  readonly content: Uint8Array | undefined;
  readonly expected?: Oid | undefined;
}
