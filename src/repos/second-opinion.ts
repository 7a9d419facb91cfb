import fs from "node:fs";
import { readProjection } from "../git/refs/projection.ts";

const BRANCHES = "refs/heads/";
const TAGS = "refs/tags/";

/**
 * What another git implementation, isomorphic-git, reads in a bare repository's folder, compared with what our own
 * reader finds there: the folder is promised to be plain git, and our reader is no judge of that.
 * @returns what differs, in words; undefined when it reads the same
 */
export async function secondOpinion(repoDir: string): Promise<string | undefined> {
  const { currentBranch, listBranches, listTags, resolveRef } = await import("isomorphic-git");
  const repo = { fs, gitdir: repoDir };
  try {
    const known = readProjection(repoDir);
    const head = await currentBranch({ ...repo, fullname: true });
    if (head !== known.head) return `HEAD is read as ${head ?? "nothing"}`;
    const found = [
      ...(await listBranches(repo)).map((name) => BRANCHES + name),
      ...(await listTags(repo)).map((name) => TAGS + name),
    ];
    const wanted = known.refs.filter(({ name }) => name.startsWith(BRANCHES) || name.startsWith(TAGS));
    if (found.length !== wanted.length) return `${found.length} branches and tags are read, not ${wanted.length}`;
    // Each look-up reads packed-refs anew: the default branch and the ends of the list stand for all.
    for (const ref of [...wanted.slice(0, 2), ...wanted.slice(-2)]) {
      const oid = await resolveRef({ ...repo, ref: ref.name });
      if (oid !== ref.oid) return `${ref.name} is read as ${oid}`;
    }
    return undefined;
  } catch (error) {
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
