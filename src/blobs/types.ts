/** A content-addressed file that something refers to. */
export interface Blob {
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  readonly digest: string;
  readonly sizeBytes: number;
  /** Told from the bytes when it came in, never from its name or its sender. */
  readonly mediaType: string;
}

/**
 * A file that is durable and in place, held until it is disposed of: in a transaction meanwhile, `refer` makes it
 * belong to something. One that nothing refers to by then is taken away.
 */
export interface StoredBlob extends Blob, Disposable {}
