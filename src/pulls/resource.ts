import { type Static, Type } from "@sinclair/typebox";
import { operator } from "../access/principal.ts";
import { text, whole, yesNo } from "../http/fields.ts";
import { UserResource, userResources } from "../identity/resource.ts";
import { issuePage } from "../issues/addresses.ts";
import { IssueResource, issueResources } from "../issues/resource.ts";
import { rfc3339 } from "../kernel/clock.ts";
import { TeamResource } from "../organizations/resource.ts";
import { RepoResource, repoResources } from "../repos/resource.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Services } from "../services.ts";
import { teamsById } from "./review/resource.ts";
import { isVerdict, type Review } from "./review/types.ts";
import type { PullService } from "./service.ts";
import { isMerged, pullRef, type SeenPull } from "./types.ts";
import { isDraft } from "./values.ts";

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const timeOrNull = (description: string) => orNull(Type.String({ format: "date-time" }), description);

export const PullBranchResource = Type.Object(
  {
    label: text("Name of the branch; empty: there never was one."),
    ref: text("The same while it exists, else the ref that keeps its commits."),
    sha: text("Where it is; empty: nowhere."),
    repo_id: whole("Number of its repository; -1: that is gone."),
    repo: orNull(RepoResource, "Its repository; null: that is gone."),
  },
  { $id: "PRBranchInfo", description: "One of the two branches of a pull request." },
);
type PullBranchResource = Static<typeof PullBranchResource>;

/** What a pull request has not of an issue. */
const ISSUE_ONLY = [
  "repository",
  "pull_request",
  "time_estimate",
  "ref",
  "original_author",
  "original_author_id",
] as const;
const common = Type.Omit(IssueResource, ISSUE_ONLY).properties;

export const PullResource = Type.Object(
  {
    ...common,
    requested_reviewers: Type.Array(UserResource, {
      description: "Who was asked for a review, or gave a verdict that was not dismissed.",
    }),
    requested_reviewers_teams: Type.Array(TeamResource, { description: "Teams that were asked." }),
    draft: yesNo("Whether its title says that it is not finished."),
    review_comments: whole("Reviews that were submitted."),
    additions: whole("Lines it adds."),
    deletions: whole("Lines it deletes."),
    changed_files: whole("Files it changes."),
    diff_url: text("Its change as a diff."),
    patch_url: text("Its commits as mails."),
    mergeable: yesNo("Whether it can be merged without conflicts, as far as is known."),
    merged: yesNo("Whether it was merged."),
    merged_at: timeOrNull("When it was merged."),
    merge_commit_sha: orNull(Type.String(), "The base's tip that the merge made."),
    merged_by: orNull(UserResource, "Who merged it."),
    allow_maintainer_edit: yesNo("Whether those who may merge it may push to its branch."),
    base: PullBranchResource,
    head: PullBranchResource,
    merge_base: text("Where it left its base; empty: the two have no common history."),
  },
  { $id: "PullRequest", description: "A pull request." },
);
export type PullResource = Static<typeof PullResource>;

