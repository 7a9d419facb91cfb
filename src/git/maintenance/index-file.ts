import { readFileSync } from "node:fs";
import type { ObjectFormat } from "../objects/format.ts";
import { oidAt } from "../objects/hash.ts";
import type { Oid } from "../objects/types.ts";

/** Bytes of an entry before the id: times, device, inode, mode, owner, size. */
const STAT_BYTES = 40;
const EXTENDED = 0x4000;
const MODE_AT = 24;
const TYPE_MASK = 0o170000;
const GITLINK = 0o160000;

/**
 * The ids of the files staged in a working tree's index (gitformat-index, versions 2 to 4); none when there is no such
 * file. What it holds besides is rebuilt by real git when it is missing.
 */
export function stagedOids(path: string, format: ObjectFormat): Oid[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return [];
  }
  if (bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC") return [];
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  const found: Oid[] = [];
  let at = 12;
  for (let entry = 0; entry < count; entry++) {
    const flagsAt = at + STAT_BYTES + format.oidBytes;
    if (flagsAt + 2 > bytes.length) break;
    if ((bytes.readUInt32BE(at + MODE_AT) & TYPE_MASK) !== GITLINK) found.push(oidAt(format, bytes, at + STAT_BYTES));
    let name = flagsAt + (bytes.readUInt16BE(flagsAt) & EXTENDED ? 4 : 2);
    // Version 4: how much of the name before it is kept, 7 bits a byte.
    if (version === 4) while (bytes[name++]! & 0x80);
    const end = bytes.indexOf(0, name);
    if (end < 0) break;
    // The others fill up with 1 to 8 zeros, so that each entry has a multiple of 8 bytes.
    at = version === 4 ? end + 1 : at + (((end - at) >> 3) + 1) * 8;
  }
  return found;
}
