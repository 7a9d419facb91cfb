import { crc32, deflateRawSync } from "node:zlib";

export interface ZipFile {
  /** ASCII. */
  readonly name: string;
  readonly text: string;
}

type Field = readonly [bytes: 2 | 4, value: number];

const VERSION = 20;
const DEFLATE = 8;

/**
 * A zip of a few small files (PKWARE's APPNOTE; what repositories are packed with is src/git/archive):
 *
 *     for each: header 30 | name | content
 *     for each: row 46 | name
 *     end 22
 */
export function zipOf(files: readonly ZipFile[], atMs: number): Uint8Array<ArrayBuffer> {
  const at = new Date(atMs);
  const time = Math.floor(at.getUTCSeconds() / 2) + at.getUTCMinutes() * 32 + at.getUTCHours() * 2048;
  const date = at.getUTCDate() + (at.getUTCMonth() + 1) * 32 + (at.getUTCFullYear() - 1980) * 512;
  const contents: Uint8Array[] = [];
  const rows: Uint8Array[] = [];
  let offset = 0;
  for (const { name, text } of files) {
    const data = Buffer.from(text);
    const packed = deflateRawSync(data);
    const shared: Field[] = [
      ...([
        [2, VERSION],
        [2, 0],
        [2, DEFLATE],
        [2, time],
        [2, date],
      ] as const),
      ...([
        [4, crc32(data)],
        [4, packed.length],
        [4, data.length],
        [2, name.length],
        [2, 0],
      ] as const),
    ];
    const local = Buffer.concat([fields([4, 0x04034b50], ...shared), Buffer.from(name), packed]);
    const place: Field[] = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, offset],
    ];
    rows.push(fields([4, 0x02014b50], [2, VERSION], ...shared, ...place), Buffer.from(name));
    contents.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(rows);
  const { length: count } = files;
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, directory.length],
    [4, offset],
    [2, 0],
  );
  return new Uint8Array(Buffer.concat([...contents, directory, end]));
}

function fields(...parts: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(parts.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, value] of parts) at = bytes.writeUIntLE(value, at, length);
  return bytes;
}
