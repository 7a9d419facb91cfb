import { brokenArchive } from "./broken.ts";

/**
 * Reads the headers of ar archives:
 *
 *     !<arch>\n | header 60: name 16, time 12, owner 6, group 6, mode 8, size 10, `\n | content, padded to 2 | …
 */

const MAGIC = "!<arch>\n";
const HEADER_BYTES = 60;
/** Packages have three. */
const MAX_ENTRIES = 100;

/** @throws BadRequest (while iterating) if it is no ar archive */
export async function* arEntries(file: Blob): AsyncGenerator<{ readonly name: string; readonly content: Blob }, void> {
  const text = async (from: number, length: number) =>
    Buffer.from(await file.slice(from, from + length).arrayBuffer()).toString("latin1");
  if ((await text(0, MAGIC.length)) !== MAGIC) throw brokenArchive();
  let at = MAGIC.length;
  for (let count = 0; at < file.size; count++) {
    const header = await text(at, HEADER_BYTES);
    const size = /^\d{1,10} *$/.exec(header.slice(48, 58))?.[0];
    if (count === MAX_ENTRIES || header.slice(58) !== "`\n" || size === undefined) throw brokenArchive();
    const start = at + HEADER_BYTES;
    const end = start + Number(size);
    if (end > file.size) throw brokenArchive();
    yield { name: header.slice(0, 16).trimEnd().replace(/\/$/, ""), content: file.slice(start, end) };
    at = end + (end % 2);
  }
}
