import { BadPack, CorruptObject } from "../errors.ts";
import type { OidTable } from "../objects/oid-table.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";
import { typeOfKind } from "../packs/entry.ts";
import type { Located } from "./indexer.ts";

/** SHA-1 collisions are possible: an id the repository already has must arrive with identical content (rule L14). */
export class CollisionGuard {
  private readonly loose: ReadonlySet<Oid>;
  /** False while the repository is empty, so that a first push pays nothing. */
  readonly isNeeded: boolean;

  private readBytes = 0;

  constructor(private readonly store: ObjectStore) {
    this.loose = new Set(store.looseOids());
    this.isNeeded = this.loose.size > 0 || store.packs().length > 0;
  }

  isStored(oid: Oid): boolean {
    return this.isNeeded && (this.store.locate(oid) !== undefined || this.loose.has(oid));
  }

  /** @throws BadPack when the repository holds other content under this id */
  check(table: OidTable, slot: number, kind: number, object: Located): void {
    const oid = table.oidOf(slot);
    if (!this.isStored(oid)) return;
    try {
      const stored = this.store.read(oid);
      if (!stored) return;
      this.tidy(stored.data.length);
      const same =
        stored.type === typeOfKind(kind) &&
        stored.data.length === object.length &&
        Buffer.compare(stored.data, object.bytes.subarray(object.start, object.start + object.length)) === 0;
      if (!same) throw collision(oid);
    } catch (error) {
      // A damaged copy proves nothing; the one received has just been hashed.
      if (!(error instanceof CorruptObject)) throw error;
    }
  }

  /** A push of existing objects reads all of them again; see `TIDY_AFTER` in indexer.ts. */
  private tidy(readBytes: number): void {
    const TIDY_BYTES = 24 * 1024 * 1024;
    this.readBytes += readBytes;
    if (this.readBytes < TIDY_BYTES) return;
    this.readBytes = 0;
    Bun.gc(true);
  }
}

/** Compares a large object in both places, piece by piece. @throws BadPack when they differ */
export async function assertSameContent(oid: Oid, received: ObjectSource, stored: ObjectSource): Promise<void> {
  if (received.header(oid)?.type !== stored.header(oid)?.type) throw collision(oid);
  try {
    const [ours, theirs] = [await sha256(stored, oid), await sha256(received, oid)];
    if (ours !== theirs) throw collision(oid);
  } catch (error) {
    if (!(error instanceof CorruptObject)) throw error;
  }
}

async function sha256(source: ObjectSource, oid: Oid): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  const stream = source.stream(oid);
  if (stream) for await (const piece of stream) hasher.update(piece);
  return hasher.digest("hex");
}

function collision(oid: Oid): BadPack {
  return new BadPack(`object ${oid} is stored already with other content`, oid);
}
