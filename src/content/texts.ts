/**
 * Decodes a file as UTF-8, UTF-16 with a byte order mark, or else Latin-1, in which every byte is a character. Good
 * enough for reading an old file; the raw bytes are a click away.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Decided as in git: a NUL among the first 8,000 bytes, unless the text is UTF-16 with a byte order mark. */
export function isBinary(bytes: Uint8Array): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !isUtf16 && bytes.subarray(0, 8000).includes(0);
}
