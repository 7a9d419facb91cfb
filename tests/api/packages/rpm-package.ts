import { createHash } from "node:crypto";

/** Packages of RPM made in memory, as rpmbuild writes them. */

export interface RpmOptions {
  readonly arch?: string;
  readonly epoch?: number;
  readonly more?: readonly Tagged[];
}

type Value = string | readonly string[] | readonly number[] | Uint8Array;
type Tagged = readonly [tag: number, value: Value];

const sha256 = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");

/** A section: numbers of 32 bits, a text, texts or bytes. */
export function section(tags: readonly Tagged[]): Buffer {
  const index: Buffer[] = [];
  const data: Buffer[] = [];
  let offset = 0;
  for (const [tag, value] of tags) {
    const [type, count, bytes] = stored(value);
    const gap = type === 4 ? (4 - (offset % 4)) % 4 : 0;
    const entry = Buffer.alloc(16);
    for (const [at, number] of [tag, type, offset + gap, count].entries()) entry.writeUInt32BE(number, at * 4);
    index.push(entry);
    data.push(Buffer.alloc(gap), bytes);
    offset += gap + bytes.length;
  }
  const head = Buffer.alloc(16);
  head.writeUInt32BE(0x8eade801, 0);
  head.writeUInt32BE(tags.length, 8);
  head.writeUInt32BE(offset, 12);
  return Buffer.concat([head, ...index, ...data]);
}

function stored(value: Value): [type: number, count: number, bytes: Buffer] {
  if (typeof value === "string") return [6, 1, Buffer.from(`${value}\0`)];
  if (value instanceof Uint8Array) return [7, value.length, Buffer.from(value)];
  if (typeof value[0] === "string") return [8, value.length, Buffer.from(value.map((text) => `${text}\0`).join(""))];
  const bytes = Buffer.alloc(value.length * 4);
  for (const [at, number] of value.entries()) bytes.writeUInt32BE(Number(number), at * 4);
  return [4, value.length, bytes];
}

/** @param version `1.0-1` */
export function rpm(name: string, version = "1.0-1", { arch = "x86_64", epoch, more = [] }: RpmOptions = {}): Buffer {
  const [of = "", release = ""] = version.split("-");
  const lead = Buffer.alloc(96);
  lead.writeUInt32BE(0xedabeedb, 0);
  lead.writeUInt16BE(0x0300, 4);
  lead.writeUInt16BE(1, 8);
  lead.write(`${name}-${version}`.slice(0, 65), 10);
  lead.writeUInt16BE(1, 76);
  lead.writeUInt16BE(5, 78);
  const payload = Buffer.from(Bun.gzipSync(Buffer.from(`${name} ${version} ${arch}`)));
  const header = section([
    [1000, name],
    [1001, of],
    [1002, release],
    ...(epoch === undefined ? [] : [[1003, [epoch]] as const]),
    [1004, `The ${name} kit`],
    [1005, "Does & says <things>"],
    [1006, [1_700_000_000]],
    [1007, "build.example.org"],
    [1009, [12]],
    [1014, "MIT"],
    [1020, "https://example.org/kit"],
    [1022, arch],
    [1030, [0o100755, 0o100644, 0o100644, 0o040755, 0o100644]],
    [1034, [1_700_000_001, 1_700_000_002, 1_700_000_002, 1_700_000_002, 1_700_000_002]],
    [1037, [0, 0, 0, 0, 64]],
    [1044, `${name}-${version}.src.rpm`],
    [1046, [64]],
    [1047, [name, `${name}-api`]],
    [1112, [8, 0]],
    [1113, [version, ""]],
    [1048, [16_777_226, 12, 0]],
    [1049, ["rpmlib(CompressedFileNames)", "libkit", "libkit"]],
    [1050, ["3.0.4-1", "2:1.2-3", ""]],
    [1080, [1_700_000_000]],
    [1081, ["Ada <ada@example.org> - 1.0-1"]],
    [1082, ["- first"]],
    [1116, [0, 1, 2, 2, 2]],
    [1117, [name, "kit.conf", "README", "doc", "kit.log"]],
    [1118, ["/usr/bin/", "/etc/", "/usr/share/kit/"]],
    [1125, "gzip"],
    [5092, [sha256(payload)]],
    [5093, [8]],
    ...more,
  ]);
  const signatures = section([
    [269, createHash("sha1").update(header).digest("hex")],
    [273, sha256(header)],
    [1000, [header.length + payload.length]],
    [1004, createHash("md5").update(header).update(payload).digest()],
    [1007, [64]],
  ]);
  return Buffer.concat([lead, signatures, Buffer.alloc((8 - (signatures.length % 8)) % 8), header, payload]);
}
