import { type Static, Type } from "@sinclair/typebox";
import { maybeRefName, maybeText, maybeYesNo } from "../http/fields.ts";
import type { NewRepo } from "./creation/service.ts";
import type { EditRepo } from "./service.ts";
import type { SettingsEdit } from "./settings/edit.ts";

/** Request bodies for creating and editing repositories (contract repositories.md 5.2 and 5.4). */

export const CreateRepoBody = Type.Object(
  {
    name: Type.String({
      description: "Name: letters, digits, dash, underscore and dot; at most 100 characters.",
      field: "Name",
    }),
    description: maybeText("Short description.", 2048),
    private: maybeYesNo("Whether only people with access can see it."),
    auto_init: maybeYesNo("Create a first commit with a README and the files chosen below."),
    readme: maybeText("Template of the README; only Default exists.", 255),
    gitignores: maybeText("Templates for .gitignore, separated by commas."),
    license: maybeText("Template for the licence file, by its SPDX name.", 100),
    issue_labels: maybeText("Set of labels to start with: Default or Advanced.", 255),
    default_branch: maybeRefName("Name of the first branch.", "DefaultBranch"),
    template: maybeYesNo("Let others generate repositories from it."),
    trust_model: maybeText("Whose signatures count: default, collaborator, committer or collaboratorcommitter."),
    object_format_name: maybeText("Object format: sha1 (the default) or sha256.", 6),
  },
  { $id: "CreateRepoOption", description: "A repository to create." },
);

export function newRepoOf(body: Static<typeof CreateRepoBody>): NewRepo {
  return {
    name: body.name,
    description: body.description,
    isPrivate: body.private,
    isTemplate: body.template,
    defaultBranch: body.default_branch,
    autoInit: body.auto_init,
    readme: body.readme,
    gitignores: body.gitignores,
    license: body.license,
    labels: body.issue_labels,
    objectFormat: body.object_format_name,
    trustModel: body.trust_model,
  };
}

export const EditRepoBody = Type.Object(
  {
    name: maybeText("New name; the old one redirects until someone else takes it."),
    description: maybeText("Short description.", 2048),
    website: maybeText("Address of its website.", 1024),
    private: maybeYesNo("Make it private."),
    template: maybeYesNo("Let others generate repositories from it."),
    archived: maybeYesNo("Archive it, or unarchive it."),
    default_branch: maybeText("The default branch; a name that does not exist changes nothing."),
    has_code: maybeYesNo("Enable code."),
    has_issues: maybeYesNo("Enable issues."),
    has_wiki: maybeYesNo("Enable the wiki."),
    has_pull_requests: maybeYesNo("Enable pull requests."),
    has_projects: maybeYesNo("Enable project boards."),
    has_releases: maybeYesNo("Enable releases."),
    has_packages: maybeYesNo("Enable packages."),
    has_actions: maybeYesNo("Enable Actions."),
    internal_tracker: Type.Optional(
      Type.Object(
        {
          enable_time_tracker: maybeYesNo("Enable time tracking."),
          allow_only_contributors_to_track_time: maybeYesNo("Only people with write access may track time."),
          enable_issue_dependencies: maybeYesNo("Enable issue dependencies."),
        },
        { description: "Settings of the built-in issue tracker; used together with has_issues." },
      ),
    ),
    external_tracker: Type.Optional(
      Type.Object(
        {
          external_tracker_url: maybeText("Address of the issue tracker."),
          external_tracker_format: maybeText("Address of one issue, with {user}, {repo} and {index}."),
          external_tracker_style: maybeText("numeric, alphanumeric or regexp."),
          external_tracker_regexp_pattern: maybeText("Pattern for the style regexp.", 1024),
        },
        { description: "An external issue tracker; used together with has_issues." },
      ),
    ),
    external_wiki: Type.Optional(
      Type.Object(
        { external_wiki_url: maybeText("Address of the wiki.") },
        { description: "An external wiki; used together with has_wiki." },
      ),
    ),
    wiki_branch: maybeText("The branch of the wiki that is shown; a name that does not exist changes nothing."),
    globally_editable_wiki: maybeYesNo("Let every account that can read the wiki edit it."),
    projects_mode: maybeText("Whose project boards are shown: repo, owner or all."),
    ignore_whitespace_conflicts: maybeYesNo("Ignore white space changes when looking for conflicts."),
    allow_merge_commits: maybeYesNo("Allow merging with a merge commit."),
    allow_rebase: maybeYesNo("Allow rebasing and fast-forwarding."),
    allow_rebase_explicit: maybeYesNo("Allow rebasing and a merge commit."),
    allow_squash_merge: maybeYesNo("Allow squashing into one commit."),
    allow_fast_forward_only_merge: maybeYesNo("Allow fast-forwarding."),
    allow_manual_merge: maybeYesNo("Allow marking as merged by hand."),
    autodetect_manual_merge: maybeYesNo("Detect merges made by hand."),
    allow_merge_update: maybeYesNo("Allow updating a pull request's branch by merging."),
    allow_rebase_update: maybeYesNo("Allow updating it by rebasing."),
    default_delete_branch_after_merge: maybeYesNo("Delete merged branches by default."),
    default_merge_style: maybeText(
      "The default merge style: merge, rebase, rebase-merge, squash, fast-forward-only or manually-merged.",
    ),
    default_update_style: maybeText("The default update style: merge or rebase."),
    default_allow_maintainer_edit: maybeYesNo("Let maintainers edit the branches of new pull requests by default."),
    mirror_interval: maybeText("Sync interval of a mirror, such as 8h; 0 to sync only on request.", 100),
    enable_prune: maybeYesNo("Whether a mirror deletes branches and tags that its source deleted."),
    mirror_username: maybeText("User name of a mirror at its source.", 255),
    mirror_password: maybeText("The password.", 1024),
    mirror_token: maybeText("The token; takes precedence over the password.", 1024),
  },
  { $id: "EditRepoOption", description: "Changes to a repository; absent fields are unchanged." },
);
type EditRepoBody = Static<typeof EditRepoBody>;

