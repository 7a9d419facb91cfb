/** A larger file is no pointer (contract git-content.md 5.2). */
export const MAX_POINTER_BYTES = 1024;

export interface LfsPointer {
  /** SHA-256 of the content, in hexadecimal. */
  readonly oid: string;
  readonly sizeBytes: number;
}

/** What an LFS pointer points to; undefined for every other file. */
export function parseLfsPointer(data: Uint8Array): LfsPointer | undefined {
  if (data.length > MAX_POINTER_BYTES) return undefined;
  const text = new TextDecoder().decode(data);
  if (!text.startsWith("version https://git-lfs.github.com/spec/v1\n") || !text.endsWith("\n")) return undefined;
  const oid = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1];
  const size = /^size (\d{1,15})$/m.exec(text)?.[1];
  return oid === undefined || size === undefined ? undefined : { oid, sizeBytes: Number(size) };
}
