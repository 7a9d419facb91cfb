import type { Unit } from "../../access/levels.ts";
import type { ObjectFormat } from "../../git/objects/format.ts";
import type { Repo, SeenRepo } from "../types.ts";

/** The kinds of git folder a repository may have, and the unit that governs access to each. */
export const folderUnits = { code: "code", wiki: "wiki" } as const satisfies Record<string, Unit>;
export type FolderKind = keyof typeof folderUnits;

export function isFolderKind(name: string): name is FolderKind {
  return Object.hasOwn(folderUnits, name);
}

/** A bare git repository on disk, with its refs. The code folder has the repository's id. */
export interface GitFolder {
  readonly id: number;
  readonly repoId: number;
  readonly kind: FolderKind;
  readonly objectFormat: ObjectFormat;
  /** The branch that HEAD names, whether it exists or not. */
  readonly defaultBranch: string;
  /** It has never had a branch. */
  readonly isEmpty: boolean;
  /** Increases with every ref change. */
  readonly refsVersion: number;
}

export function codeFolderOf(repo: Repo): GitFolder {
  const { id, objectFormat, defaultBranch, isEmpty, refsVersion } = repo;
  return { id, repoId: id, kind: "code", objectFormat, defaultBranch, isEmpty, refsVersion };
}

/**
 * Presents another of a repository's folders as its code, for code that reads files, commits and histories and nothing
 * else. Its id is the folder's, which no repository has; whoever may read the folder may read this "code".
 */
export function asCode(seen: SeenRepo, { id, defaultBranch, isEmpty, kind, refsVersion }: GitFolder): SeenRepo {
  const { level, on } = seen.access;
  return {
    ...seen,
    repo: { ...seen.repo, id, defaultBranch, isEmpty, refsVersion },
    access: { level, on: (unit) => (unit === "code" ? on(folderUnits[kind]) : "none") },
  };
}

/** Display name of a folder: `owner/name`, with the kind as suffix unless it is the code, as in a wiki's address. */
export function folderName(login: string, repo: string, kind: string): string {
  return kind === "code" ? `${login}/${repo}` : `${login}/${repo}.${kind}`;
}
