import { encodeName } from "../objects/names.ts";

const UTF8 = /^utf-?8$/i;
const LATIN1 = /^(?:iso-?8859-?1|latin-?1|l1)$/i;
const ASCII = /^(?:us-?)?ascii$/i;

/**
 * Converts a commit to UTF-8 without the `encoding` header, as git does before printing. Returns the original bytes
 * when the encoding is unknown or the bytes are not valid in it.
 * @param header the header block, one character per byte
 */
export function reencode(data: Uint8Array, header: string): { bytes: Uint8Array; encoding: string | undefined } {
  const at = header.startsWith("encoding ") ? 0 : header.indexOf("\nencoding ") + 1;
  if (at === 0 && !header.startsWith("encoding ")) return { bytes: data, encoding: undefined };
  const lineEnd = header.indexOf("\n", at);
  const end = lineEnd < 0 ? header.length : lineEnd + 1;
  const encoding = header.slice(at + "encoding ".length, lineEnd < 0 ? undefined : lineEnd);
  if (UTF8.test(encoding)) return { bytes: Buffer.concat([data.subarray(0, at), data.subarray(end)]), encoding };
  const text = decodeStrictly(data, encoding);
  if (text === undefined) return { bytes: data, encoding };
  const line = `encoding ${encoding}\n`;
  const again = text.indexOf(line);
  return { bytes: encodeName(again < 0 ? text : text.slice(0, again) + text.slice(again + line.length)), encoding };
}

/** As in iconv, one byte that is invalid in the encoding makes the whole conversion fail. */
function decodeStrictly(data: Uint8Array, encoding: string): string | undefined {
  // On the web these two mean Windows-1252.
  if (LATIN1.test(encoding)) return Buffer.from(data).toString("latin1");
  if (ASCII.test(encoding)) return data.every((byte) => byte < 0x80) ? Buffer.from(data).toString("latin1") : undefined;
  try {
    return new TextDecoder(encoding as Bun.Encoding, { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return undefined;
  }
}
