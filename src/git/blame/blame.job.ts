import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import type { WhitespaceOptions } from "../diff/lines/whitespace.ts";
import type { Oid } from "../objects/types.ts";
import { Blame, type BlameOptions, type CopyOptions, joinRanges } from "./blame.ts";
import { type BlameMemory, rememberBlame } from "./memory.ts";
import type { BlameRange } from "./result.ts";

export interface BlameInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly tip: Oid;
  readonly path: string;
  /** 0-based, ends exclusive, sorted; all lines by default. */
  readonly lines?: readonly (readonly [start: number, end: number])[];
  readonly whitespace?: WhitespaceOptions;
  readonly firstParent?: boolean;
  readonly moves?: number;
  readonly copies?: CopyOptions;
  readonly ignored?: readonly Oid[];
  /** An earlier blame of the file, at an ancestor of this commit. */
  readonly memory?: BlameMemory;
  /** Whether to stream ranges as they are found: one JSON line each, a `BlameRange`. */
  readonly stream?: boolean;
}

export interface BlameResult {
  readonly ranges: BlameRange[];
  readonly lineCount: number;
  /** For the next blame of this file; undefined if only some lines, moves or copies were requested. */
  readonly memory: BlameMemory | undefined;
}

/** Finds the commit that introduced each line of a file. */
export async function run({ repoDir, ...input }: BlameInput, context: JobContext): Promise<BlameResult> {
  const options: BlameOptions = { ...input, ignored: new Set(input.ignored ?? []) };
  const blame = new Blame(cachedRepository(context, repoDir).commits(), options);
  const found: BlameRange[] = [];
  let waiting: string[] = [];
  for (const range of blame.find()) {
    if (range) {
      found.push(range);
      if (input.stream) waiting.push(`${JSON.stringify(range)}\n`);
      continue;
    }
    // Lets the job notice a client that has gone, and sends the client the ranges found so far.
    if (waiting.length > 0) await context.emit(new TextEncoder().encode(waiting.join("")));
    else await Bun.sleep(0);
    waiting = [];
    context.signal.throwIfAborted();
  }
  if (waiting.length > 0) await context.emit(new TextEncoder().encode(waiting.join("")));
  const ranges = joinRanges(found);
  return { ranges, lineCount: blame.lineCount, memory: rememberBlame(options, ranges) };
}
