import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Packs what a registry records of a file for its index into a property value: file lists are long and repetitive. */
export const packedFacts = (facts: object): string => zstdCompressSync(JSON.stringify(facts)).toString("base64");

export const unpackedFacts = (value: string): unknown =>
  JSON.parse(zstdDecompressSync(Buffer.from(value, "base64")).toString());
