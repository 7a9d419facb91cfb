/**
 * The type a file is served with. Anything that a browser would run (HTML, XML, scripts) becomes plain text; only
 * images, audio, video and PDF keep their own type (contract git-content.md 5.1).
 */

/** How many bytes at the start of a file are examined. */
export const SNIFFED_BYTES = 1024;

const TEXT = "text/plain; charset=utf-8";

/** A signature's offset, its bytes (latin1), and the type it indicates. */
const signatures: readonly (readonly [number, string, string])[] = [
  [0, "\x89PNG\r\n\x1a\n", "image/png"],
  [0, "\xff\xd8\xff", "image/jpeg"],
  [0, "GIF87a", "image/gif"],
  [0, "GIF89a", "image/gif"],
  [0, "BM", "image/bmp"],
  [0, "\0\0\x01\0", "image/x-icon"],
  [0, "%PDF-", "application/pdf"],
  [0, "OggS\0", "application/ogg"],
  [0, "ID3", "audio/mpeg"],
  [0, "\xff\xfb", "audio/mpeg"],
  [0, "fLaC", "audio/flac"],
  [0, "MThd\0\0\0\x06", "audio/midi"],
  [0, "\x1aE\xdf\xa3", "video/webm"],
  [4, "ftypavif", "image/avif"],
  [4, "ftypM4A", "audio/mp4"],
  [4, "ftyp", "video/mp4"],
];

/** Types of RIFF files by the four characters at byte 8. */
const riff: Readonly<Record<string, string>> = { WEBP: "image/webp", WAVE: "audio/wave", "AVI ": "video/avi" };

/** @param head the first bytes of the file; all of it if shorter than `SNIFFED_BYTES` */
export function mediaTypeOf(head: Uint8Array): string {
  if (head.length === 0) return TEXT;
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SNIFFED_BYTES)).toString("latin1");
  if (bytes.startsWith("RIFF")) {
    const type = riff[bytes.slice(8, 12)];
    if (type) return type;
  }
  const known = signatures.find(([at, signature]) => bytes.startsWith(signature, at));
  // Many texts start with "BM"; a bitmap has zero bytes in its header.
  if (known && !(known[2] === "image/bmp" && !bytes.includes("\0"))) return known[2];
  if (isSvg(bytes)) return "image/svg+xml";
  return textType(head.subarray(0, SNIFFED_BYTES), bytes);
}

function isSvg(bytes: string): boolean {
  const start = bytes
    .replace(/^\xef\xbb\xbf/, "")
    .replace(/^(?:\s|<\?xml[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE\s+svg[^>]*>)+/i, "");
  return /^<svg[\s>/]/i.test(start);
}

function textType(head: Uint8Array, bytes: string): string {
  if (bytes.startsWith("\xff\xfe")) return "text/plain; charset=utf-16le";
  if (bytes.startsWith("\xfe\xff")) return "text/plain; charset=utf-16be";
  // Text contains no control characters other than white space, form feed and escape.
  if (/[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(bytes)) return "application/octet-stream";
  return isUtf8(head) ? TEXT : "text/plain; charset=iso-8859-1";
}

/** A character that is cut off at the end of the examined bytes does not make it invalid. */
function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: head.length >= SNIFFED_BYTES });
    return true;
  } catch {
    return false;
  }
}

/** The content security policy for a file opened on its own; undefined for audio and video, whose players need more. */
export function contentPolicyOf(type: string): string | undefined {
  if (/^(audio|video)\/|^application\/ogg/.test(type)) return undefined;
  const strict = "default-src 'none'; style-src 'unsafe-inline'";
  return type === "application/pdf" ? strict : `${strict}; sandbox`;
}
