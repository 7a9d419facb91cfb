/**
 * Why fetching from or pushing to a remote failed: not-git: it does not answer like a git server; refused: it refuses,
 * with a message; broken: its response is malformed or truncated; object-format: it uses another hash; shallow: its own
 * history is incomplete; too-many-refs: it has more refs than are read.
 */
export type RemoteProblem = "not-git" | "refused" | "broken" | "object-format" | "shallow" | "too-many-refs";

/** Communication with a remote failed. */
export class RemoteFailed extends Error {
  override name = "RemoteFailed";

  /** @param detail the remote's message, safe to display, or what is wrong with it */
  constructor(
    readonly problem: RemoteProblem,
    readonly detail = "",
  ) {
    super(detail === "" ? `the other git server: ${problem}` : `the other git server: ${problem}: ${detail}`);
  }
}

/** The maximum length of a remote's message that is passed on. */
const MAX_WORDS = 1_000;

/**
 * A remote's message as one line without control characters, because it is shown in logs, on pages and in terminals.
 */
export function wordsOfRemote(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4 * MAX_WORDS)).toString("utf8");
  return text
    .replace(/[\x00-\x1f\x7f-\x9f]+/g, " ")
    .trim()
    .slice(0, MAX_WORDS);
}
