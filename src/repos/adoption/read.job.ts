import { RepositoryFolder } from "../../git/folder.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import type { Ref } from "../../git/refs/types.ts";

/** What was read from a git folder made outside Hearth. */
export interface FoundFolder {
  readonly objectFormat: "sha1" | "sha256";
  /** Without `refs/heads/`; undefined if HEAD is not on a branch. */
  readonly defaultBranch: string | undefined;
  /** Branches and tags. */
  readonly refs: readonly Ref[];
}

/** @throws NoRepository; the file system's error */
export function run({ dir }: { readonly dir: string }): FoundFolder {
  const folder = RepositoryFolder.open(dir);
  try {
    const refs = folder.refs
      .list()
      .filter(({ name, oid }) => /^refs\/(heads|tags)\//.test(name) && folder.store.has(oid));
    const head = headOf(folder);
    const defaultBranch = head?.startsWith(BRANCHES) ? head.slice(BRANCHES.length) : undefined;
    return { objectFormat: folder.store.format.name, defaultBranch, refs };
  } finally {
    folder.store.close();
  }
}

function headOf(folder: RepositoryFolder): string | undefined {
  try {
    return folder.refs.head();
  } catch {
    return undefined;
  }
}
