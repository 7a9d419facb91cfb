const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export interface PngImage {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha (PNG specification, 11.2.1). */
  readonly colourType: number;
  /** RGB of each colour, for type 3. */
  readonly palette?: Uint8Array;
  /** Each row preceded by its filter byte. */
  readonly rows: Uint8Array;
  /** Compression level, 0 to 9. */
  readonly level: number;
}

/** A PNG file from already filtered rows. */
export function encodePng(image: PngImage): Uint8Array<ArrayBuffer> {
  const { width, height, bitDepth, colourType, palette, rows, level } = image;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, colourType, 0, 0, 0], 8);
  return new Uint8Array(
    Buffer.concat([
      SIGNATURE,
      chunk("IHDR", header),
      ...(palette ? [chunk("PLTE", palette)] : []),
      chunk("IDAT", process.getBuiltinModule("node:zlib").deflateSync(rows, { level })),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

function chunk(type: string, data: Uint8Array): Buffer {
  const made = Buffer.alloc(data.length + 12);
  made.writeUInt32BE(data.length, 0);
  made.write(type, 4, "latin1");
  made.set(data, 8);
  made.writeUInt32BE(Bun.hash.crc32(made.subarray(4, data.length + 8)), data.length + 8);
  return made;
}
