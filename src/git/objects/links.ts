import { parseCommitLinks } from "./commit.ts";
import type { ObjectFormat } from "./format.ts";
import { oidAt } from "./hash.ts";
import { parseTagLink } from "./tag.ts";
import { eachTreeEntry, isTreeMode, MODE_GITLINK } from "./tree.ts";
import type { GitObject, ObjectType, Oid } from "./types.ts";

/**
 * Visits the objects an object refers to, with their types: a commit's tree and parents, a tree's entries except
 * submodules, a tag's target. For walks that keep ids; those over all objects of a repository read ids as bytes.
 * @throws CorruptObject when it cannot be read; earlier links have been visited by then
 */
export function eachLinkedId(
  { type, data }: GitObject,
  format: ObjectFormat,
  visit: (oid: Oid, as: ObjectType) => void,
): void {
  if (type === "tree")
    eachTreeEntry(data, format, (mode, _nameStart, _nameEnd, oidStart) => {
      if (mode !== MODE_GITLINK) visit(oidAt(format, data, oidStart), isTreeMode(mode) ? "tree" : "blob");
      return true;
    });
  else if (type === "commit") {
    const { tree, parents } = parseCommitLinks(data);
    visit(tree, "tree");
    for (const parent of parents) visit(parent, "commit");
  } else if (type === "tag") {
    const link = parseTagLink(data);
    visit(link.object, link.type);
  }
}
