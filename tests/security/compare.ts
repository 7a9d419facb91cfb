import type { Answer } from "../builders.ts";

/** An answer without what differs between any two: the request's id, the time, the page's nonce. */
export interface Bare {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** @param rename what stands in one request and its counterpart in the other, so that echoes compare equal */
export function bare(answer: Answer<unknown>, rename: readonly (readonly [from: string, to: string])[] = []): Bare {
  const id = answer.headers.get("x-request-id") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1] ?? "";
  const plain = (text: string) => {
    let out = text;
    for (const [from, to] of rename) {
      out = out.replaceAll(from, to);
      out = out.replaceAll(encodeURIComponent(from), to);
    }
    if (id) out = out.replaceAll(id, "<id>");
    if (nonce) out = out.replaceAll(nonce, "<nonce>");
    // Pages end in a comment of chance length, against guessing by size.
    out = out.replace(/<!--[0-9a-f]*-->$/, "");
    return out.replace(/\d+(\.\d+)?\s?ms\b/g, "<time>");
  };
  const headers: Record<string, string> = {};
  for (const [name, value] of answer.headers) {
    if (name === "date" || name === "x-request-id" || name === "content-length") continue;
    // Whether a short stream was ready in time is chance.
    if (name === "transfer-encoding") continue;
    // Pages tell how long they took.
    headers[name] = name === "server-timing" ? "<time>" : plain(value);
  }
  return { status: answer.status, headers, text: plain(answer.text) };
}

/** At most `width` of these at once. */
export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>, width = 24): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as T);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
