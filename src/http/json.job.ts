import type { JobContext } from "../workers/job.ts";
import { type ParsedJson, parseJson } from "./json.ts";

/** Parses a large JSON text, streamed in, on a worker. */
export async function run(_: Record<string, never>, { input }: JobContext): Promise<ParsedJson> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(chunk);
  return parseJson(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
}
