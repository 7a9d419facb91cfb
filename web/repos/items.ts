import type { User } from "../../src/access/user.ts";
import { languageShares } from "../../src/git/languages/shares.ts";
import type { Repo, SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { Visibility } from "../components/surface.tsx";
import type { RepoListItem } from "./repo-list.tsx";

/** The visibility of a repository, as its badge shows it. */
export function visibilityOf(repo: Repo, owner: User): Visibility {
  if (repo.isPrivate) return "private";
  return owner.visibility === "public" ? "public" : "internal";
}

/** Repositories as rows of lists for discovery: with language, stars, forks, size and topics. */
export function repoItems({ repos }: Pick<WebServices, "repos">, found: readonly SeenRepo[]): RepoListItem[] {
  const summaries = repos.summaries(found.map(({ repo }) => repo.id));
  return found.map((seen) => {
    const [language] = languageShares(seen.repo.languages);
    const summary = summaries.get(seen.repo.id);
    return {
      ...repoItem(seen),
      sizeBytes: seen.repo.sizeBytes,
      ...(summary ? { stars: summary.stars, forks: summary.forks, topics: summary.topics } : {}),
      ...(language ? { language: { name: language.name, colour: language.colour } } : {}),
    };
  });
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
    isMirror: repo.isMirror,
  };
}
