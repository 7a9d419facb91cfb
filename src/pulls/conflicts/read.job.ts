import { cachedRepository } from "../../git/cached-repository.ts";
import { treeAttributes } from "../../git/merge/attributes.ts";
import type { MergePiece } from "../../git/merge/content/pieces.ts";
import { mergeCommits } from "../../git/merge/merge-commits.ts";
import { type PieceOptions, piecesOf } from "../../git/merge/resolutions.ts";
import type { ConflictedFile } from "../../git/merge/result.ts";
import type { Oid } from "../../git/objects/types.ts";
import { Overlay } from "../../git/odb/overlay.ts";
import type { JobContext } from "../../workers/job.ts";
import { type Conflict, type ConflictLabels, type ConflictSide, type Conflicts, markersOf } from "./types.ts";

export interface ReadConflictsInput {
  /** The bare repository, which contains both commits. */
  readonly repoDir: string;
  /** The branch that receives the changes, followed by the one they come from. */
  readonly head: Oid;
  readonly base: Oid;
  readonly labels: ConflictLabels;
  readonly ignoreSpaceChange: boolean;
}

const MAX_FILES = 100;
/** Total size of all displayed pieces, and of all texts that can be edited as a whole. */
const MAX_SHOWN_BYTES = 2 << 20;
const MAX_EDITABLE_BYTES = 512 << 10;
/** Resolved lines shown on either side of a conflict. */
const CONTEXT_LINES = 3;

/** What someone has to resolve to merge the base of a pull request into its head. Stores nothing. */
export function run({ repoDir, head, base, labels, ...options }: ReadConflictsInput, context: JobContext): Conflicts {
  const repository = cachedRepository(context, repoDir);
  const commits = repository.commits();
  const overlay = new Overlay(repository.store);
  const { clean, conflicts } = mergeCommits(commits, overlay, head, base, {
    attributesOf: treeAttributes(overlay, commits.treeOf(commits.positionOf(head))),
    signal: context.signal,
    labels,
    ...options,
  });
  const reader = new ConflictReader(overlay, labels, options);
  return {
    files: conflicts.slice(0, MAX_FILES).map((file) => reader.read(file)),
    more: Math.max(0, conflicts.length - MAX_FILES),
    isClean: clean,
  };
}

class ConflictReader {
  private shownBytes = 0;
  private editableBytes = 0;

  constructor(
    private readonly store: Overlay,
    private readonly labels: ConflictLabels,
    private readonly options: PieceOptions,
  ) {}

  read(file: ConflictedFile): Conflict {
    const pieces = piecesOf(this.store, file, this.options);
    const { path } = file;
    const about = file.messages.map(({ text }) => text.trim()).filter((text) => !text.startsWith("Auto-merging"));
    const sides = { ours: sideOf(this.store, file, "ours"), theirs: sideOf(this.store, file, "theirs") };
    if (!pieces) return { path, about, ...sides, text: undefined };
    this.shownBytes += pieces.reduce((sum, piece) => sum + (piece.kind === "conflict" ? sizeOf(piece) : 0), 0);
    if (this.shownBytes > MAX_SHOWN_BYTES) return { path, about, ...sides, text: undefined };
    return { path, about, ...sides, text: { pieces: pieces.map(shownPiece), whole: this.whole(pieces) } };
  }

  /** The whole text with markers; undefined if it is too long or has parts that an editor would not preserve. */
  private whole(pieces: readonly MergePiece[]): string | undefined {
    const size = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0);
    if (this.editableBytes + size > MAX_EDITABLE_BYTES) return undefined;
    const { middle, start, end } = markersOf(this.labels);
    const line = (data: Uint8Array) => {
      const text = strict.decode(data);
      return text === "" || text.endsWith("\n") ? text : `${text}\n`;
    };
    try {
      const text = pieces.map((piece) =>
        piece.kind === "merged"
          ? strict.decode(piece.data)
          : `${start}\n${line(piece.ours)}${middle}\n${line(piece.theirs)}${end}\n`,
      );
      this.editableBytes += size;
      return text.join("");
    } catch {
      return undefined;
    }
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

function sizeOf(piece: MergePiece): number {
  return piece.kind === "merged" ? piece.data.length : piece.ours.length + piece.theirs.length;
}

function sideOf(store: Overlay, file: ConflictedFile, side: "ours" | "theirs"): ConflictSide | undefined {
  const entry = file[side];
  return entry && { mode: entry.mode, oid: entry.oid, sizeBytes: store.header(entry.oid)?.sizeBytes };
}

function shownPiece(piece: MergePiece, at: number, all: readonly MergePiece[]) {
  if (piece.kind === "conflict")
    return { kind: "conflict", ours: lossy.decode(piece.ours), theirs: lossy.decode(piece.theirs) } as const;
  const lines = lossy.decode(piece.data).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const before = at === 0 ? 0 : CONTEXT_LINES;
  const after = at === all.length - 1 ? 0 : CONTEXT_LINES;
  if (lines.length <= before + after) return { kind: "merged", before: lines, left: 0, after: [] } as const;
  const rest = lines.length - before - after;
  return {
    kind: "merged",
    before: lines.slice(0, before),
    left: rest,
    after: after === 0 ? [] : lines.slice(-after),
  } as const;
}
