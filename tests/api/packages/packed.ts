import { crc32 } from "node:zlib";

/** Archives as clients of registries send them. */

export type Entry = readonly [name: string, content: string | Uint8Array];

/** A gzipped tar of files. */
export async function aTarball(entries: readonly Entry[]): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Bun.Archive(Object.fromEntries(entries), { compress: "gzip" }).bytes());
}

/** A zip whose files are stored as they are. */
export function aZip(entries: readonly Entry[]): Uint8Array<ArrayBuffer> {
  const locals: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(content)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, path, bytes]);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, place, path);
    locals.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, listed, end]));
}

/** A form of fields and files; what has no file name is sent without one. */
export function aForm(parts: readonly { name: string; file?: string; content: string | Uint8Array }[]) {
  const boundary = "a-boundary-of-parts";
  const body = Buffer.concat([
    ...parts.flatMap(({ content, file, name }) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`),
      Buffer.from(`${file === undefined ? "" : `; filename="${file}"`}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from("\r\n"),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { body, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}
