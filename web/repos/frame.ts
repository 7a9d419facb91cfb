import { atLeast } from "../../src/access/levels.ts";
import { SHA256 } from "../../src/git/objects/format.ts";
import { segment } from "../../src/kernel/url-path.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { repoHref } from "../links.ts";
import { visibilityOf } from "./items.ts";
import type { RefFacts } from "./ref-facts.ts";

/**
 * What every page of a repository shows around its own content.
 * @param commits of the default branch, where it is known
 */
export function repoFrame(seen: SeenRepo, facts: RefFacts, rootUrl: string, commits?: number): RepoFrameProps {
  const { repo, owner, access } = seen;
  const { branches, tags } = facts.of(repo);
  return {
    owner: owner.login,
    name: repo.name,
    visibility: visibilityOf(repo, owner),
    description: repo.description,
    isTemplate: repo.isTemplate,
    isEmpty: repo.isEmpty,
    defaultBranch: repo.defaultBranch,
    ...(repo.objectFormat === SHA256 ? { isSha256: true } : {}),
    counts: { branches, tags, ...(commits === undefined ? {} : { commits }) },
    cloneUrls: { http: `${rootUrl}${segment(owner.login)}/${segment(repo.name)}.git` },
    may: {
      write: atLeast(access.on("code"), "write") && !repo.isArchived,
      administer: atLeast(access.level, "admin"),
    },
    ...(repo.isArchived ? { archivedAt: repo.archivedAt ?? repo.updatedAt } : {}),
  };
}

/** A page of a repository, under its present name; `sub` is already escaped. */
export function homeOf({ owner, repo }: SeenRepo, sub = ""): string {
  return repoHref({ owner: owner.login, name: repo.name }, sub);
}
