import type { ObjectFormat } from "../objects/format.ts";

/** A pack without objects (gitformat-pack), sent when the other side already has everything. */
export function emptyPack(format: ObjectFormat): Uint8Array {
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  return Buffer.concat([header, new Bun.CryptoHasher(format.name).update(header).digest()]);
}
