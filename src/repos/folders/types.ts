import type { Unit } from "../../access/levels.ts";
import type { ObjectFormat } from "../../git/objects/format.ts";
import type { Repo, SeenRepo } from "../types.ts";

/** What a repository may have a git folder for, and the unit that says who may read and write it. */
export const folderUnits = { code: "code", wiki: "wiki" } as const satisfies Record<string, Unit>;
export type FolderKind = keyof typeof folderUnits;

export function isFolderKind(name: string): name is FolderKind {
  return Object.hasOwn(folderUnits, name);
}

/** A bare git repository on disk, with refs of its own. The one of a repository's code has the repository's number. */
export interface GitFolder {
  readonly id: number;
  readonly repoId: number;
  readonly kind: FolderKind;
  readonly objectFormat: ObjectFormat;
  /** The branch that HEAD names, whether it exists or not. */
  readonly defaultBranch: string;
  /** It has never had a branch. */
  readonly isEmpty: boolean;
  /** Changes with every change of a ref. */
  readonly refsVersion: number;
}

export function codeFolderOf(repo: Repo): GitFolder {
  const { id, objectFormat, defaultBranch, isEmpty, refsVersion } = repo;
  return { id, repoId: id, kind: "code", objectFormat, defaultBranch, isEmpty, refsVersion };
}

/**
 * A repository as if another of its folders were its code: for whatever reads files, commits and histories, and nothing
 * else. Its number is the folder's, which no repository has; who may read the folder may read this "code".
 */
export function asCode(seen: SeenRepo, { id, defaultBranch, isEmpty, kind, refsVersion }: GitFolder): SeenRepo {
  const { level, on } = seen.access;
  return {
    ...seen,
    repo: { ...seen.repo, id, defaultBranch, isEmpty, refsVersion },
    access: { level, on: (unit) => (unit === "code" ? on(folderUnits[kind]) : "none") },
  };
}

/** How a folder is named to people: `owner/name`, and what it is for, as in the address of a wiki. */
export function folderName(login: string, repo: string, kind: string): string {
  return kind === "code" ? `${login}/${repo}` : `${login}/${repo}.${kind}`;
}
