import { atLeast } from "../../access/levels.ts";
import { asAccount } from "../../access/principal.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { PullService } from "../../pulls/service.ts";
import type { SeenPull } from "../../pulls/types.ts";
import type { RepoService } from "../../repos/service.ts";

export interface ApprovalNeeds {
  readonly identity: IdentityService;
  readonly pulls: PullService;
  readonly repos: RepoService;
}

/** Whether the head is in another repository, or was pushed by someone without a fork (AGit). */
export const isOfFork = ({ pull }: SeenPull): boolean => pull.isAgit || pull.headRepoId !== pull.repoId;

/** Whether a writer has to approve its workflows because a stranger wrote them (contract actions.md 3.8). */
export function needsApproval({ identity, pulls, repos }: ApprovalNeeds, item: SeenPull, event: string): boolean {
  if (event === "pull_request_target" || !isOfFork(item)) return false;
  const author = item.issue.posterId === undefined ? undefined : identity.byId(item.issue.posterId);
  if (!author || author.isRestricted) return true;
  const { owner, repo } = item.seen;
  const access = repos.accessOf(asAccount(author), repo, owner);
  return !atLeast(access.on("actions"), "write") && !pulls.hasMergedOf(repo.id, author.id);
}
