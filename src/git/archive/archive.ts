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
  /** 0 to 9, for compressed formats; zlib's default (6) if undefined. */
  readonly level?: number | undefined;
  /** Time zone of dates in zips: minutes east of UTC; UTC if undefined. */
  readonly zoneMinutes?: number | undefined;
  /** Permission bits to clear for files in a tar; git's default 002 if undefined. */
  readonly umask?: number | undefined;
  /** Called for paths in zips that are not UTF-8. */
  readonly onOddName?: ((path: string) => void) | undefined;
}

/**
 * An archive of a tree as `git archive` makes it, in chunks and with bounded memory: tar is identical byte for byte,
 * the other formats have the same entries. The same commit always gives the same bytes. The caller owns the yielded
 * buffers.
 * @throws NoSuchPath at once; CorruptObject while reading
 */
export function archive(store: ObjectSource, options: ArchiveOptions): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const source = archiveSource(store, options);
  const { format, level, umask } = options;
  if (format === "zip") return zipPieces(store, source, options);
  const tar = tarPieces(store, source, umask);
  return format === "tar" ? tar : gzip(tar, level);
}
