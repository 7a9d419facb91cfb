import { isBinary } from "../diff/content.ts";
import { checkContent } from "../edit/paths.ts";
import { TreeEdit } from "../edit/tree-edit.ts";
import type { Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";
import { type MergePiece, mergePieces } from "./content/pieces.ts";
import type { MergeOptions } from "./merge-trees.ts";
import type { ConflictedFile, MergeEntry, MergeResult } from "./result.ts";

/** The user's choice for one conflict of a text: a side, both in some order, or a custom text. */
export type PieceChoice = "ours" | "theirs" | "ours-theirs" | "theirs-ours" | { readonly text: string };

/** The user's resolution of a conflicted path. Paths are those of `ConflictedFile`. */
export type Resolution =
  /** Take that side's entry, or remove the path if it has none. */
  | { readonly kind: "side"; readonly path: string; readonly side: "ours" | "theirs" }
  /** A choice for each conflict of the text, in order. */
  | { readonly kind: "pieces"; readonly path: string; readonly choices: readonly PieceChoice[] }
  | { readonly kind: "text"; readonly path: string; readonly text: string };

/** Larger texts are not split into pieces; only a whole side can be chosen. */
export const MAX_TEXT_BYTES = 1 << 20;

/** The options the merge was made with. */
export type PieceOptions = Pick<MergeOptions, "ignoreSpaceChange">;

/** The pieces of a conflicted text; undefined when it cannot be resolved line by line. */
export function piecesOf(
  store: Overlay,
  file: ConflictedFile,
  { ignoreSpaceChange }: PieceOptions = {},
): MergePiece[] | undefined {
  if (!file.editable || !file.ours || !file.theirs) return undefined;
  const [base, ours, theirs] = [file.base, file.ours, file.theirs].map((entry) => contentOf(store, entry));
  if (!base || !ours || !theirs) return undefined;
  const pieces = mergePieces(base, ours, theirs, ignoreSpaceChange);
  return pieces.some(({ kind }) => kind === "conflict") ? pieces : undefined;
}

function contentOf(store: Overlay, entry: MergeEntry | undefined): Uint8Array | undefined {
  if (!entry) return new Uint8Array(0);
  if ((store.header(entry.oid)?.sizeBytes ?? Number.POSITIVE_INFINITY) > MAX_TEXT_BYTES) return undefined;
  const data = store.read(entry.oid)?.data;
  return data && !isBinary(data) ? data : undefined;
}

/**
 * Builds the tree of a merge whose conflicts are all resolved; its objects are in the overlay.
 * @returns undefined when a conflict is unresolved, or a resolution matches no conflict
 * @throws EditRefused for content git would act on, or a path blocked by another entry
 */
export function resolvedTree(
  store: Overlay,
  result: MergeResult,
  resolutions: readonly Resolution[],
  options: PieceOptions = {},
): Oid | undefined {
  const { conflicts } = result;
  const decided = new Map(resolutions.map((each) => [each.path, each]));
  // A split directory is a conflict without paths.
  if (conflicts.length === 0 || decided.size !== conflicts.length) return undefined;
  const tree = new TreeEdit(store, result.tree);
  for (const file of conflicts) {
    const resolution = decided.get(file.path);
    if (!resolution) return undefined;
    const entry = entryOf(store, file, resolution, options);
    if (entry === "undecided") return undefined;
    if (entry) tree.put(file.path, entry.mode, entry.oid);
    else tree.remove(file.path);
  }
  const written = tree.write();
  for (const { data, type } of written.objects) store.put(type, data);
  return written.tree;
}

function entryOf(
  store: Overlay,
  file: ConflictedFile,
  resolution: Resolution,
  options: PieceOptions,
): MergeEntry | undefined | "undecided" {
  if (resolution.kind === "side") return file[resolution.side];
  const pieces = piecesOf(store, file, options);
  if (!pieces || !file.result) return "undecided";
  const data =
    resolution.kind === "text"
      ? Buffer.from(withLineEnds(resolution.text, pieces))
      : textOf(pieces, resolution.choices);
  if (!data) return "undecided";
  checkContent(file.path, data, store.format);
  return { mode: file.result.mode, oid: store.put("blob", data) };
}

/** @returns undefined when the number of choices differs from the number of conflicts */
function textOf(pieces: readonly MergePiece[], choices: readonly PieceChoice[]): Uint8Array | undefined {
  const waiting = [...choices];
  const parts: Uint8Array[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === "merged") {
      parts.push(piece.data);
      continue;
    }
    const choice = waiting.shift();
    if (choice === undefined) return undefined;
    // A last line without a line end gets one if something follows it.
    const chosen = chosenOf(piece, choice, pieces).filter(({ length }) => length > 0);
    for (const [nth, part] of chosen.entries()) {
      const isLast = at === pieces.length - 1 && nth === chosen.length - 1;
      parts.push(isLast || part.at(-1) === LF ? part : Buffer.concat([part, Buffer.from(lineEndOf(pieces))]));
    }
  }
  return waiting.length === 0 ? Buffer.concat(parts) : undefined;
}

const LF = 0x0a;

function chosenOf(
  { ours, theirs }: MergePiece & { kind: "conflict" },
  choice: PieceChoice,
  pieces: readonly MergePiece[],
): Uint8Array[] {
  if (typeof choice !== "string") return [Buffer.from(endedAs(ours, withLineEnds(choice.text, pieces)))];
  if (choice === "ours") return [ours];
  if (choice === "theirs") return [theirs];
  return choice === "ours-theirs" ? [ours, theirs] : [theirs, ours];
}

/** Form text lacks its final line end, or has too few: the original content decides. */
function endedAs(stood: Uint8Array, text: string): string {
  const isOpen = stood.length > 0 && stood.at(-1) !== LF;
  return text === "" || text.endsWith("\n") || isOpen ? text : `${text}\n`;
}

/** Browsers send CR LF for every line end; replaces them with the file's own. */
function withLineEnds(text: string, pieces: readonly MergePiece[]): string {
  const plain = text.replaceAll("\r\n", "\n");
  return lineEndOf(pieces) === "\n" ? plain : plain.replaceAll("\n", "\r\n");
}

/** The line end of the first line that has one. */
function lineEndOf(pieces: readonly MergePiece[]): "\n" | "\r\n" {
  for (const piece of pieces)
    for (const data of piece.kind === "merged" ? [piece.data] : [piece.ours, piece.theirs]) {
      const end = data.indexOf(LF);
      if (end >= 0) return end > 0 && data[end - 1] === 0x0d ? "\r\n" : "\n";
    }
  return "\n";
}
