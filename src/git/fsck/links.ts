import { eachCommitLink } from "../objects/commit.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { parseTagLink } from "../objects/tag.ts";
import { eachTreeEntry, MODE_FILE, MODE_SYMLINK, MODE_TREE } from "../objects/tree.ts";
import type { ObjectType } from "../objects/types.ts";
import type { OidTable } from "../receive/oid-table.ts";

/**
 * Tells what an object points to, in the order git follows it: a commit's tree, then its parents. Submodules are no links.
 * @throws CorruptObject when it cannot be read; what came before has been told
 */
export function eachLink(
  type: ObjectType,
  data: Uint8Array,
  format: ObjectFormat,
  table: OidTable,
  visit: (slot: number, type: ObjectType) => void,
): void {
  if (type === "commit") {
    eachCommitLink(data, format, (oidAt, isTree) => visit(table.addHex(data, oidAt), isTree ? "tree" : "commit"));
  } else if (type === "tag") {
    const link = parseTagLink(data);
    visit(table.addOid(link.object), link.type);
  } else if (type === "tree") {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    eachTreeEntry(data, format, (mode, _nameStart, _nameEnd, oidAt) => {
      const kind = typeOfEntry(mode);
      if (kind) visit(table.addAgain(view, oidAt), kind);
      return true;
    });
  }
}

/** Undefined for submodules, which git takes every mode for that it does not know. */
function typeOfEntry(mode: number): ObjectType | undefined {
  const kind = mode & 0o170000;
  if (kind === MODE_TREE) return "tree";
  return kind === (MODE_FILE & 0o170000) || kind === MODE_SYMLINK ? "blob" : undefined;
}
