import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { SeenPull } from "./types.ts";

/** The repository of the head branch; undefined if it is gone or the caller may not see it. */
export function headRepoOf(
  repos: Pick<RepoService, "seeById">,
  { pull, seen }: Pick<SeenPull, "pull" | "seen">,
): SeenRepo | undefined {
  return pull.headRepoId === undefined ? undefined : repos.seeById(seen.principal, pull.headRepoId);
}
