import { mediaTypeOf } from "../kernel/media-type.ts";

/** So many bytes of a file's beginning are examined. */
export const SNIFFED_BYTES = 4100;

const SVG = "image/svg+xml";

/** Types of which we know no more than that a browser runs or opens them as a document. */
const ACTIVE = /^(text\/(?!plain)|image\/svg|application\/(xml|xhtml|javascript|ecmascript|wasm))|\+xml/;

/**
 * The type of a file by its beginning. Formats of text (HTML, XML, scripts) are plain text: nothing that is sniffed here may
 * run in a browser. SVG is a picture, in which nothing runs; opened by itself it is saved (`fileAnswer`).
 * @param head the first bytes, all of them when the file is shorter than `SNIFFED_BYTES`
 */
export async function sniffMediaType(head: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import("file-type");
  const known = await fileTypeFromBuffer(head).catch(() => undefined);
  if (known && !ACTIVE.test(known.mime)) return known.mime;
  const simple = mediaTypeOf(head);
  if (simple === SVG) return SVG;
  return ACTIVE.test(simple) ? "text/plain; charset=utf-8" : simple;
}
