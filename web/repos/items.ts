import type { User } from "../../src/access/user.ts";
import type { Repo, SeenRepo } from "../../src/repos/types.ts";
import type { Visibility } from "../components/surface.tsx";
import type { RepoListItem } from "./repo-list.tsx";

/** Who may see a repository, in the word its badge shows. */
export function visibilityOf(repo: Repo, owner: User): Visibility {
  if (repo.isPrivate) return "private";
  return owner.visibility === "public" ? "public" : "internal";
}

/** A repository as lists of pages show it. */
export function repoItem({ repo, owner }: SeenRepo): RepoListItem {
  return {
    owner: owner.login,
    name: repo.name,
    visibility: visibilityOf(repo, owner),
    description: repo.description,
    updatedAt: repo.updatedAt,
    isArchived: repo.isArchived,
    isTemplate: repo.isTemplate,
    isFork: repo.forkOf !== undefined,
  };
}
