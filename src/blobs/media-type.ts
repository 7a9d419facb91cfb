import { mediaTypeOf } from "../kernel/media-type.ts";

/** So many bytes of a file's beginning are examined. */
export const SNIFFED_BYTES = 4100;

/** Types of which we know no more than that a browser runs or opens them as a document. */
const ACTIVE = /^(text\/(?!plain)|image\/svg|application\/(xml|xhtml|javascript|ecmascript|wasm))|\+xml/;

/**
 * The type of a file by its beginning. Formats of text (HTML, SVG, scripts) are plain text or XML: nothing that is sniffed
 * here may run in a browser.
 * @param head the first bytes, all of them when the file is shorter than `SNIFFED_BYTES`
 */
export async function sniffMediaType(head: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import("file-type");
  const known = await fileTypeFromBuffer(head).catch(() => undefined);
  if (known && !ACTIVE.test(known.mime)) return known.mime;
  const simple = mediaTypeOf(head);
  return ACTIVE.test(simple) ? "text/plain; charset=utf-8" : simple;
}
