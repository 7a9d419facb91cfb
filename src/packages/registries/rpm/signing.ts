import { LEAD_BYTES, padding, type RpmHead, Section, type SectionEntry, sectionOf, Type } from "./header.ts";

/** Signs packages as `rpmsign` does: signatures are in their own section, before the data they sign. */

const Tag = { region: 62, dsa: 267, rsa: 268, openpgp: 278, pgp: 1002, gpg: 1005, reserved: 1008 } as const;
/** Tags of existing signatures, and of space reserved for them. */
const replaced = new Set<number>(Object.values(Tag));

/** Binary OpenPGP signatures. */
export interface RpmSignatures {
  readonly ofHeader: Uint8Array;
  /** Signature of the header and the payload. */
  readonly ofAll: Uint8Array;
}

/** @returns the whole package */
export async function* signedPackage(
  file: Blob,
  { headerStart, signatures }: RpmHead,
  { ofAll, ofHeader }: RpmSignatures,
): AsyncGenerator<Uint8Array> {
  const others = new Section(signatures).entries().filter(({ tag }) => !replaced.has(tag));
  const section = sectionOf(Tag.region, [...others, signature(Tag.rsa, ofHeader), signature(Tag.pgp, ofAll)]);
  yield await file.slice(0, LEAD_BYTES).bytes();
  yield section;
  yield new Uint8Array(padding(section.byteLength));
  yield* file.slice(headerStart).stream();
}

const signature = (tag: number, data: Uint8Array): SectionEntry => ({
  tag,
  type: Type.bytes,
  count: data.byteLength,
  data,
});
