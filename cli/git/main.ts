import { statSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { GitError } from "../../src/git/errors.ts";
import { encodeName } from "../../src/git/objects/names.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { gitCommands } from "./commands.ts";

const PIECE_BYTES = 64 * 1024;
const FATAL_STATUS = 128;
const USAGE_STATUS = 129;
/** The status a shell reports for a program terminated by SIGPIPE. */
const BROKEN_PIPE_STATUS = 141;

/** Input and output of a command line. */
export interface Streams {
  readonly environment: Readonly<Record<string, string | undefined>>;
  stdin(): AsyncIterable<Uint8Array>;
  /** @throws the system's error, `EPIPE` when the reader has gone */
  stdout(bytes: Uint8Array): void;
  stderr(bytes: Uint8Array): void;
}

export const processStreams: Streams = {
  environment: process.env,
  stdin: () => Bun.stdin.stream(),
  stdout: (bytes) => writeAll(1, bytes),
  stderr: (bytes) => writeAll(2, bytes),
};

/** Runs `hearth git [-C DIR]… COMMAND …` and returns its exit status. */
export async function runGit(words: readonly string[], streams: Streams): Promise<number> {
  const output = new Output(streams);
  let directory = process.cwd();
  let at = 0;
  for (; words[at] === "-C"; at += 2) {
    const to = words[at + 1];
    if (to === undefined) {
      output.err("no directory given for '-C'");
      return USAGE_STATUS;
    }
    directory = resolve(directory, to);
    const trouble = whyNotFolder(directory);
    if (trouble !== undefined) {
      output.err(`fatal: cannot change to '${to}': ${trouble}`);
      return FATAL_STATUS;
    }
  }
  const name = words[at];
  if (name === undefined || name === "--help" || name === "-h") {
    output.out(await help());
    output.flush();
    return name === undefined ? 1 : 0;
  }
  const load = Object.hasOwn(gitCommands, name) ? gitCommands[name] : undefined;
  if (!load) {
    output.err(`hearth: '${name}' is not a command of hearth git. See hearth git --help.`);
    return 1;
  }
  const command = await load();
  const terminal: Terminal = {
    directory,
    environment: streams.environment,
    configs: new Map(),
    out: (data) => output.out(data),
    flush: () => output.flush(),
    err: (line) => output.err(line),
    stdin: () => streams.stdin(),
  };
  try {
    const status = await command.run(words.slice(at + 1), terminal);
    output.flush();
    return status;
  } catch (error) {
    return wordsFor(error, command, output);
  }
}

/** The system's error message; undefined for a directory. */
function whyNotFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : "Not a directory";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return "No such file or directory";
    if (code === "ENOTDIR") return "Not a directory";
    if (code === "EACCES") return "Permission denied";
    throw error;
  }
}

/** Prints an error in git's wording, and returns the exit status. @throws an unexpected error */
function wordsFor(error: unknown, command: GitCommand, output: Output): number {
  // The reader of our output has exited, as `head` does.
  if (error instanceof Error && "code" in error && error.code === "EPIPE") return BROKEN_PIPE_STATUS;
  if (error instanceof GitUsage) {
    if (error.message !== "") output.err(`error: ${error.message}`);
    output.err(`usage: hearth git ${command.name} ${command.usage}`);
    return USAGE_STATUS;
  }
  const words = error instanceof Fatal || error instanceof GitError ? error.message : refusalOfSystem(error);
  if (words === undefined) throw error;
  if (error instanceof Fatal && error.before !== undefined) output.err(error.before);
  output.err(`fatal: ${words}`);
  return error instanceof Fatal ? error.status : FATAL_STATUS;
}

/** System errors such as a full disk or an unwritable directory, in git's wording; undefined for any other error. */
function refusalOfSystem(error: unknown): string | undefined {
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return undefined;
  const [, why = String(error.code)] = /^\w+: (.+?)(?:, \w+(?: '|$)|$)/.exec(error.message) ?? [];
  const reason = why.charAt(0).toUpperCase() + why.slice(1);
  if (!("path" in error) || typeof error.path !== "string") return `${error.syscall}: ${reason}`;
  const { path } = error;
  return path.endsWith(".lock")
    ? `Unable to create '${path}': ${reason}`
    : `cannot ${error.syscall} '${path}': ${reason}`;
}

async function help(): Promise<string> {
  const commands = await Promise.all(Object.values(gitCommands).map((load) => load()));
  const lines = commands.map(({ name, usage, doc }) => `  ${name} ${usage}\n      ${doc}\n`);
  return `usage: hearth git [-C <folder>] <command> …\n\nReads and keeps up any git repository folder, without git.\n\n${lines.join("")}`;
}

/** Standard output, buffered into large pieces. */
class Output {
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;

  constructor(private readonly streams: Streams) {}

  out(data: string | Uint8Array): void {
    const bytes = typeof data === "string" ? encodeName(data) : data;
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    if (this.waitingBytes >= PIECE_BYTES) this.flush();
  }

  err(line: string): void {
    this.flush();
    this.streams.stderr(encodeName(`${line}\n`));
  }

  flush(): void {
    if (this.waitingBytes === 0) return;
    const bytes = Buffer.concat(this.waiting);
    this.waiting = [];
    this.waitingBytes = 0;
    this.streams.stdout(bytes);
  }
}

/** @throws the system's error; blocks while the reader is slow */
function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at, bytes.length - at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Bun.sleepSync(1);
    }
  }
}
