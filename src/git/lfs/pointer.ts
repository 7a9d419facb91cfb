/** A larger file is not a pointer (git-lfs, docs/spec.md; contract git-content.md 5.2). */
export const MAX_POINTER_BYTES = 1024;

/** A smaller file has no room for a version, an id and a size. */
export const MIN_POINTER_BYTES = 100;

export interface LfsPointer {
  /** SHA-256 of the content, in hexadecimal. */
  readonly oid: string;
  readonly sizeBytes: number;
}

const VERSION = "version https://git-lfs.github.com/spec/v1";
const LINE = /^([a-z0-9.-]+) ([^\r\n]+)$/;

/**
 * Parses an LFS pointer; undefined for any other file. A pointer consists of lines `key value`, each ending in LF: the
 * version, then all others sorted by key, including `oid sha256:…` and `size …`.
 */
export function parseLfsPointer(data: Uint8Array): LfsPointer | undefined {
  if (data.length > MAX_POINTER_BYTES || data.length < VERSION.length) return undefined;
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
  if (!text.startsWith(`${VERSION}\n`) || !text.endsWith("\n")) return undefined;
  const values = new Map<string, string>();
  let before = "";
  for (const line of text.slice(VERSION.length + 1, -1).split("\n")) {
    const match = LINE.exec(line);
    if (!match || match[1]! <= before) return undefined;
    before = match[1]!;
    values.set(before, match[2]!);
  }
  const oid = /^sha256:([0-9a-f]{64})$/.exec(values.get("oid") ?? "")?.[1];
  const size = /^\d{1,15}$/.exec(values.get("size") ?? "")?.[0];
  return oid === undefined || size === undefined ? undefined : { oid, sizeBytes: Number(size) };
}

/** The text of a pointer. */
export function writeLfsPointer({ oid, sizeBytes }: LfsPointer): Uint8Array {
  return new TextEncoder().encode(`${VERSION}\noid sha256:${oid}\nsize ${sizeBytes}\n`);
}
