import { type Static, Type } from "@sinclair/typebox";
import { atLeast } from "../access/levels.ts";
import { text, time, whole, yesNo } from "../http/fields.ts";
import { UserResource, userResource } from "../identity/resource.ts";
import { noUserCounts, type UserCounts } from "../identity/types.ts";
import { EPOCH_TIME, rfc3339, ZERO_TIME } from "../kernel/clock.ts";
import { durationText } from "../kernel/duration.ts";
import type { Links } from "../kernel/links.ts";
import type { Services } from "../services.ts";
import { TransferResource, transferResource } from "../transfers/resource.ts";
import { repoAddress, repoPage, sshAddress } from "./addresses.ts";
import { mergeSettings, trackerSettings } from "./settings/defaults.ts";
import { emptySummary, type RepoSummary, type SeenRepo } from "./types.ts";

export const PermissionResource = Type.Object(
  {
    admin: yesNo("Whether the caller may change its settings."),
    push: yesNo("Whether the caller may write its code."),
    pull: yesNo("Whether the caller may read its code."),
  },
  { description: "The caller's permissions on the repository; absent in notifications." },
);

export const InternalTrackerResource = Type.Object(
  {
    enable_time_tracker: yesNo("Whether time can be tracked on issues."),
    allow_only_contributors_to_track_time: yesNo("Whether only people with write access may track time."),
    enable_issue_dependencies: yesNo("Whether issues may depend on others."),
  },
  { $id: "InternalTracker", description: "Settings of the built-in issue tracker; absent if it is disabled." },
);

export const ExternalTrackerResource = Type.Object(
  {
    external_tracker_url: text("Address of the issue tracker."),
    external_tracker_format: text("Address of one issue, with {user}, {repo} and {index} to fill in."),
    external_tracker_style: text("Form of issue numbers: numeric, alphanumeric or regexp."),
    external_tracker_regexp_pattern: text("Pattern for issue names, for the style regexp."),
  },
  { $id: "ExternalTracker", description: "The external issue tracker; absent if there is none." },
);

export const ExternalWikiResource = Type.Object(
  { external_wiki_url: text("Address of the wiki.") },
  { $id: "ExternalWiki", description: "The external wiki; absent if there is none." },
);

const repoFields = {
  id: whole("Number of the repository; never used again."),
  owner: UserResource,
  name: text("Name in its own letter case."),
  full_name: text("Owner and name, separated by a slash."),
  description: text("Short description."),
  empty: yesNo("Whether it is empty and has no branch yet."),
  private: yesNo("Whether it is private."),
  fork: yesNo("Whether it was forked from another repository here."),
  template: yesNo("Whether new repositories can be generated from it."),
  mirror: yesNo("Whether it is a mirror of a repository elsewhere."),
  size: whole("Size on disk in KiB."),
  language: text("The language with the most bytes; empty if unknown."),
  languages_url: text("API address of its languages."),
  html_url: text("Its page."),
  url: text("Its API address."),
  link: text("Always empty."),
  ssh_url: text("Address for cloning by SSH."),
  clone_url: text("Address for cloning by HTTP."),
  original_url: text("Where it was imported from; empty otherwise."),
  website: text("Address of its website."),
  stars_count: whole("Number of stars."),
  forks_count: whole("Number of forks."),
  watchers_count: whole("Number of watchers."),
  branch_count: whole("Number of branches."),
  open_issues_count: whole("Number of open issues, not counting pull requests."),
  open_pr_counter: whole("Number of open pull requests."),
  release_counter: whole("Number of published releases."),
  default_branch: text("The default branch; set even if the repository is empty."),
  archived: yesNo("Whether it is archived."),
  created_at: time("When it was created."),
  updated_at: time("When it was last changed."),
  archived_at: time("When it was archived; 1970 if it is not."),
  permissions: Type.Optional(PermissionResource),
  has_code: yesNo("Whether code is enabled."),
  has_issues: yesNo("Whether issues are enabled, built in or external."),
  internal_tracker: Type.Optional(InternalTrackerResource),
  external_tracker: Type.Optional(ExternalTrackerResource),
  has_wiki: yesNo("Whether a wiki is enabled, built in or external."),
  external_wiki: Type.Optional(ExternalWikiResource),
  wiki_branch: Type.Optional(text("The branch of the wiki; absent while it is empty.")),
  globally_editable_wiki: yesNo("Whether every account that can read the wiki may edit it."),
  has_pull_requests: yesNo("Whether pull requests are enabled."),
  has_projects: yesNo("Whether project boards are enabled."),
  projects_mode: text("Whose project boards are shown: repo, owner or all."),
  has_releases: yesNo("Whether releases are enabled."),
  has_packages: yesNo("Whether packages are enabled."),
  has_actions: yesNo("Whether Actions is enabled."),
  ignore_whitespace_conflicts: yesNo("Whether white space changes are ignored when looking for conflicts."),
  allow_merge_commits: yesNo("Whether pull requests may be merged with a merge commit."),
  allow_rebase: yesNo("Whether pull requests may be rebased and fast-forwarded."),
  allow_rebase_explicit: yesNo("Whether pull requests may be rebased and merged with a merge commit."),
  allow_squash_merge: yesNo("Whether pull requests may be squashed into one commit."),
  allow_fast_forward_only_merge: yesNo("Whether pull requests may be merged by fast-forward only."),
  allow_merge_update: yesNo("Whether a pull request's branch may be updated by merging."),
  allow_rebase_update: yesNo("Whether a pull request's branch may be updated by rebasing."),
  allow_manual_merge: yesNo("Whether a pull request may be marked as merged by hand."),
  autodetect_manual_merge: yesNo("Whether merges made by hand are detected."),
  default_delete_branch_after_merge: yesNo("Whether merged branches are deleted by default."),
  default_merge_style: text("The default merge style."),
  default_update_style: text("The default update style."),
  default_allow_maintainer_edit: yesNo("Whether maintainers may edit the branches of new pull requests by default."),
  avatar_url: text("Address of its picture; empty if it has none."),
  internal: yesNo("Whether it is public but its owner is not."),
  mirror_interval: text("Sync interval of a mirror; empty if it is not one."),
  object_format_name: text("Object format: sha1 or sha256."),
  mirror_updated: time("When the mirror's settings changed; the year 1 if it is not a mirror."),
  mirror_last_sync_at: time("When the mirror was last synced; the year 1 if it is not a mirror."),
  topics: Type.Array(Type.String(), { description: "Its topics." }),
  licenses: Type.Array(Type.String(), { description: "Names of its licences." }),
};

