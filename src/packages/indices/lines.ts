import type { IndexDraft, IndexEntry } from "./draft.ts";

/** Sends the recorded facts of published files to a worker, as lines of JSON. */

/** Files read together. */
const PAGE = 20;

/** @param lineOf JSON without a line break */
export async function* entryLines(
  draft: IndexDraft,
  parts: Iterable<string>,
  lineOf: (entry: IndexEntry) => string,
): AsyncGenerator<Uint8Array> {
  for (const part of parts)
    for await (const entries of draft.entries(part, PAGE))
      yield new TextEncoder().encode(entries.map((entry) => `${lineOf(entry)}\n`).join(""));
}

/** The lines, parsed in the worker. */
export async function* linesIn(input: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const chunk of input) {
    const [first = "", ...lines] = decoder.decode(chunk, { stream: true }).split("\n");
    rest.push(first);
    for (const line of lines) {
      yield JSON.parse(rest.join(""));
      rest = [line];
    }
  }
}