/** Pull requests as whoever sees them is shown them: a fixed number of queries, and two looks at refs for each. */
export function pullResources(services: Services, items: readonly SeenPull[]): PullResource[] {
  const [first] = items;
  if (!first) return [];
  const { identity, links, pulls, reviews } = services;
  const { principal } = first.seen;
  const issues = issueResources(services, items);
  const repos = repoResourcesOf(services, items);
  const said = new Map<number, Review[]>();
  for (const review of reviews.ofEach(items.map(({ issue }) => issue.id)))
    said.set(review.issueId, [...(said.get(review.issueId) ?? []), review]);
  const all = [...said.values()].flat();
  const ids = [
    ...items.flatMap(({ pull }) => pull.mergedById ?? []),
    ...all.flatMap(({ reviewerId }) => reviewerId ?? []),
  ];
  const people = new Map(
    userResources(services, principal, [...identity.byIds([...new Set(ids)]).values()]).map((user) => [user.id, user]),
  );
  const teams = teamsById(services, principal, all);
  return items.map((item, at) => {
    const { issue, pull } = item;
    const resource = issues[at];
    if (!resource) throw new Error("an item has a resource");
    const mine = said.get(issue.id) ?? [];
    const page = issuePage(item, links);
    const draft = isDraft(issue.title);
    const isClean = pull.status === "mergeable" || pull.status === "empty" || pull.status === "ancestor";
    const { repository, pull_request, time_estimate, ref, original_author, original_author_id, ...shared } = resource;
    return {
      ...shared,
      id: pull.id,
      url: page,
      requested_reviewers: askedOf(mine).flatMap((id) => people.get(id) ?? []),
      requested_reviewers_teams: mine.flatMap(
        ({ kind, teamId }) => (kind === "request" && teams.get(teamId ?? 0)) || [],
      ),
      draft,
      review_comments: mine.filter(({ kind }) => kind !== "request").length,
      additions: pull.additions,
      deletions: pull.deletions,
      changed_files: pull.changedFiles,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      mergeable: isClean && !draft,
      merged: isMerged(pull),
      merged_at: pull.mergedAt === undefined ? null : rfc3339(pull.mergedAt),
      merge_commit_sha: pull.mergeCommit || null,
      merged_by: people.get(pull.mergedById ?? 0) ?? null,
      allow_maintainer_edit: pull.allowsMaintainerEdit,
      base: baseOf(item, pulls, repos),
      head: headOf(item, pulls, repos),
      merge_base: pull.mergeBase ?? "",
    };
  });
}

/** One of them. */
export function pullResource(services: Services, item: SeenPull): PullResource {
  const [resource] = pullResources(services, [item]);
  if (!resource) throw new Error("a pull request has a resource");
  return resource;
}

/** Everyone who was asked or gave a verdict, by the time of it; a reviewer stays in it after reviewing. */
function askedOf(reviews: readonly Review[]): number[] {
  const latest = new Map<number, Review>();
  for (const review of reviews)
    if (review.reviewerId !== undefined && !review.isDismissed && (review.kind === "request" || isVerdict(review)))
      latest.set(review.reviewerId, review);
  return [...latest.values()]
    .sort((a, b) => a.updatedAt - b.updatedAt || a.id - b.id)
    .flatMap(({ reviewerId }) => reviewerId ?? []);
}

function baseOf(
  { pull, seen }: SeenPull,
  pulls: PullService,
  repos: ReadonlyMap<number, RepoResource>,
): PullBranchResource {
  const { baseBranch } = pull;
  const sha = pulls.baseTip(pull) ?? "";
  return { label: baseBranch, ref: baseBranch, sha, repo_id: seen.repo.id, repo: repos.get(seen.repo.id) ?? null };
}

function headOf({ pull }: SeenPull, pulls: PullService, repos: ReadonlyMap<number, RepoResource>): PullBranchResource {
  const tip = pulls.headTip(pull);
  const repo = repos.get(pull.headRepoId ?? 0) ?? null;
  return {
    label: pull.isAgit ? "" : pull.headBranch,
    ref: tip === undefined ? pullRef(pull) : pull.headBranch,
    sha: tip ?? pull.headOid,
    repo_id: repo === null ? -1 : repo.id,
    repo,
  };
}

/**
 * The repositories of both sides by number. One that whoever looks does not see is shown with what they may do there,
 * which is nothing: clients need it to make sense of the pull request (contract pulls.md 24.7).
 */
function repoResourcesOf(services: Services, items: readonly SeenPull[]): Map<number, RepoResource> {
  const { repos } = services;
  const seen = new Map<number, SeenRepo>(items.map((item) => [item.seen.repo.id, item.seen]));
  const missing = [...new Set(items.flatMap(({ pull }) => pull.headRepoId ?? []))].filter((id) => !seen.has(id));
  const principal = items[0]?.seen.principal ?? operator;
  for (const each of repos.seeEach(operator, missing)) {
    const access = repos.accessOf(principal, each.repo, each.owner);
    seen.set(each.repo.id, { ...each, principal, access });
  }
  return new Map(repoResources(services, [...seen.values()]).map((resource) => [resource.id, resource]));
}
