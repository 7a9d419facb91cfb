import { BRANCHES } from "../git/refs/names.ts";
import type { Links } from "../kernel/links.ts";
import { repoPage } from "../repos/addresses.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { PushAdvice } from "../transport/push-admission.ts";
import type { PullService } from "./service.ts";

/** A push of more branches is about no branch in particular. */
const MAX_BRANCHES = 5;

/**
 * Tells the pusher of a branch where its pull request into the default branch is, or where to create one (contract
 * git-content.md 13.3).
 */
export function pushHints(pulls: PullService, repos: RepoService, links: Links): PushAdvice {
  return (seen, moved) => {
    const { repo } = seen;
    const base = baseOf(repos, seen);
    if (!base) return [];
    const branches = moved.filter(({ name, newOid }) => newOid !== null && name.startsWith(BRANCHES));
    if (branches.length > MAX_BRANCHES) return [];
    return branches.flatMap(({ name }) => {
      const branch = name.slice(BRANCHES.length);
      if (branch === repo.defaultBranch && repo.forkOf === undefined) return [];
      const pull = pulls
        .openFrom(repo.id, branch)
        .find(({ baseBranch, repoId }) => repoId === base.repo.id && baseBranch === base.repo.defaultBranch);
      if (pull) return ["Visit the existing pull request:", `  ${repoPage(base, links)}/pulls/${pull.number}`];
      const address = `${repoPage(seen, links)}/pulls/new/${branch.split("/").map(encodeURIComponent).join("/")}`;
      return [`Create a new pull request for '${branch}':`, `  ${address}`];
    });
  };
}

/** The repository that pull requests go to: a fork's parent, otherwise the repository itself. undefined if neither. */
function baseOf(repos: RepoService, seen: SeenRepo): SeenRepo | undefined {
  const { forkOf } = seen.repo;
  const parent = forkOf === undefined ? undefined : repos.seeById(seen.principal, forkOf);
  if (parent && parent.access.on("pulls") !== "none") return parent;
  return seen.repo.settings.off?.includes("pulls") ? undefined : seen;
}
