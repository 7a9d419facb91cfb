import { syncsFork } from "../../src/forks/access.ts";
import { mayUse } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { RepoActionSource, WebServices } from "../area.ts";
import type { RepoAction } from "../layout/contributions.ts";
import { repoHref } from "../links.ts";
import { forksWords } from "./words/index.ts";

/** Links to the fork form, which says when there already is a fork. */
function forkButton({ forks }: WebServices, seen: SeenRepo): RepoAction | undefined {
  if (seen.access.on("code") === "none") return undefined;
  return {
    id: "fork",
    label: forksWords.label("fork"),
    icon: "repo-forked",
    ...(seen.principal.user ? { href: hrefOf(seen, "fork") } : {}),
    count: forks.count(seen),
    list: { href: hrefOf(seen, "forks"), label: forksWords.label("forks") },
  };
}

/** For users who may write to a fork: brings its default branch up to date. */
function syncButton({ forks }: WebServices, seen: SeenRepo): RepoAction | undefined {
  if (seen.repo.forkOf === undefined || !mayUse(syncsFork, seen) || !forks.baseOf(seen)) return undefined;
  return {
    id: "sync",
    label: forksWords.label("syncFork"),
    icon: "sync",
    action: hrefOf(seen, "branches/merge-upstream"),
    count: 0,
  };
}

export const forkButtons: readonly RepoActionSource[] = [
  { id: "sync", order: 5, of: syncButton },
  { id: "fork", order: 30, of: forkButton },
];

function hrefOf({ owner, repo }: SeenRepo, sub: string): string {
  return repoHref({ owner: owner.login, name: repo.name }, sub);
}
