import type { JobContext } from "./job.ts";

/** Returns the text and the number of bytes streamed in, and streams the same bytes out again. */
export async function run(input: { text: string }, context: JobContext): Promise<{ text: string; bytes: number }> {
  let bytes = 0;
  for await (const chunk of context.input) {
    bytes += chunk.byteLength;
    await context.emit(new Uint8Array(chunk));
  }
  return { text: input.text, bytes };
}