export function repoEditOf(body: EditRepoBody): EditRepo {
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.website === undefined ? {} : { website: body.website }),
    ...(body.private === undefined ? {} : { isPrivate: body.private }),
    ...(body.template === undefined ? {} : { isTemplate: body.template }),
    ...(body.archived === undefined ? {} : { isArchived: body.archived }),
    ...(body.default_branch === undefined ? {} : { defaultBranch: body.default_branch }),
    ...(body.wiki_branch === undefined ? {} : { wikiBranch: body.wiki_branch }),
    settings: settingsEditOf(body),
    mirror: {
      interval: body.mirror_interval,
      prunes: body.enable_prune,
      username: body.mirror_username,
      password: body.mirror_token ?? body.mirror_password,
    },
  };
}

function settingsEditOf(body: EditRepoBody): SettingsEdit {
  const units = {
    code: body.has_code,
    issues: body.has_issues,
    pulls: body.has_pull_requests,
    releases: body.has_releases,
    wiki: body.has_wiki,
    projects: body.has_projects,
    packages: body.has_packages,
    actions: body.has_actions,
  };
  const { internal_tracker: internal, external_tracker: external, external_wiki: wiki } = body;
  return {
    units,
    ...(internal
      ? {
          internalTracker: {
            enableTimeTracker: internal.enable_time_tracker ?? true,
            allowOnlyContributorsToTrackTime: internal.allow_only_contributors_to_track_time ?? true,
            enableIssueDependencies: internal.enable_issue_dependencies ?? true,
          },
        }
      : {}),
    ...(external
      ? {
          externalTracker: {
            url: external.external_tracker_url ?? "",
            format: external.external_tracker_format ?? "",
            style: external.external_tracker_style ?? "",
            regexpPattern: external.external_tracker_regexp_pattern ?? "",
          },
        }
      : {}),
    ...(wiki ? { externalWiki: { url: wiki.external_wiki_url ?? "" } } : {}),
    wikiForEveryone: body.globally_editable_wiki,
    projectsMode: body.projects_mode,
    ignoreWhitespaceConflicts: body.ignore_whitespace_conflicts,
    allowMergeCommits: body.allow_merge_commits,
    allowRebase: body.allow_rebase,
    allowRebaseExplicit: body.allow_rebase_explicit,
    allowSquash: body.allow_squash_merge,
    allowFastForwardOnly: body.allow_fast_forward_only_merge,
    allowManualMerge: body.allow_manual_merge,
    autodetectManualMerge: body.autodetect_manual_merge,
    allowMergeUpdate: body.allow_merge_update,
    allowRebaseUpdate: body.allow_rebase_update,
    defaultDeleteBranchAfterMerge: body.default_delete_branch_after_merge,
    defaultMergeStyle: body.default_merge_style,
    defaultUpdateStyle: body.default_update_style,
    defaultAllowMaintainerEdit: body.default_allow_maintainer_edit,
  };
}
