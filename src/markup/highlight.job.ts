import { type Highlighted, highlightLines } from "./highlighter.ts";

/** Highlights a file in a worker. */
export function run(input: { source: string; fileName: string; language?: string }): Highlighted {
  return highlightLines(input.source, input);
}
