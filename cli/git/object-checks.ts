import type { ObjectFormat } from "../../src/git/objects/format.ts";
import { isObjectType } from "../../src/git/objects/tag.ts";
import type { ObjectType } from "../../src/git/objects/types.ts";
import { Fatal, type Terminal } from "./command.ts";

/**
 * The little that `git hash-object` asks of an object before it names it: that it can be read at all.
 * @throws Fatal in git's words
 */
export function checkReadable(type: ObjectType, data: Uint8Array, format: ObjectFormat, terminal: Terminal): void {
  if (type === "tree") checkTree(data, format);
  if (type !== "commit" && type !== "tag") return;
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
  const complaint = type === "commit" ? wrongCommit(text, format) : wrongTag(text, format);
  if (complaint === undefined) return;
  if (complaint !== "") terminal.err(`error: ${complaint}`);
  throw new Fatal(`corrupt ${type}`);
}

function checkTree(data: Uint8Array, { oidBytes }: ObjectFormat): void {
  for (let at = 0; at < data.length; ) {
    const nul = data.length - oidBytes - 1;
    if (data.length - at < oidBytes + 3 || data[nul] !== 0) throw new Fatal("too-short tree object");
    const start = at;
    while (data[at] !== 0x20) {
      if (data[at]! < 0x30 || data[at]! > 0x37) throw new Fatal("malformed mode in tree entry");
      at++;
    }
    if (at === start) throw new Fatal("malformed mode in tree entry");
    if (data[at + 1] === 0) throw new Fatal("empty filename in tree entry");
    at = data.indexOf(0, at) + 1 + oidBytes;
    if (at > data.length) throw new Fatal("too-short tree file");
  }
}

/** undefined: nothing is wrong; empty: nothing is said of it. */
function wrongCommit(text: string, { oidDigits, zeroOid }: ObjectFormat): string | undefined {
  const id = `[0-9a-fA-F]{${oidDigits}}`;
  if (!new RegExp(`^tree ${id}\\n.`, "s").test(text)) return `bogus commit object ${zeroOid}`;
  const length = "parent ".length + oidDigits + 1;
  for (let at = oidDigits + 6; at + length <= text.length && text.startsWith("parent ", at); at += length)
    if (!new RegExp(`^parent ${id}\\n$`).test(text.slice(at, at + length))) return `bad parents in commit ${zeroOid}`;
  return undefined;
}

function wrongTag(text: string, { oidDigits, zeroOid }: ObjectFormat): string | undefined {
  const found = new RegExp(`^object [0-9a-fA-F]{${oidDigits}}\\ntype ([^\\n]*)\\n`).exec(text);
  if (!found || text.length < oidDigits + 24) return "";
  if (!isObjectType(found[1]!)) return `unknown tag type '${found[1]}' in ${zeroOid}`;
  return /^tag [^\n]*\n/.test(text.slice(found[0].length)) ? undefined : "";
}
