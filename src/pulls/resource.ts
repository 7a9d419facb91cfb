import { type Static, Type } from "@sinclair/typebox";
import { operator } from "../access/principal.ts";
import { text, whole, yesNo } from "../http/fields.ts";
import { SharedJson } from "../http/shared-json.ts";
import { UserResource } from "../identity/resource.ts";
import { issuePage } from "../issues/addresses.ts";
import { ISSUE_ONLY, IssueResource, itemResources } from "../issues/resource.ts";
import { rfc3339 } from "../kernel/clock.ts";
import { TeamResource } from "../organizations/resource.ts";
import { RepoResource, repoResources } from "../repos/resource.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Services } from "../services.ts";
import { peopleOf, teamsById } from "./review/resource.ts";
import { isVerdict, type Review } from "./review/types.ts";
import { isMerged, pullRef, type SeenPull } from "./types.ts";
import { isDraft } from "./values.ts";

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const timeOrNull = (description: string) => orNull(Type.String({ format: "date-time" }), description);

export const PullBranchResource = Type.Object(
  {
    label: text("Name of the branch; empty if there never was one."),
    ref: text("The branch while it exists, otherwise the ref that keeps its commits."),
    sha: text("Commit it points to; empty if none."),
    repo_id: whole("Number of its repository; -1 if that was deleted."),
    repo: orNull(RepoResource, "Its repository; null if that was deleted."),
  },
  { $id: "PRBranchInfo", description: "One of the two branches of a pull request." },
);
type PullBranchResource = Static<typeof PullBranchResource>;

const common = Type.Omit(IssueResource, ISSUE_ONLY).properties;

export const PullResource = Type.Object(
  {
    ...common,
    requested_reviewers: Type.Array(UserResource, {
      description: "Accounts that were asked for a review or gave a verdict that was not dismissed.",
    }),
    requested_reviewers_teams: Type.Array(TeamResource, { description: "Teams that were asked." }),
    draft: yesNo("Whether it is a draft, according to its title."),
    review_comments: whole("Number of submitted reviews."),
    additions: whole("Number of added lines."),
    deletions: whole("Number of deleted lines."),
    changed_files: whole("Number of changed files."),
    diff_url: text("Address of the change as a diff."),
    patch_url: text("Address of the commits as patches."),
    mergeable: yesNo("Whether it can be merged without conflicts, as far as is known."),
    merged: yesNo("Whether it was merged."),
    merged_at: timeOrNull("When it was merged."),
    merge_commit_sha: orNull(Type.String(), "The commit that the merge created on the base branch."),
    merged_by: orNull(UserResource, "Who merged it."),
    allow_maintainer_edit: yesNo("Whether people who may merge it may push to its branch."),
    base: PullBranchResource,
    head: PullBranchResource,
    merge_base: text("The merge base; empty if there is no common history."),
  },
  { $id: "PullRequest", description: "A pull request." },
);
export type PullResource = Static<typeof PullResource>;

/** Pull requests as their viewer sees them: a fixed number of queries for any number of them. */
export function pullResources(services: Services, items: readonly SeenPull[]): PullResource[] {
  return resourcesOf(services, items, (repo) => repo);
}

/** The resources as JSON. Three quarters of a list are the repositories of each pull request, mostly the same ones. */
export function pullsJson(services: Services, items: readonly SeenPull[]): string {
  const shared = new SharedJson();
  return shared.write(resourcesOf(services, items, (repo) => shared.standInOf(repo)));
}

/** A single one. */
export function pullResource(services: Services, item: SeenPull): PullResource {
  const [resource] = pullResources(services, [item]);
  if (!resource) throw new Error("a pull request has a resource");
  return resource;
}

/** A pull request with its repositories in some representation. */
type Showing<Repo> = Omit<PullResource, "base" | "head"> & Branches<Repo>;

function resourcesOf<Repo>(
  services: Services,
  items: readonly SeenPull[],
  show: (repo: RepoResource) => Repo,
): Showing<Repo>[] {
  const [first] = items;
  if (!first) return [];
  const { links, reviews } = services;
  const { principal } = first.seen;
  const said = Map.groupBy(reviews.ofEach(items.map(({ issue }) => issue.id)), ({ issueId }) => issueId);
  const all = [...said.values()].flat();
  const ids = [...items.map(({ pull }) => pull.mergedById), ...all.map(({ reviewerId }) => reviewerId)];
  const people = peopleOf(services, principal, ids);
  const teams = teamsById(services, principal, all);
  const branchesOf = branches(services, items, show);
  return itemResources(services, items, (item) => {
    const { issue, pull } = item;
    const mine = said.get(issue.id) ?? [];
    const page = issuePage(item, links);
    const draft = isDraft(issue.title);
    const isClean = pull.status === "mergeable" || pull.status === "empty" || pull.status === "ancestor";
    return {
      id: pull.id,
      url: page,
      requested_reviewers: askedOf(mine).map(people),
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
      merged_by: isMerged(pull) ? people(pull.mergedById) : null,
      allow_maintainer_edit: pull.allowsMaintainerEdit,
      ...branchesOf(item),
      merge_base: pull.mergeBase ?? "",
    };
  });
}

/** Everyone who was asked or gave a verdict, by its time; reviewers remain listed after reviewing. */
function askedOf(reviews: readonly Review[]): number[] {
  const latest = new Map<number, Review>();
  for (const review of reviews)
    if (review.reviewerId !== undefined && !review.isDismissed && (review.kind === "request" || isVerdict(review)))
      latest.set(review.reviewerId, review);
  return [...latest.values()]
    .sort((a, b) => a.updatedAt - b.updatedAt || a.id - b.id)
    .flatMap(({ reviewerId }) => reviewerId ?? []);
}

type Branch<Repo> = Omit<PullBranchResource, "repo"> & { readonly repo: Repo | null };

interface Branches<Repo> {
  readonly base: Branch<Repo>;
  readonly head: Branch<Repo>;
}

/** The two branches of each, looked up in one batch. */
function branches<Repo>(
  services: Services,
  items: readonly SeenPull[],
  show: (repo: RepoResource) => Repo,
): (item: SeenPull) => Branches<Repo> {
  const repos = repoResourcesOf(services, items);
  const tips = services.pulls.tipsOf(items.map(({ pull }) => pull));
  const shown = (repo: RepoResource | undefined) => (repo ? show(repo) : null);
  return ({ pull, seen }) => {
    const headRepo = repos.get(pull.headRepoId ?? 0);
    // The leftovers of a deleted repository are not its branches.
    const tip = headRepo && tips.headTip(pull);
    return {
      base: {
        label: pull.baseBranch,
        ref: pull.baseBranch,
        sha: tips.baseTip(pull) ?? "",
        repo_id: seen.repo.id,
        repo: shown(repos.get(seen.repo.id)),
      },
      head: {
        label: pull.isAgit ? "" : pull.headBranch,
        ref: tip === undefined ? pullRef(pull) : pull.headBranch,
        sha: tip ?? pull.headOid,
        repo_id: headRepo?.id ?? -1,
        repo: shown(headRepo),
      },
    };
  };
}

/**
 * The repositories of both sides by id. A repository hidden from the viewer is shown with their rights on it, which are
 * none: clients need it to make sense of the pull request (contract pulls.md 24.7).
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
