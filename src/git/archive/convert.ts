import type { Attributes } from "../attributes/attributes.ts";
import { looksBinary, textOf } from "../attributes/line-ends.ts";
import { toLatin1 } from "../objects/names.ts";
import type { Oid } from "../objects/types.ts";

/**
 * The conversions of a checkout, which archives apply too (gitattributes(5), "Checking-out and checking-in"): `ident`,
 * line endings and `working-tree-encoding`. Filters are external programs and are not run.
 */

type LineEnds = "as they are" | "crlf" | "crlf if text";

/** The configuration of line endings in a working tree (`core.autocrlf`, `core.eol`). */
export interface EolSettings {
  readonly autocrlf?: boolean | "input" | undefined;
  readonly eol?: "lf" | "crlf" | undefined;
}

/** Whether the content may need conversion. */
export function needsConversion(attributes: Attributes, settings: EolSettings = {}): boolean {
  return (
    lineEndsOf(attributes, settings) !== "as they are" ||
    attributes.get("ident") === true ||
    attributes.workingTreeEncoding !== undefined
  );
}

/** The content as in a working tree; the same array if nothing changes. */
export function convert(data: Uint8Array, oid: Oid, attributes: Attributes, settings: EolSettings = {}): Uint8Array {
  let converted = data;
  if (attributes.get("ident") === true) converted = expandIdent(converted, oid);
  const lineEnds = lineEndsOf(attributes, settings);
  if (lineEnds !== "as they are") converted = withCrlf(converted, lineEnds === "crlf if text");
  const encoding = attributes.workingTreeEncoding;
  return encoding === undefined || converted.length === 0 ? converted : encodeAs(converted, encoding);
}

function lineEndsOf(attributes: Attributes, { autocrlf, eol }: EolSettings): LineEnds {
  const text = textOf(attributes);
  if (text === "binary") return "as they are";
  if (attributes.eol === "lf") return "as they are";
  if (attributes.eol === "crlf") return text === "auto" ? "crlf if text" : "crlf";
  if (text === "lf") return "as they are";
  // No attribute sets the file's line endings: the working tree's configuration decides.
  if (text === undefined) return autocrlf === true ? "crlf if text" : "as they are";
  const isCrlf = autocrlf === true || (autocrlf !== "input" && eol === "crlf");
  if (!isCrlf) return "as they are";
  return text === "auto" ? "crlf if text" : "crlf";
}

const CR = 0x0d;
const LF = 0x0a;

/** Each lone LF becomes CR LF. A file that git must first detect as text is left alone if it contains any CR. */
function withCrlf(data: Uint8Array, onlyText: boolean): Uint8Array {
  let alone = 0;
  for (let at = data.indexOf(LF); at >= 0; at = data.indexOf(LF, at + 1)) if (at === 0 || data[at - 1] !== CR) alone++;
  if (alone === 0 || (onlyText && (data.includes(CR) || looksBinary(data)))) return data;
  const converted = new Uint8Array(data.length + alone);
  let from = 0;
  let to = 0;
  for (let at = data.indexOf(LF); at >= 0; at = data.indexOf(LF, at + 1)) {
    converted.set(data.subarray(from, at), to);
    to += at - from;
    if (at === 0 || data[at - 1] !== CR) converted[to++] = CR;
    converted[to++] = LF;
    from = at + 1;
  }
  converted.set(data.subarray(from), to);
  return converted;
}

/** `$Id$` becomes `$Id: <blob id> $`; one already expanded by git is replaced, one expanded by other tools is not. */
function expandIdent(data: Uint8Array, oid: Oid): Uint8Array {
  const text = toLatin1(data);
  if (!text.includes("$Id")) return data;
  let out = "";
  let from = 0;
  for (let at = text.indexOf("$"); at >= 0; at = text.indexOf("$", from)) {
    out += text.slice(from, at + 1);
    from = at + 1;
    if (!text.startsWith("Id", from)) continue;
    if (text[from + 2] === "$") from += 3;
    else if (text[from + 2] === ":") {
      const end = text.indexOf("$", from + 3);
      if (end < 0) break;
      const inside = text.slice(from + 3, end);
      const blank = inside.indexOf(" ", 1);
      if (inside.includes("\n") || (blank >= 0 && blank < inside.length - 1)) continue;
      from = end + 1;
    } else continue;
    out += `Id: ${oid} $`;
  }
  return Buffer.from(out + text.slice(from), "latin1");
}

/** The supported encodings; files with another one stay in UTF-8. */
function encodeAs(data: Uint8Array, encoding: string): Uint8Array {
  const name = encoding.toUpperCase().replace(/^UTF(?=\d)/, "UTF-");
  if (!/^(?:UTF-(?:16|32)(?:[LB]E)?(?:-BOM)?|ISO-?8859-1|LATIN-?1)$/.test(name)) return data;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return data;
  }
  if (!name.startsWith("UTF-")) return /[^\x00-\xff]/.test(text) ? data : Buffer.from(text, "latin1");
  const isBig = name.includes("BE");
  // Without an explicit byte order, iconv writes a byte order mark in the machine's order; so does "-BOM".
  const marked = name.endsWith("-BOM") || !/[LB]E/.test(name) ? `\ufeff${text}` : text;
  return name.startsWith("UTF-16") ? utf16(marked, isBig) : utf32(marked, isBig);
}

function utf16(text: string, isBig: boolean): Uint8Array {
  const bytes = Buffer.from(text, "utf16le");
  return isBig ? bytes.swap16() : bytes;
}

function utf32(text: string, isBig: boolean): Uint8Array {
  const points = [...text];
  const view = new DataView(new ArrayBuffer(points.length * 4));
  for (const [i, point] of points.entries()) view.setUint32(i * 4, point.codePointAt(0)!, !isBig);
  return new Uint8Array(view.buffer);
}
