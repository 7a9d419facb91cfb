import type { OutboundResponse } from "../../outbound/client.ts";

/** The wait GitHub asks for when it gives no time (its limits against bursts). */
const SILENT_WAIT_SECONDS = 60;
/** How much of a refusal is read to find its reason. */
const MAX_REASON_BYTES = 4_096;

/**
 * The wait a rate limit demands, in seconds; undefined if the response is not a rate limit. Reads the response to its
 * end.
 */
export async function limitedFor({ body, headers, status }: OutboundResponse): Promise<number | undefined> {
  const isSpent =
    headers.get("x-ratelimit-remaining") === "0" ||
    headers.get("ratelimit-remaining") === "0" ||
    headers.has("retry-after");
  const mayBeBurst = status === 403 && !isSpent;
  const isLimit =
    status === 429 ||
    (status === 403 && isSpent) ||
    (status === 503 && headers.has("retry-after")) ||
    (mayBeBurst && /rate limit|abuse detection/i.test(await beginningOf(body)));
  if (!mayBeBurst) await body.cancel();
  if (!isLimit) return undefined;
  const given = headers.get("retry-after");
  if (given !== null && Number(given) >= 0) return Number(given);
  if (given !== null && Date.parse(given) > 0) return secondsUntil(Date.parse(given) / 1_000);
  const reset = headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset");
  if (reset !== null && Number(reset) > 0) return secondsUntil(Number(reset));
  return mayBeBurst ? SILENT_WAIT_SECONDS : Number.POSITIVE_INFINITY;
}

const secondsUntil = (at: number) => Math.max(1, Math.ceil(at - Date.now() / 1_000));

async function beginningOf(body: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  // Leaving the loop cancels the stream.
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    if (text.length >= MAX_REASON_BYTES) break;
  }
  return text.slice(0, MAX_REASON_BYTES);
}
