import { type DocumentInput, renderDocument } from "./document.ts";
import { fenceColours } from "./highlighter.ts";
import type { MarkedHtml } from "./safe-html.ts";

const MAY_HAVE_FORMULAS = /\$|\\\(|(?:```|~~~)[ \t]*math/i;

/** Renders a document in a worker, with highlighted code and formulas in MathML. */
export async function run(input: DocumentInput): Promise<MarkedHtml> {
  const extras = MAY_HAVE_FORMULAS.test(input.source) ? await import("./math.ts") : {};
  return renderDocument(input, { colour: fenceColours(), ...extras });
}
