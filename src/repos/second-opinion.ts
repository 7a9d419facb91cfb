import fs from "node:fs";
import { BRANCHES, TAGS } from "../git/refs/names.ts";
import { readProjection } from "../git/refs/projection.ts";
import type { FailureParams } from "../kernel/errors.ts";

export interface Difference {
  readonly code: string;
  readonly params: FailureParams;
}

/**
 * What another git implementation, isomorphic-git, reads in a bare repository's folder, compared with what our own
 * reader finds there: the folder is promised to be plain git, and our own reader cannot vouch for that.
 * @returns what differs; undefined when it reads the same
 */
export async function secondOpinion(repoDir: string): Promise<Difference | undefined> {
  const { currentBranch, listBranches, listTags, resolveRef } = await import("isomorphic-git");
  const repo = { fs, gitdir: repoDir };
  try {
    const known = readProjection(repoDir);
    const head = await currentBranch({ ...repo, fullname: true });
    if (head !== known.head)
      return head ? differs("second-reader.head", { found: head }) : differs("second-reader.no-head");
    const found = [
      ...(await listBranches(repo)).map((name) => BRANCHES + name),
      ...(await listTags(repo)).map((name) => TAGS + name),
    ];
    const wanted = known.refs.filter(({ name }) => name.startsWith(BRANCHES) || name.startsWith(TAGS));
    if (found.length !== wanted.length)
      return differs("second-reader.count", { found: found.length, expected: wanted.length });
    // A name that is no UTF-8 cannot be looked up there.
    const names = wanted.filter(({ name }) => name.isWellFormed());
    // Each look-up reads packed-refs again: the default branch and the ends of the list stand for all.
    for (const ref of [...names.slice(0, 2), ...names.slice(-2)]) {
      const oid = await resolveRef({ ...repo, ref: ref.name });
      if (oid !== ref.oid) return differs("second-reader.ref", { ref: ref.name, oid });
    }
    return undefined;
  } catch (error) {
    return differs("second-reader.failed", { detail: error instanceof Error ? error.message : String(error) });
  }
}

const differs = (code: string, params: FailureParams = {}): Difference => ({ code, params });
