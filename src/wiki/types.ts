import type { Oid } from "../git/objects/types.ts";
import type { SeenRepo } from "../repos/types.ts";

/** A wiki that the principal may read. */
export interface Wiki {
  /** Its repository. */
  readonly seen: SeenRepo;
  /** Its git folder presented as a repository, for reading files and history; undefined if nothing was ever written. */
  readonly content: SeenRepo | undefined;
}

/** A wiki with at least one commit. */
export interface WrittenWiki extends Wiki {
  readonly content: SeenRepo;
  /** The tip of its branch. */
  readonly commit: Oid;
}

/** A page in the root directory of a wiki. */
export interface WikiEntry {
  /** Its file name in git, as returned by `decodeName`. */
  readonly file: string;
  readonly title: string;
  /** Its address below `wiki/`, escaped. */
  readonly address: string;
  /** Oid of its content. */
  readonly oid: Oid;
}

/** A page to be written. */
export interface WikiText {
  readonly title: string;
  readonly content: Uint8Array;
  /** Absent or empty: a default message that names the page. */
  readonly message?: string | undefined;
}

/** A requested change of a page. */
export interface WikiEdit extends Omit<WikiText, "content"> {
  readonly content: Uint8Array | undefined;
  readonly expected?: Oid | undefined;
}
