import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { isOid, type Oid } from "../../src/git/objects/types.ts";
import { resolveRevision, UnknownRevision } from "../../src/git/revisions.ts";

/** The object a revision names; undefined when it names none. */
export function namedObject(repository: RepositoryFolder, revision: string): Oid | undefined {
  try {
    return resolveRevision(repository.store, repository.refs, revision).oid;
  } catch (error) {
    if (error instanceof UnknownRevision) return undefined;
    throw error;
  }
}

/** What HEAD is: detached, or on a branch; undefined when the branch has no commit yet. */
export function headOf(repository: RepositoryFolder): { readonly oid: Oid; readonly ref?: string } | undefined {
  const text = readFileSync(join(repository.gitDir, "HEAD"), "utf8").trim();
  if (isOid(text)) return { oid: text };
  const name = /^ref:\s*(.+)$/.exec(text)?.[1];
  const ref = name === undefined ? undefined : repository.refs.resolve(name);
  return ref && { oid: ref.oid, ref: ref.name };
}