export const RepoResource = Type.Object(
  {
    ...repoFields,
    parent: Type.Optional(
      Type.Object(repoFields, {
        description: "The repository it was forked from; only for forks, and if the caller may see it.",
      }),
    ),
    repo_transfer: Type.Optional(TransferResource),
  },
  { $id: "Repository", description: "A repository." },
);
export type RepoResource = Static<typeof RepoResource>;

export const SearchResultResource = Type.Object(
  {
    ok: yesNo("Whether the search succeeded."),
    data: Type.Array(RepoResource, { description: "The repositories." }),
  },
  { $id: "SearchResults", description: "The result of a repository search." },
);

export const RepoPermissionResource = Type.Object(
  {
    permission: text("The level: none, read, write, admin or owner."),
    role_name: text("The same as permission."),
    user: UserResource,
  },
  { $id: "RepoCollaboratorPermission", description: "An account's permission on a repository." },
);

/** Repository resources as their viewer may see them: one query for all counts, one for their owners. */
export function repoResources(
  { identity, links, repos, transfers }: Services,
  items: readonly SeenRepo[],
): RepoResource[] {
  const [first] = items;
  if (!first) return [];
  const bases = basesOf(repos, items);
  const all = [...items, ...bases.values()];
  const summaries = repos.summaries(all.map(({ repo }) => repo.id));
  const ownerCounts = identity.counts([...new Set(all.map(({ owner }) => owner.id))]);
  const moving = items.filter(({ repo }) => (summaries.get(repo.id)?.pendingTransfers ?? 0) > 0);
  const pending = moving.length > 0 ? transfers.pendingOf(first.principal, moving) : undefined;
  const resourceOf = (seen: SeenRepo) =>
    repoResource(
      seen,
      summaries.get(seen.repo.id) ?? emptySummary,
      ownerCounts.get(seen.owner.id) ?? noUserCounts,
      links,
    );
  return items.map((seen) => {
    const base = bases.get(seen.repo.forkOf ?? 0);
    const transfer = pending?.get(seen.repo.id);
    return {
      ...resourceOf(seen),
      ...(base ? { parent: resourceOf(base) } : {}),
      ...(transfer ? { repo_transfer: transferResource(transfer, seen.principal, links) } : {}),
    };
  });
}

/** The bases of these forks that the viewer can see, by id. */
function basesOf(repos: Services["repos"], items: readonly SeenRepo[]): Map<number, SeenRepo> {
  const [first] = items;
  const ids = [...new Set(items.flatMap(({ repo }) => repo.forkOf ?? []))];
  if (!first || ids.length === 0) return new Map();
  return new Map(repos.seeEach(first.principal, ids).map((seen) => [seen.repo.id, seen]));
}

