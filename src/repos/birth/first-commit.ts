import { serializeCommit } from "../../git/objects/commit.ts";
import type { ObjectFormat } from "../../git/objects/format.ts";
import { hashObject } from "../../git/objects/hash.ts";
import { MODE_FILE, serializeTree } from "../../git/objects/tree.ts";
import type { GitObject, ObjectType, Oid } from "../../git/objects/types.ts";
import type { GitPerson } from "../../identity/git-person.ts";

/**
 * The objects of one commit without parents that holds these files in its root folder.
 * @param files contents by name; names have no slash
 * @param at milliseconds since 1970
 */
export function firstCommit(
  format: ObjectFormat,
  files: ReadonlyMap<string, string>,
  author: GitPerson,
  message: string,
  at: number,
): { objects: GitObject[]; commit: Oid } {
  const objects: GitObject[] = [];
  const put = (type: ObjectType, data: Uint8Array): Oid => {
    objects.push({ type, data });
    return hashObject(format, type, data);
  };
  const entries = [...files].map(([name, content]) => ({
    mode: MODE_FILE,
    name,
    oid: put("blob", new TextEncoder().encode(content)),
  }));
  const tree = put("tree", serializeTree(entries));
  const person = { ...author, timestamp: Math.floor(at / 1000), offsetMinutes: 0 };
  const commit = put("commit", serializeCommit({ tree, parents: [], author: person, committer: person, message }));
  return { objects, commit };
}
