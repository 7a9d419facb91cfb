import { expect } from "bun:test";
import { crc32, inflateRawSync } from "node:zlib";

/** What a zip's directory and its entries say, read by nothing but the format. */
export function unzipped(zip: string | Uint8Array) {
  const data = typeof zip === "string" ? Buffer.from(zip, "latin1") : Buffer.from(zip);
  const end = data.lastIndexOf("PK\x05\x06");
  const count = data.readUInt16LE(end + 10);
  let at = data.readUInt32LE(end + 16);
  const told = [];
  for (let i = 0; i < count; i++) {
    const nameLength = data.readUInt16LE(at + 28);
    const extraLength = data.readUInt16LE(at + 30);
    const local = data.readUInt32LE(at + 42);
    const start = local + 30 + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28);
    const packed = data.subarray(start, start + data.readUInt32LE(at + 20));
    const isDeflated = data.readUInt16LE(at + 10) === 8;
    const content = isDeflated ? inflateRawSync(packed) : packed;
    expect(crc32(content)).toBe(data.readUInt32LE(at + 16));
    expect(content.length).toBe(data.readUInt32LE(at + 24));
    const name = data.toString("latin1", at + 46, at + 46 + nameLength);
    const rest = data.toString("hex", at + 12, at + 16) + data.toString("hex", at + 36, at + 42);
    told.push({
      name,
      rest,
      extra: data.toString("hex", at + 46 + nameLength, at + 46 + nameLength + extraLength),
      content: content.toString("latin1"),
    });
    at += 46 + nameLength + extraLength;
  }
  return told;
}
