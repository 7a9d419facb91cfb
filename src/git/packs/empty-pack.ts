import type { ObjectFormat } from "../objects/format.ts";

/** A pack without objects (gitformat-pack): what is sent when the other side has everything already. */
export function emptyPack(format: ObjectFormat): Uint8Array {
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  return Buffer.concat([header, new Bun.CryptoHasher(format.name).update(header).digest()]);
}
