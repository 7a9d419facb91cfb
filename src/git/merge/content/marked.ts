import type { Text } from "../../diff/lines/text.ts";
import type { Region } from "./regions.ts";
import type { ConflictStyle, MarkerLabels, ThreeTexts } from "./texts.ts";

interface WriteOptions {
  readonly style: ConflictStyle;
  readonly markerSize: number;
  readonly union: boolean;
}

const CR = 0x0d;
const LF = 0x0a;

/** Builds the merged text: ours, with theirs where only they changed, and both between markers where they conflict. */
export function writeMerged(
  texts: ThreeTexts,
  regions: readonly Region[],
  labels: MarkerLabels,
  { style, markerSize, union }: WriteOptions,
): Uint8Array {
  const pieces: Uint8Array[] = [];
  const { base, ours, theirs } = texts;
  /** Appends lines of a text; `close` is added to a last line without a newline. */
  const lines = (text: Text, start: number, count: number, close: string | undefined) => {
    if (count < 1) return;
    pieces.push(text.data.subarray(text.starts[start]!, text.starts[start + count]!));
    if (close !== undefined && text.data[text.starts[start + count]! - 1] !== LF) pieces.push(Buffer.from(close));
  };
  const marker = (sign: string, label: string, newline: string) => {
    pieces.push(Buffer.from(`${sign.repeat(markerSize)}${label === "" ? "" : ` ${label}`}${newline}`, "latin1"));
  };
  let at = 0;
  for (const region of regions) {
    if (region.kind === "same") continue;
    lines(ours, at, region.oursStart - at, undefined);
    at = region.oursStart + region.oursCount;
    if (region.kind === "theirs") lines(theirs, region.theirsStart, region.theirsCount, undefined);
    else if (region.kind === "ours") lines(ours, region.oursStart, region.oursCount, undefined);
    else {
      const newline = needsReturn(texts, region) ? "\r\n" : "\n";
      if (!union) marker("<", labels.ours, newline);
      lines(ours, region.oursStart, region.oursCount, newline);
      if (!union && style !== "merge") {
        marker("|", labels.base, newline);
        lines(base, region.baseStart, region.baseCount, newline);
      }
      if (!union) marker("=", "", newline);
      lines(theirs, region.theirsStart, region.theirsCount, union ? undefined : newline);
      if (!union) marker(">", labels.theirs, newline);
    }
  }
  lines(ours, at, ours.count - at, undefined);
  return Buffer.concat(pieces);
}

/** Markers end in CR LF if the preceding lines do on both sides; if that is unknown, as the base does. */
function needsReturn({ base, ours, theirs }: ThreeTexts, region: Region): boolean {
  let needs = endsInReturn(ours, Math.max(region.oursStart - 1, 0));
  if (needs !== false) needs = endsInReturn(theirs, Math.max(region.theirsStart - 1, 0));
  if (needs !== false) needs = endsInReturn(base, 0);
  return needs ?? false;
}

/** Whether a line ends in CR LF; undefined when the text does not show it. */
function endsInReturn(text: Text, line: number): boolean | undefined {
  const endsSo = (i: number) => {
    const end = text.starts[i + 1]!;
    return end - text.starts[i]! > 1 && text.data[end - 2] === CR;
  };
  if (text.count === 0) return undefined;
  if (line < text.count - 1) return endsSo(line);
  if (text.data[text.data.length - 1] === LF) return endsSo(line);
  // The last line has no newline: go by the one before it.
  return line === 0 ? undefined : endsSo(line - 1);
}
