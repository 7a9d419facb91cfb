import fs from "node:fs";
import { BRANCHES, TAGS } from "../git/refs/names.ts";
import { readProjection } from "../git/refs/projection.ts";
import type { FailureParams } from "../kernel/errors.ts";

export interface Difference {
  readonly code: string;
  readonly params: FailureParams;
}

/**
 * Compares what another git implementation, isomorphic-git, reads in a bare repository with what our own reader finds:
 * the folder is meant to be plain git, and our own reader cannot prove that.
 * @returns the first difference; undefined if there is none
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
    // Names that are not UTF-8 cannot be looked up there.
    const names = wanted.filter(({ name }) => name.isWellFormed());
    // Each lookup reads packed-refs again: the first and last two names stand for all.
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
