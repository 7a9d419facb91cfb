/** Bits of the exit status of `git fsck`. */
export const ERROR_OBJECT = 1;
export const ERROR_REACHABLE = 2;
export const ERROR_PACK = 4;
export const ERROR_REFS = 8;
export const ERROR_COMMIT_GRAPH = 16;

export interface FsckOptions {
  /** Treat git's warnings as errors. */
  readonly strict: boolean;
  /** Check packs, too, not only loose objects. */
  readonly full: boolean;
  /** Only follow links, without checking objects. */
  readonly connectivityOnly: boolean;
  /** Report objects that nothing points to. */
  readonly dangling: boolean;
  /** Report everything that is not reachable from a ref. */
  readonly unreachable: boolean;
  /** Report commits without parents. */
  readonly root: boolean;
  /** Report annotated tags. */
  readonly tags: boolean;
  /** Count reflog entries as reachable. */
  readonly reflogs: boolean;
  readonly signal?: AbortSignal;
}

/** Receives the findings. Texts are one character per byte (latin1), without a line ending. */
export interface FsckListener {
  /** On standard output. */
  line(text: string): void;
  /** On standard error, unchanged. */
  told(text: string): void;
  /** On standard error, prefixed with `error: `. */
  error(text: string): void;
  /** On standard error, prefixed with `notice: `. */
  notice(text: string): void;
}
