import { type EditorDefinition, editorDefinition } from "../../src/content/editorconfig/definition.ts";
import { decodeText } from "../../src/content/texts.ts";
import type { EditPlace } from "./edit-place.ts";
import type { Sources } from "./sources.ts";

const MAX_BYTES = 64 * 1024;

/** One step of indentation for a file, from `.editorconfig`; undefined when it defines none. */
export function indentOf({ services }: Sources, { seen, commit }: EditPlace, path: string): string | undefined {
  const file = commit === undefined ? undefined : services.files.find(seen, commit, ".editorconfig");
  const bytes = file?.kind === "file" ? services.files.bytes(seen, file.oid, MAX_BYTES) : undefined;
  return bytes && stepOf(editorDefinition(decodeText(bytes), path.split("/").at(-1) ?? ""));
}

function stepOf({ indent_style: style, indent_size: size }: EditorDefinition): string | undefined {
  if (style === "tab") return "\t";
  const columns = Number(size);
  return Number.isInteger(columns) && columns >= 1 && columns <= 16 ? " ".repeat(columns) : undefined;
}
