/** Bits of the exit status of `git fsck`. */
export const ERROR_OBJECT = 1;
export const ERROR_REACHABLE = 2;
export const ERROR_PACK = 4;
export const ERROR_REFS = 8;
export const ERROR_COMMIT_GRAPH = 16;

export interface FsckOptions {
  /** What git only warns of is an error. */
  readonly strict: boolean;
  /** Packs too, not only loose objects. */
  readonly full: boolean;
  /** Nothing is checked, only followed. */
  readonly connectivityOnly: boolean;
  /** What nothing points to is told. */
  readonly dangling: boolean;
  /** Everything that no ref leads to is told. */
  readonly unreachable: boolean;
  /** Commits without parents are told. */
  readonly root: boolean;
  /** Annotated tags are told. */
  readonly tags: boolean;
  /** Logs of refs keep what they name. */
  readonly reflogs: boolean;
  readonly signal?: AbortSignal;
}

/** Who hears of findings. Texts are one character a byte (latin1), without a line end. */
export interface FsckListener {
  /** On standard output. */
  line(text: string): void;
  /** On standard error, as it is. */
  told(text: string): void;
  /** On standard error, behind `error: `. */
  error(text: string): void;
  /** On standard error, behind `notice: `. */
  notice(text: string): void;
}
