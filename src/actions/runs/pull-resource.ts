import { type Static, Type } from "@sinclair/typebox";
import { operator, type Principal } from "../../access/principal.ts";
import { text, whole } from "../../http/fields.ts";
import { repoAddress } from "../../repos/addresses.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import type { Run } from "./types.ts";

const SideResource = Type.Object(
  {
    ref: text("Name of the branch."),
    sha: text("Commit it points to; empty if none."),
    repo: Type.Object(
      {
        id: whole("Number of its repository; 0 if that was deleted."),
        url: text("API address of its repository; empty if that was deleted."),
        name: text("Name of its repository; empty if that was deleted."),
      },
      { $id: "PullRequestMinimalHeadRepo", description: "The repository of a branch." },
    ),
  },
  { $id: "PullRequestMinimalHead", description: "One of the two branches of a pull request." },
);

export const PullMinimalResource = Type.Object(
  {
    id: whole("Number of the pull request on the site."),
    number: whole("Its number in its repository."),
    url: text("Its API address."),
    head: SideResource,
    base: SideResource,
  },
  { $id: "PullRequestMinimal", description: "A pull request, in short." },
);
type PullMinimalResource = Static<typeof PullMinimalResource>;

/** The pull requests that runs belong to, as far as the viewer may see them, by item ID. */
export function pullMinimals(
  { links, pulls, repos }: Pick<Services, "links" | "pulls" | "repos">,
  viewer: Principal,
  runs: readonly Pick<Run, "issueId">[],
): Map<number, PullMinimalResource[]> {
  const ids = [...new Set(runs.flatMap(({ issueId }) => issueId ?? []))];
  if (ids.length === 0) return new Map();
  const items = pulls.shown({ principal: viewer }, ids);
  // The head repository is named even to viewers who may not see it, as elsewhere in pull requests.
  const heads = repos.seeEach(operator, [...new Set(items.flatMap(({ pull }) => pull.headRepoId ?? []))]);
  const byId = new Map(heads.map((head) => [head.repo.id, head]));
  const sideRepo = (seen: SeenRepo | undefined) => ({
    id: seen?.repo.id ?? 0,
    url: seen ? repoAddress(seen, links) : "",
    name: seen?.repo.name ?? "",
  });
  return new Map(
    items.map(({ issue, pull, seen }) => [
      issue.id,
      [
        {
          id: pull.id,
          number: pull.number,
          url: `${repoAddress(seen, links)}/pulls/${pull.number}`,
          head: { ref: pull.headBranch, sha: pull.headOid, repo: sideRepo(byId.get(pull.headRepoId ?? 0)) },
          base: { ref: pull.baseBranch, sha: pulls.baseTip(pull) ?? "", repo: sideRepo(seen) },
        },
      ],
    ]),
  );
}
