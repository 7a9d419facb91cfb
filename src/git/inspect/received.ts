import type { RE2JS } from "re2js";
import { isBinary } from "../diff/content.ts";
import { MAX_POINTER_BYTES, parseLfsPointer } from "../lfs/pointer.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import type { ContentPattern, InspectLimits, NewBlob, ReceivedFacts } from "./facts.ts";

/** Only the beginning of larger files is searched. */
const MAX_SCANNED_FILE = 4 * 2 ** 20;
/** Maximum number of files reported per pattern. */
const MAX_FOUND = 3;

export interface ReceivedBlob {
  readonly oid: Oid;
  readonly sizeBytes: number;
}

/**
 * Inspects the files that a push adds.
 * @param blobs those that are not stored yet
 * @param pathsOf returns paths of some of them, for the report
 */
export async function inspectReceived(
  objects: ObjectSource,
  blobs: Iterable<ReceivedBlob>,
  patterns: readonly ContentPattern[],
  limits: InspectLimits,
  pathsOf: (blobs: ReadonlySet<Oid>) => ReadonlyMap<Oid, string>,
  signal: AbortSignal,
): Promise<ReceivedFacts> {
  let totalBytes = 0;
  let largest: ReceivedBlob | undefined;
  const lfs: { oid: string; sizeBytes: number }[] = [];
  const found: { pattern: string; blob: ReceivedBlob }[] = [];
  let scannedBytes = 0;
  let isOverrun = false;
  const scanner = await scannerFor(patterns);
  for (const blob of blobs) {
    signal.throwIfAborted();
    totalBytes += blob.sizeBytes;
    if (blob.sizeBytes > (largest?.sizeBytes ?? -1)) largest = blob;
    const mayPoint = blob.sizeBytes <= MAX_POINTER_BYTES;
    if (!mayPoint && !scanner) continue;
    const data =
      blob.sizeBytes <= MAX_SCANNED_FILE ? objects.read(blob.oid)?.data : await beginningOf(objects, blob.oid);
    if (!data) continue;
    const pointer = mayPoint ? parseLfsPointer(data) : undefined;
    if (pointer && lfs.push(pointer) > limits.lfsPointers) isOverrun = true;
    if (!scanner || isBinary(data)) continue;
    scannedBytes += data.length;
    if (scannedBytes > limits.scannedBytes) isOverrun = true;
    if (isOverrun) break;
    for (const pattern of scanner.findIn(data)) {
      if (found.filter((find) => find.pattern === pattern).length < MAX_FOUND) found.push({ pattern, blob });
    }
  }
  const named = new Set(found.map(({ blob }) => blob.oid));
  if (largest) named.add(largest.oid);
  const paths = named.size === 0 ? new Map<Oid, string>() : pathsOf(named);
  const withPath = (blob: ReceivedBlob): NewBlob => ({ ...blob, path: paths.get(blob.oid) });
  return {
    totalBytes,
    largest: largest && withPath(largest),
    lfs,
    found: found.map(({ pattern, blob }) => ({ pattern, blob: withPath(blob) })),
    ...(isOverrun ? { overrun: "content" } : {}),
  };
}

async function beginningOf(objects: ObjectSource, oid: Oid): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of objects.stream(oid) ?? []) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= MAX_SCANNED_FILE) break;
  }
  return Buffer.concat(pieces).subarray(0, MAX_SCANNED_FILE);
}

interface Scanner {
  /** Names of the patterns that match the text. */
  findIn(data: Uint8Array): string[];
}

/** Undefined if there are no patterns. @throws RE2JSSyntaxException if a pattern is invalid */
async function scannerFor(patterns: readonly ContentPattern[]): Promise<Scanner | undefined> {
  if (patterns.length === 0) return undefined;
  const { RE2JS } = await import("re2js");
  const compiled = patterns.map((pattern) => ({ ...pattern, expression: RE2JS.compile(pattern.source) }));
  return {
    findIn: (data) => {
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      let text: string | undefined;
      return compiled.flatMap(({ name, needles, expression }) => {
        if (needles && !needles.some((needle) => bytes.includes(needle))) return [];
        text ??= bytes.toString("latin1");
        return matches(expression, text) ? [name] : [];
      });
    },
  };
}

function matches(expression: RE2JS, text: string): boolean {
  return expression.matcher(text).find();
}
