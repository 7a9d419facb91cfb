import { toLatin1 } from "../diff/content.ts";
import type { Attributes } from "./attributes.ts";
import { looksBinary, textOf, withLf } from "./line-ends.ts";

export const CHECK_IN_ATTRIBUTES: readonly string[] = ["text", "crlf", "eol", "ident", "working-tree-encoding"];

/**
 * The content of a working tree's file as it goes into the repository (gitattributes(5), "Checking-out and
 * checking-in"): in UTF-8, with LF alone, `$Id$` folded. Filters are programs and are not run; what is in an encoding
 * that is not known here, or not in the one that is said, stays as it is.
 * @param guesses what `core.autocrlf` says where the attributes say nothing: whether texts are to be found and converted
 */
export function checkIn(data: Uint8Array, attributes: Attributes, guesses: boolean): Uint8Array {
  const encoding = attributes.workingTreeEncoding;
  let content = encoding === undefined || data.length === 0 ? data : (inUtf8(data, encoding) ?? data);
  const text = textOf(attributes) ?? (attributes.eol === undefined ? (guesses ? "auto" : "binary") : "text");
  if (text === "text" || text === "lf" || (text === "auto" && !looksBinary(content))) content = withLf(content);
  return attributes.get("ident") === true ? withoutIds(content) : content;
}

/** `$Id: …$` on one line becomes `$Id$`. */
function withoutIds(data: Uint8Array): Uint8Array {
  const text = toLatin1(data);
  return text.includes("$Id:") ? Buffer.from(text.replace(/\$Id:[^$\n]*\$/g, "$Id$"), "latin1") : data;
}

/** Undefined when the bytes are not in that encoding, as with a mark of the order of bytes where none may be. */
function inUtf8(data: Uint8Array, encoding: string): Uint8Array | undefined {
  const name = encoding.toUpperCase().replace(/^UTF(?=\d)/, "UTF-");
  if (/^UTF-8$/.test(name)) return data;
  if (/^(?:ISO-?8859-1|LATIN-?1)$/.test(name)) return Buffer.from(toLatin1(data), "utf8");
  const [, order, mark] = /^UTF-16([LB]E)?(-BOM)?$/.exec(name) ?? [];
  if (!name.startsWith("UTF-16") || (order === undefined && mark !== undefined)) return undefined;
  const said = data[0] === 0xff && data[1] === 0xfe ? "LE" : data[0] === 0xfe && data[1] === 0xff ? "BE" : undefined;
  // The name that says the order allows no mark, the one that says neither needs it.
  if (mark === undefined && (order === undefined) !== (said !== undefined)) return undefined;
  const label = (said ?? order) === "BE" ? "utf-16be" : "utf-16le";
  try {
    return new TextEncoder().encode(new TextDecoder(label, { fatal: true }).decode(data));
  } catch {
    return undefined;
  }
}