/** A repository as the principal of `seen` may see it (contract repositories.md 2.1). */
function repoResource(seen: SeenRepo, counts: RepoSummary, ownerCounts: UserCounts, links: Links): RepoResource {
  const { repo, owner, access, principal } = seen;
  const { settings } = repo;
  const off = new Set(settings.off);
  const url = repoAddress(seen, links);
  const page = repoPage(seen, links);
  const code = access.on("code");
  const merge = mergeSettings(settings);
  const [interval, mirrorChanged, mirrorSynced] = counts.mirrorTimes.map((time) => time ?? undefined);
  const tracker = off.has("issues") ? undefined : trackerSettings(settings);
  return {
    id: repo.id,
    owner: userResource(owner, principal, links, ownerCounts),
    name: repo.name,
    full_name: `${owner.login}/${repo.name}`,
    description: repo.description,
    empty: repo.isEmpty,
    private: repo.isPrivate,
    fork: repo.forkOf !== undefined,
    template: repo.isTemplate,
    mirror: repo.isMirror,
    size: Math.floor((repo.sizeBytes + counts.lfsBytes) / 1024),
    language: repo.primaryLanguage,
    languages_url: `${url}/languages`,
    html_url: page,
    url,
    link: "",
    ssh_url: sshAddress(links, owner.login, repo.name),
    clone_url: `${page}.git`,
    original_url: repo.originalUrl,
    website: repo.website,
    stars_count: counts.stars,
    forks_count: counts.forks,
    watchers_count: counts.watchers,
    branch_count: counts.branches,
    open_issues_count: counts.openIssues,
    open_pr_counter: counts.openPulls,
    release_counter: counts.releases,
    default_branch: repo.defaultBranch,
    archived: repo.isArchived,
    created_at: rfc3339(repo.createdAt),
    updated_at: rfc3339(repo.updatedAt),
    archived_at: repo.archivedAt === undefined ? EPOCH_TIME : rfc3339(repo.archivedAt),
    permissions: {
      admin: atLeast(access.level, "admin"),
      push: atLeast(code, "write"),
      pull: atLeast(code, "read"),
    },
    has_code: !off.has("code"),
    has_issues: !off.has("issues"),
    ...(tracker && !settings.externalTracker
      ? {
          internal_tracker: {
            enable_time_tracker: tracker.enableTimeTracker,
            allow_only_contributors_to_track_time: tracker.allowOnlyContributorsToTrackTime,
            enable_issue_dependencies: tracker.enableIssueDependencies,
          },
        }
      : {}),
    ...(tracker && settings.externalTracker
      ? {
          external_tracker: {
            external_tracker_url: settings.externalTracker.url,
            external_tracker_format: settings.externalTracker.format,
            external_tracker_style: settings.externalTracker.style,
            external_tracker_regexp_pattern: settings.externalTracker.regexpPattern,
          },
        }
      : {}),
    has_wiki: !off.has("wiki"),
    ...(!off.has("wiki") && settings.externalWiki
      ? { external_wiki: { external_wiki_url: settings.externalWiki.url } }
      : {}),
    ...(counts.wikiBranches[0] === undefined ? {} : { wiki_branch: counts.wikiBranches[0] }),
    globally_editable_wiki: settings.wikiForEveryone === true,
    has_pull_requests: !off.has("pulls"),
    has_projects: !off.has("projects"),
    projects_mode: off.has("projects") ? "all" : (settings.projectsMode ?? "all"),
    has_releases: !off.has("releases"),
    has_packages: !off.has("packages"),
    has_actions: !off.has("actions"),
    ignore_whitespace_conflicts: merge.ignoreWhitespaceConflicts,
    allow_merge_commits: merge.allowMergeCommits,
    allow_rebase: merge.allowRebase,
    allow_rebase_explicit: merge.allowRebaseExplicit,
    allow_squash_merge: merge.allowSquash,
    allow_fast_forward_only_merge: merge.allowFastForwardOnly,
    allow_merge_update: merge.allowMergeUpdate,
    allow_rebase_update: merge.allowRebaseUpdate,
    allow_manual_merge: merge.allowManualMerge,
    autodetect_manual_merge: merge.autodetectManualMerge,
    default_delete_branch_after_merge: merge.defaultDeleteBranchAfterMerge,
    default_merge_style: merge.defaultMergeStyle,
    default_update_style: merge.defaultUpdateStyle,
    default_allow_maintainer_edit: merge.defaultAllowMaintainerEdit,
    avatar_url: repo.avatar === "" ? "" : `${links.rootUrl}repo-avatars/${repo.avatar}`,
    internal: !repo.isPrivate && owner.visibility === "private",
    mirror_interval: interval === undefined ? "" : durationText(interval),
    object_format_name: repo.objectFormat.name,
    mirror_updated: mirrorChanged === undefined ? ZERO_TIME : rfc3339(mirrorChanged),
    mirror_last_sync_at: interval === undefined ? ZERO_TIME : rfc3339(mirrorSynced ?? 0),
    topics: [...counts.topics],
    licenses: [...repo.licenses],
  };
}
