/**
 * Why another git server could not be fetched from or pushed to:
 * not-git: it does not answer as a git server; refused: it says no, in its own words; broken: its answer makes no sense or
 * breaks off; object-format: its ids are of another kind; shallow: it does not have its own whole history;
 * too-many-refs: more than are read.
 */
export type RemoteProblem = "not-git" | "refused" | "broken" | "object-format" | "shallow" | "too-many-refs";

/** A conversation with another git server failed. */
export class RemoteFailed extends Error {
  override name = "RemoteFailed";

  /** @param detail what the other server said, fit to be shown, or what is wrong with it */
  constructor(
    readonly problem: RemoteProblem,
    readonly detail = "",
  ) {
    super(detail === "" ? `the other git server: ${problem}` : `the other git server: ${problem}: ${detail}`);
  }
}

/** The longest text of another server that is passed on. */
const MAX_WORDS = 1_000;

/** What another server says, as one line without control characters: it ends in logs, on pages and terminals. */
export function wordsOfRemote(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4 * MAX_WORDS)).toString("utf8");
  return text
    .replace(/[\x00-\x1f\x7f-\x9f]+/g, " ")
    .trim()
    .slice(0, MAX_WORDS);
}
