/** A content-addressed file that something refers to. */
export interface Blob {
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  readonly digest: string;
  readonly sizeBytes: number;
  /** Detected from the bytes on arrival, never taken from its name or its sender. */
  readonly mediaType: string;
}

/**
 * A file that is durable and in place, held until disposed of; in the meantime, `refer` in a transaction attaches it to
 * something. If nothing refers to it by then, it is deleted.
 */
export interface StoredBlob extends Blob, Disposable {}
