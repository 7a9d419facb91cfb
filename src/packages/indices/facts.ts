import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** What a registry notes of a file for its index, as a property's value: lists of files are long and repeat themselves. */
export const packedFacts = (facts: object): string => zstdCompressSync(JSON.stringify(facts)).toString("base64");

export const unpackedFacts = (value: string): unknown =>
  JSON.parse(zstdDecompressSync(Buffer.from(value, "base64")).toString());
