/** Archives made in memory: enough of the formats for what registries read. */

export type Entry = readonly [name: string, content: string | Uint8Array];

/** A tape archive. */
export function tar(entries: readonly Entry[]): Buffer<ArrayBuffer> {
  const blocks = entries.flatMap(([name, content]) => {
    const data = Buffer.from(content);
    const head = Buffer.alloc(512);
    const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, "0")}\0`;
    head.write(name, 0);
    head.write(octal(0o644, 8), 100);
    head.write(octal(data.length, 12), 124);
    head.write(octal(1_700_000_000, 12), 136);
    head.write("        ", 148);
    head.write("0", 156);
    head.write("ustar\x0000", 257);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [head, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export const tgz = (entries: readonly Entry[]): Buffer<ArrayBuffer> =>
  Buffer.from(Bun.gzipSync(new Uint8Array(tar(entries))));

/** A zip whose entries are not compressed. */
export function zip(entries: readonly Entry[]): Buffer<ArrayBuffer> {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const data = Buffer.from(content);
    const title = Buffer.from(name);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt32LE(Bun.hash.crc32(data) >>> 0, 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt32LE(data.length, 22);
    head.writeUInt16LE(title.length, 26);
    const listed = Buffer.alloc(46);
    listed.writeUInt32LE(0x02014b50, 0);
    listed.writeUInt16LE(20, 4);
    head.copy(listed, 6, 4, 30);
    listed.writeUInt32LE(offset, 42);
    local.push(head, title, data);
    central.push(listed, title);
    offset += head.length + title.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
