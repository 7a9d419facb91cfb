import { BRANCHES } from "../content/values.ts";
import type { Links } from "../kernel/links.ts";
import { repoPage } from "../repos/addresses.ts";
import type { PushAdvice } from "../transport/push-admission.ts";
import type { PullService } from "./service.ts";

/** A push of more branches is no one's topic. */
const MAX_BRANCHES = 5;

/** Tells who pushes a branch where its pull request is, or where one can be made (contract pulls.md 14). */
export function pushHints(pulls: PullService, links: Links): PushAdvice {
  return (seen, moved) => {
    const { repo } = seen;
    if (repo.settings.off?.includes("pulls")) return [];
    const branches = moved.filter(({ name, newOid }) => newOid !== null && name.startsWith(BRANCHES));
    if (branches.length > MAX_BRANCHES) return [];
    return branches.flatMap(({ name }) => {
      const branch = name.slice(BRANCHES.length);
      if (branch === repo.defaultBranch && repo.forkOf === undefined) return [];
      const [pull] = pulls.openFrom(repo.id, branch).filter(({ repoId }) => repoId === repo.id);
      const page = repoPage(seen, links);
      if (pull) return ["Visit the existing pull request:", `  ${page}/pulls/${pull.number}`];
      const address = `${page}/pulls/new/${branch.split("/").map(encodeURIComponent).join("/")}`;
      return [`Create a new pull request for '${branch}':`, `  ${address}`];
    });
  };
}
