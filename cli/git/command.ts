import type { Config } from "../../src/git/config/config.ts";

/** A command of `hearth git`: accepts the arguments and prints the output of real git, byte for byte. */
export interface GitCommand {
  /** `cat-file` */
  readonly name: string;
  /** As shown in help, without the name: `(-t | -s | -p | -e) <object>`. */
  readonly usage: string;
  readonly doc: string;
  /**
   * @param words what follows the name
   * @returns the exit status: 0, or 1 where git uses it for "no"
   * @throws Fatal GitError GitUsage, which exit with git's statuses 128, 128 and 129
   */
  run(words: readonly string[], terminal: Terminal): Promise<number> | number;
}

/** Where a command runs, and its input and output. */
export interface Terminal {
  /** The directory to start from: the working directory, or the one given by `-C`. */
  readonly directory: string;
  /** Environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Configuration read during this command, by repository directory. */
  readonly configs: Map<string, Config>;
  /**
   * Writes to standard output; text from `decodeName` is written as the bytes it stands for. Buffered, and written in
   * large pieces.
   */
  out(data: string | Uint8Array): void;
  /** Flushes the buffer, for readers that wait for an answer before they send more. */
  flush(): void;
  /** A line on standard error. Flushes standard output first. */
  err(line: string): void;
  /** Standard input, in pieces. */
  stdin(): AsyncIterable<Uint8Array>;
}

/** The command failed; printed as `fatal: <message>`, with status 128 by default. */
export class Fatal extends Error {
  override name = "Fatal";
  constructor(
    message: string,
    readonly status = 128,
    /** A line to print before it, as is. */
    readonly before?: string,
  ) {
    super(message);
  }
}

/** The arguments are not valid for this command; prints its usage, with git's status 129. */
export class GitUsage extends Error {
  override name = "GitUsage";
}
