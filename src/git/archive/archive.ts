import type { ObjectSource } from "../objects/source.ts";
import { gzip } from "./gzip.ts";
import { type ArchiveChoice, archiveSource } from "./source.ts";
import { tarPieces } from "./tar.ts";
import { zipPieces } from "./zip.ts";

export type { ArchiveChoice } from "./source.ts";

export const ARCHIVE_FORMATS = ["tar", "tgz", "tar.gz", "zip"] as const;
export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

export interface ArchiveOptions extends ArchiveChoice {
  readonly format: ArchiveFormat;
  /** 0 to 9, for formats that pack; zlib's own choice (6) without it. */
  readonly level?: number | undefined;
  /** Of dates in zips: minutes east of UTC; UTC without it. */
  readonly zoneMinutes?: number | undefined;
  /** Rights that files in a tar do not have; git's own 002 without it. */
  readonly umask?: number | undefined;
  /** Told of paths that are not UTF-8, in zips. */
  readonly onOddName?: ((path: string) => void) | undefined;
}

/**
 * An archive of a tree as `git archive` makes it, in pieces, in bounded memory: tar byte for byte, the others with the
 * same entries. The same commit has the same bytes every time. Buffers belong to the caller.
 * @throws NoSuchPath at once; CorruptObject while it is read
 */
export function archive(store: ObjectSource, options: ArchiveOptions): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const source = archiveSource(store, options);
  const { format, level, umask } = options;
  if (format === "zip") return zipPieces(store, source, options);
  const tar = tarPieces(store, source, umask);
  return format === "tar" ? tar : gzip(tar, level);
}
