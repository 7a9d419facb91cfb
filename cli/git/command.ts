import type { Config } from "../../src/git/config/config.ts";

/** A command of `hearth git`: takes what real git takes, prints what real git prints, byte for byte. */
export interface GitCommand {
  /** `cat-file` */
  readonly name: string;
  /** As help shows it, without the name: `(-t | -s | -p | -e) <object>`. */
  readonly usage: string;
  readonly doc: string;
  /**
   * @param words what follows the name
   * @returns the exit status: 0, 1 where git answers "no" with it
   * @throws Fatal GitError GitUsage, which end with git's statuses 128, 128 and 129
   */
  run(words: readonly string[], terminal: Terminal): Promise<number> | number;
}

/** Where a command runs, and what it reads and writes. */
export interface Terminal {
  /** The directory to start from: the working directory, or what `-C` says. */
  readonly directory: string;
  /** The variables of the environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Settings that were read for this command, by the repository's folder. */
  readonly configs: Map<string, Config>;
  /** Writes to standard output; text that came out of `decodeName` is written as the bytes it stands for. Held back and written in large pieces. */
  out(data: string | Uint8Array): void;
  /** Writes what was held back, for who waits for an answer before asking on. */
  flush(): void;
  /** A line on standard error. What was held back goes out first. */
  err(line: string): void;
  /** Standard input, in pieces. */
  stdin(): AsyncIterable<Uint8Array>;
}

/** It cannot be done; printed as `fatal: <message>`, status 128 unless told otherwise. */
export class Fatal extends Error {
  override name = "Fatal";
  constructor(
    message: string,
    readonly status = 128,
    /** A line that comes before it, as it stands. */
    readonly before?: string,
  ) {
    super(message);
  }
}

/** The words are no command line of this command; its usage is printed, status 129 as git has it. */
export class GitUsage extends Error {
  override name = "GitUsage";
}
