import { BadRequest, Failure } from "../kernel/errors.ts";

/** Bytes `start` to `end`, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of a file that a request asks for (contract git-content.md 5.1, RFC 9110 section 14).
 * @returns undefined for the whole file
 * @throws BadRequest for several parts or an end before the start; Failure 416 if the part lies outside the file
 */
export function parseRange(header: string | null, sizeBytes: number): ByteRange | undefined {
  if (header === null || sizeBytes === 0 || !header.startsWith("bytes=")) return undefined;
  const wanted = header.slice("bytes=".length).trim();
  if (wanted.includes(",")) throw new BadRequest("range.multiple");
  const match = /^(\d{0,15})-(.*)$/.exec(wanted);
  const unsatisfiable = () => new Failure(416, "range.not-satisfiable");
  if (!match) throw unsatisfiable();
  const [, from = "", to = ""] = match;
  if (to !== "" && !/^\d{1,15}$/.test(to)) throw new BadRequest("range.bad-end");
  if (from === "") {
    const last = Number(to);
    if (to === "" || last === 0) throw unsatisfiable();
    return { start: Math.max(0, sizeBytes - last), end: sizeBytes - 1 };
  }
  const start = Number(from);
  const end = to === "" ? sizeBytes - 1 : Number(to);
  if (end < start && to !== "") throw new BadRequest("range.bad-end");
  if (start >= sizeBytes) throw unsatisfiable();
  return { start, end: Math.min(end, sizeBytes - 1) };
}

/** Only those bytes of a stream; nothing after them is read. */
export function slice(stream: ReadableStream<Uint8Array>, { start, end }: ByteRange): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let at = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        const from = Math.max(0, start - at);
        const to = Math.min(value.length, end + 1 - at);
        at += value.length;
        if (to > from) controller.enqueue(value.subarray(from, to));
        if (at > end) {
          controller.close();
          await reader.cancel();
          return;
        }
        if (to > from) return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
