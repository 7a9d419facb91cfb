import { mediaTypeOf } from "../kernel/media-type.ts";

/** How many bytes at the start of a file are examined. */
export const SNIFFED_BYTES = 4100;

const SVG = "image/svg+xml";

/** Types that a browser runs or opens as a document. */
const ACTIVE = /^(text\/(?!plain)|image\/svg|application\/(xml|xhtml|javascript|ecmascript|wasm))|\+xml/;

/**
 * The type of a file according to its beginning. Text formats (HTML, XML, scripts) become plain text: nothing detected
 * here may run in a browser. SVG counts as an image, in which nothing runs; opened on its own it is downloaded
 * (`fileAnswer`).
 * @param head the first bytes; all of them if the file is shorter than `SNIFFED_BYTES`
 */
export async function sniffMediaType(head: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import("file-type");
  const known = await fileTypeFromBuffer(head).catch(() => undefined);
  if (known && !ACTIVE.test(known.mime)) return known.mime;
  const simple = mediaTypeOf(head);
  if (simple === SVG) return SVG;
  return ACTIVE.test(simple) ? "text/plain; charset=utf-8" : simple;
}
