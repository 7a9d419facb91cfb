import { CorruptObject, ObjectTooLarge } from "../errors.ts";
import type { ObjectSource } from "../objects/source.ts";
import { MODE_FILE } from "../objects/tree.ts";
import { MODE_KIND } from "../objects/tree-cursor.ts";
import { convert, type EolSettings, needsConversion } from "./convert.ts";
import type { ArchiveEntry } from "./entries.ts";
import type { Substitution } from "./substitute.ts";

/** The content of a file or link: whole if small, otherwise in pieces. */
export type Content =
  | { readonly data: Uint8Array; readonly pieces?: undefined }
  | { readonly data?: undefined; readonly sizeBytes: number; pieces(): AsyncIterable<Uint8Array> };

/**
 * Content that the store reads at once (up to its `maxObjectBytes`) is held in memory, one object at a time; larger
 * content comes in pieces, without conversion or substitution, as git does not alter what it streams.
 * @throws CorruptObject if the blob is missing
 */
export function contentOf(
  store: ObjectSource,
  entry: ArchiveEntry,
  how: {
    readonly substitution?: Substitution | undefined;
    readonly lineEnds?: EolSettings | undefined;
    /** The content is written out before anything else is read. */
    readonly lent?: boolean;
  },
): Content {
  const { oid, attributes } = entry;
  let data: Uint8Array;
  try {
    const object = how.lent && store.readLent ? store.readLent(oid) : store.read(oid);
    if (object?.type !== "blob") throw new CorruptObject(`blob ${oid} is missing`);
    data = object.data;
  } catch (error) {
    if (!(error instanceof ObjectTooLarge)) throw error;
    // The object that was too large may be one of its delta bases.
    const header = store.header(oid);
    if (!header) throw new CorruptObject(`blob ${oid} is missing`);
    return { sizeBytes: header.sizeBytes, pieces: () => piecesOf(store, entry) };
  }
  if (attributes === undefined || (entry.mode & MODE_KIND) !== (MODE_FILE & MODE_KIND)) return { data };
  const { substitution, lineEnds } = how;
  if (needsConversion(attributes, lineEnds)) data = convert(data, oid, attributes, lineEnds);
  if (attributes.exportSubst && substitution) data = substitution.apply(data);
  return { data };
}

async function* piecesOf(store: ObjectSource, { oid }: ArchiveEntry): AsyncGenerator<Uint8Array> {
  const stream = store.stream(oid);
  if (!stream) throw new CorruptObject(`blob ${oid} is missing`);
  yield* stream;
}
