import { type Made, make, makeCommit, type Sign } from "../../git/edit/make.ts";
import type { ObjectFormat } from "../../git/objects/format.ts";
import { MODE_FILE, serializeTree } from "../../git/objects/tree.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { GitIdentity } from "../../identity/git-identity.ts";

/**
 * The objects of one root commit with these files in its top-level tree.
 * @param files contents by name; names have no slash
 * @param at milliseconds since 1970
 */
export function firstCommit(
  format: ObjectFormat,
  files: ReadonlyMap<string, string>,
  author: GitIdentity,
  message: string,
  at: number,
  sign?: Sign,
  committer: GitIdentity = author,
): { objects: Made[]; commit: Oid } {
  const objects: Made[] = [];
  const put = (made: Made): Oid => {
    objects.push(made);
    return made.oid;
  };
  const entries = [...files].map(([name, content]) => ({
    mode: MODE_FILE,
    name,
    oid: put(make(format, "blob", new TextEncoder().encode(content))),
  }));
  const tree = put(make(format, "tree", serializeTree(entries)));
  const time = { timestamp: Math.floor(at / 1000), offsetMinutes: 0 };
  const by = { author: { ...author, ...time }, committer: { ...committer, ...time } };
  const commit = put(makeCommit(format, { tree, parents: [], ...by, message }, sign));
  return { objects, commit };
}
