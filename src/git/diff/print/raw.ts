import { encodeName, toLatin1 } from "../../objects/names.ts";
import { quotePath } from "../../objects/quote.ts";
import type { Oid } from "../../objects/types.ts";
import type { FileChange } from "../change.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { modeText, STATUS_LETTERS } from "./names.ts";

/** How names are written. */
export interface NameStyle {
  /** Unquoted, each followed by a NUL. */
  readonly nul: boolean;
  /** Quoted if they contain anything beyond ASCII. */
  readonly ascii: boolean;
}

/**
 * Prints `:100644 100644 <id> <id> M\tpath` for a file, or only `M\tpath`.
 * @param modes undefined for `--name-status`; for `--raw`, the function that shortens ids
 */
export function printRaw(
  change: FileChange,
  modes: { shorten(oid: Oid | undefined): string } | undefined,
  names: NameStyle,
  out: ByteWriter,
): void {
  const { nul } = names;
  const between = nul ? "\0" : "\t";
  const end = nul ? "\0" : "\n";
  let text = "";
  if (modes) {
    text += `:${modeText(change.oldMode)} ${modeText(change.newMode)} `;
    text += `${modes.shorten(change.oldOid)} ${modes.shorten(change.newOid)} `;
  }
  text += STATUS_LETTERS[change.status];
  if (change.similarity !== undefined) text += String(change.similarity).padStart(3, "0");
  text += between;
  if (change.status === "renamed" || change.status === "copied") text += nameText(change.oldPath, names) + between;
  out.text(text + nameText(change.newMode === 0 ? change.oldPath : change.newPath, names) + end);
}

export function printName(change: FileChange, names: NameStyle, out: ByteWriter): void {
  out.text(nameText(change.newPath, names) + (names.nul ? "\0" : "\n"));
}

/** A name as printed: quoted where necessary, or unquoted if a NUL ends it. A latin1 string. */
export function nameText(path: string, { nul, ascii }: NameStyle): string {
  return nul ? toLatin1(encodeName(path)) : quotePath("", path, ascii);
}
