/**
 * Commits and tags begin with header lines, ended by an empty line; the message follows:
 *
 *     keyword | space | value | LF          a value continues on lines that begin with one space
 */

export interface Header {
  readonly name: string;
  /** Continuation lines are joined by LF, without their leading space. */
  readonly value: string;
}

export interface HeaderBlock {
  readonly headers: Header[];
  /** Offset of the message. */
  readonly messageStart: number;
}

/** Returns the offset of the empty line that ends the header, or the data's length when there is none. */
export function headerEnd(data: Uint8Array): number {
  if (data[0] === 0x0a) return 0;
  for (let at = data.indexOf(0x0a); at >= 0; at = data.indexOf(0x0a, at + 1)) {
    if (data[at + 1] === 0x0a) return at + 1;
  }
  return data.length;
}

/** Splits header lines from the message. `decode` turns header bytes into text. */
export function readHeaders(data: Uint8Array, decode: (bytes: Uint8Array) => string): HeaderBlock {
  const end = headerEnd(data);
  const headers: Header[] = [];
  const text = decode(data.subarray(0, end));
  let name = "";
  let value: string[] = [];
  const finish = () => {
    if (name !== "" || value.length > 0) headers.push({ name, value: value.join("\n") });
  };
  const lines = text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n");
  for (const line of lines) {
    if (line.startsWith(" ") && value.length > 0) {
      value.push(line.slice(1));
      continue;
    }
    finish();
    const space = line.indexOf(" ");
    name = space < 0 ? line : line.slice(0, space);
    value = [space < 0 ? "" : line.slice(space + 1)];
  }
  finish();
  return { headers, messageStart: Math.min(end + 1, data.length) };
}

/** Formats a header as stored, with continuation lines indented by a space. */
export function formatHeader(header: Header): string {
  return `${header.name} ${header.value.replaceAll("\n", "\n ")}\n`;
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes text for display: UTF-8, else the named encoding, else Windows-1252, which most old histories without an
 * `encoding` header use. Never fails.
 */
export function decodeText(bytes: Uint8Array, encoding?: string): string {
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) {
    try {
      return new TextDecoder(encoding.trim() as Bun.Encoding).decode(bytes);
    } catch {
      // Unknown encoding: continue as if none were given.
    }
  }
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
