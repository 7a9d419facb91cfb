import { CorruptObject } from "../errors.ts";
import { eachCommitLink } from "../objects/commit.ts";
import type { ObjectFormat } from "../objects/format.ts";
import type { OidTable } from "../objects/oid-table.ts";
import { isObjectType, parseTagLink } from "../objects/tag.ts";
import { eachTreeEntry, MODE_FILE, MODE_SYMLINK, MODE_TREE } from "../objects/tree.ts";
import { type ObjectType, type Oid, readOid } from "../objects/types.ts";

/**
 * Reports the objects that an object points to, in git's order: a commit's tree, then its parents. Submodules do not
 * count.
 * @throws CorruptObject if it cannot be parsed; links before that point have been reported
 */
export function eachLink(
  type: ObjectType,
  data: Uint8Array,
  format: ObjectFormat,
  table: OidTable,
  visit: (slot: number, type: ObjectType) => void,
): void {
  if (type === "commit") {
    // Git requires something after the tree line.
    if (data.length <= "tree \n".length + format.oidDigits) throw new CorruptObject("commit without a header");
    eachCommitLink(data, format, (oidAt, isTree) => visit(table.addHex(data, oidAt), isTree ? "tree" : "commit"));
  } else if (type === "tag") {
    const link = parseTagLink(data);
    visit(table.addOid(link.object), link.type);
  } else if (type === "tree") {
    eachTreeLink(data, format, (kind, view, oidAt) => visit(table.addAgain(view, oidAt), kind));
  }
}

/** Git processes an entry only once it has read the next one: the entry before a malformed one is left out, too. */
function eachTreeLink(
  data: Uint8Array,
  format: ObjectFormat,
  visit: (type: ObjectType, view: DataView, oidAt: number) => void,
): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let modeBefore = 0;
  let oidBefore = -1;
  const visitBefore = () => {
    const type = oidBefore < 0 ? undefined : typeOfEntry(modeBefore);
    if (type) visit(type, view, oidBefore);
  };
  try {
    eachTreeEntry(data, format, (mode, _nameStart, _nameEnd, oidAt) => {
      visitBefore();
      modeBefore = mode;
      oidBefore = oidAt;
      return true;
    });
  } catch (error) {
    if (oidBefore < 0 || !(error instanceof CorruptObject)) throw error;
    return;
  }
  visitBefore();
}

/** Git's message for a commit or tag that it cannot even parse; undefined if there is none. */
export function whyUnreadable(type: ObjectType, data: Uint8Array, format: ObjectFormat, oid: Oid): string | undefined {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
  if (type === "tag") {
    const named = /^object [0-9a-fA-F]+\ntype ([^\n]{0,19})\n/.exec(text)?.[1];
    return named === undefined || isObjectType(named) ? undefined : `unknown tag type '${named}' in ${oid}`;
  }
  if (type !== "commit") return undefined;
  const end = "tree ".length + format.oidDigits;
  if (!text.startsWith("tree ") || text[end] !== "\n" || text.length <= end + 1) return `bogus commit object ${oid}`;
  return readOid(text.slice("tree ".length, end))
    ? `bad parents in commit ${oid}`
    : `bad tree pointer in commit ${oid}`;
}

/** Undefined for submodules, which is how git treats every unknown mode. */
function typeOfEntry(mode: number): ObjectType | undefined {
  const kind = mode & 0o170000;
  if (kind === MODE_TREE) return "tree";
  return kind === (MODE_FILE & 0o170000) || kind === MODE_SYMLINK ? "blob" : undefined;
}
