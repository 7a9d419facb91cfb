import { diffTexts } from "../diff/blocks.ts";
import { contentOf } from "../diff/content.ts";
import { Text } from "../diff/lines/text.ts";
import type { WhitespaceOptions } from "../diff/lines/whitespace.ts";
import { diffTrees } from "../diff/tree.ts";
import { decodeName } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import { isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import type { Oid } from "../objects/types.ts";
import { walkTree } from "../trees.ts";
import { linesOf } from "./compare.ts";
import { bestPiece, type Scores } from "./moves.ts";
import type { Entry } from "./origin.ts";
import type { Version } from "./versions.ts";

/** A file of a parent that lines may have been copied from. */
export interface CopySource {
  readonly path: string;
  readonly mode: number;
  readonly oid: Oid;
}

/** Larger files are not searched for copies. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Size of the text cache while one commit is examined. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** The files of a parent that a commit changed or removed; with `all`, every file of the parent. */
export function copySources(store: ObjectSource, parentTree: Oid, tree: Oid, all: boolean): CopySource[] {
  const sources: CopySource[] = [];
  const add = (path: string, mode: number, oid: Oid) => {
    if (mode !== MODE_GITLINK && !isTreeMode(mode)) sources.push({ path, mode, oid });
  };
  if (all) for (const { path, mode, oid } of walkTree(store, parentTree)) add(path, mode, oid);
  else {
    diffTrees(store, parentTree, tree, ({ path, oldMode, oldOid }) => {
      if (oldOid !== undefined) add(decodeName(Buffer.from(path, "latin1")), oldMode, oldOid);
      return true;
    });
  }
  return sources;
}

/**
 * Finds lines of the blamed file in other files. Their lines do not share its numbering: a whole tree would not fit.
 */
export class CopySearch {
  private texts = new Map<Oid, Text | undefined>();
  private cachedBytes = 0;

  constructor(
    private readonly store: ObjectSource,
    private readonly file: Version,
    private readonly scores: Scores,
    private readonly options: WhitespaceOptions & { readonly minimal: boolean },
  ) {}

  /** The piece with the highest score; the last one on ties. */
  best(entry: Entry, sources: readonly CopySource[]) {
    const lines = linesOf(this.file, entry.line, entry.line + entry.count).text;
    const own = Text.of(lines.data.subarray(lines.starts[0]!, lines.starts[lines.count]!));
    let best: { source: CopySource; piece: NonNullable<ReturnType<typeof bestPiece>> } | undefined;
    for (const source of sources) {
      const text = this.textOf(source);
      if (!text) continue;
      const piece = bestPiece(entry, diffTexts(text, own, { ...this.options, trimTail: true }), this.scores);
      if (piece && (!best || piece.score >= best.piece.score)) best = { source, piece };
    }
    return best;
  }

  private textOf({ mode, oid }: CopySource): Text | undefined {
    if (this.texts.has(oid)) return this.texts.get(oid);
    const data = contentOf(this.store, mode, oid, MAX_BYTES);
    const text = data === "too-large" ? undefined : Text.of(data);
    if (this.cachedBytes > MAX_CACHED_BYTES) {
      this.texts = new Map();
      this.cachedBytes = 0;
    }
    this.cachedBytes += (text?.data.length ?? 0) * 2;
    this.texts.set(oid, text);
    return text;
  }
}
