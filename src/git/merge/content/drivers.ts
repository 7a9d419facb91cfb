import { isBinary } from "../../diff/content.ts";
import { type ConflictStyle, DEFAULT_MARKER_SIZE, type MarkerLabels, type MergedText, mergeTexts } from "./texts.ts";

/** The `.gitattributes` of a path that concern merging: `merge` and `conflict-marker-size`. */
export interface MergeAttributes {
  /** "text" by default. `-merge` and `merge=binary` are "binary"; files with unknown drivers are merged as text. */
  readonly driver?: "text" | "binary" | "union" | undefined;
  readonly markerSize?: number | undefined;
}

export interface ContentOptions {
  readonly attributes: MergeAttributes;
  readonly style: ConflictStyle;
  /** Added to the marker size, so that nested conflicts can be distinguished. */
  readonly extraMarkerSize: number;
  /** Whether the result is the base of another merge; contents that cannot be merged then resolve to the base. */
  readonly virtual: boolean;
  readonly ignoreSpaceChange?: boolean | undefined;
}

/** Larger contents are not merged line by line: one side is taken, as for binary files. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/**
 * Merges three versions of a regular file's content. If lines cannot be merged (binary, too large, `-merge`), one
 * version is taken as it is.
 */
export function mergeContents(
  base: Uint8Array | "too-large",
  ours: Uint8Array | "too-large",
  theirs: Uint8Array | "too-large",
  labels: MarkerLabels,
  options: ContentOptions,
): MergedText | "take-ours" | "take-base" {
  const { driver = "text", markerSize = DEFAULT_MARKER_SIZE } = options.attributes;
  const unfit = (data: Uint8Array | "too-large"): data is "too-large" =>
    data === "too-large" || data.length > MAX_TEXT_BYTES || isBinary(data);
  if (driver === "binary" || unfit(base) || unfit(ours) || unfit(theirs))
    return options.virtual ? "take-base" : "take-ours";
  return mergeTexts(base, ours, theirs, labels, {
    style: options.style,
    markerSize: markerSize + options.extraMarkerSize,
    union: driver === "union",
    ignoreSpaceChange: options.ignoreSpaceChange,
  });
}
