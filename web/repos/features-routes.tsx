import type { Unit } from "../../src/access/levels.ts";
import type { Call } from "../../src/http/route.ts";
import { storedMergeSettings, trackerSettings, unitsOn } from "../../src/repos/settings/defaults.ts";
import type { SettingsEdit } from "../../src/repos/settings/edit.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { RepoSettings } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type Feature, FeaturesPage, type FeatureValues, type TextFeature } from "./features.tsx";
import { homeOf, repoFrame } from "./frame.ts";
import { reposWords } from "./words/index.ts";

const MAX_TEXT = 2048;

export async function features(
  services: WebServices,
  call: Call,
  refused?: { readonly form: Form; readonly errors: FormErrors<TextFeature> },
): Promise<Response> {
  const seen = seenRepo(call);
  const view = (
    <FeaturesPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      values={refused ? typed(refused.form) : stored(seen.repo.settings)}
      errors={refused?.errors}
    />
  );
  return show(call, view, { status: refused ? 422 : 200 });
}

/** What was sent, to be shown again. */
const typed = (form: Form): FeatureValues => ({
  text: (name) => form.text(name).slice(0, MAX_TEXT),
  isOn: (name) => form.checked(name),
});

const unitFields: Readonly<Partial<Record<Feature, Unit>>> = {
  enable_issues: "issues",
  enable_pulls: "pulls",
  enable_wiki: "wiki",
  enable_projects: "projects",
  enable_releases: "releases",
  enable_packages: "packages",
  enable_actions: "actions",
};

function stored(settings: RepoSettings): FeatureValues {
  const on = unitsOn(settings);
  const merge = storedMergeSettings(settings);
  const tracker = trackerSettings(settings);
  const { externalTracker, externalWiki } = settings;
  const flags: Readonly<Partial<Record<Feature, boolean>>> = {
    enable_timetracker: tracker.enableTimeTracker,
    allow_only_contributors_to_track_time: tracker.allowOnlyContributorsToTrackTime,
    enable_issue_dependencies: tracker.enableIssueDependencies,
    enable_close_issues_via_commit_in_any_branch: settings.closesFromAnyBranch === true,
    pulls_ignore_whitespace: merge.ignoreWhitespaceConflicts,
    pulls_allow_merge: merge.allowMergeCommits,
    pulls_allow_rebase: merge.allowRebase,
    pulls_allow_rebase_merge: merge.allowRebaseExplicit,
    pulls_allow_squash: merge.allowSquash,
    pulls_allow_fast_forward_only: merge.allowFastForwardOnly,
    pulls_allow_manual_merge: merge.allowManualMerge,
    enable_autodetect_manual_merge: merge.autodetectManualMerge,
    pulls_allow_merge_update: merge.allowMergeUpdate,
    pulls_allow_rebase_update: merge.allowRebaseUpdate,
    default_delete_branch_after_merge: merge.defaultDeleteBranchAfterMerge,
    default_allow_maintainer_edit: merge.defaultAllowMaintainerEdit,
    globally_writeable_wiki: settings.wikiForEveryone === true,
  };
  const texts: Readonly<Record<TextFeature, string>> = {
    enable_external_tracker: String(externalTracker !== undefined),
    external_tracker_url: externalTracker?.url ?? "",
    tracker_url_format: externalTracker?.format ?? "",
    tracker_issue_style: externalTracker?.style || "numeric",
    external_tracker_regexp_pattern: externalTracker?.regexpPattern ?? "",
    enable_external_wiki: String(externalWiki !== undefined),
    external_wiki_url: externalWiki?.url ?? "",
    projects_mode: settings.projectsMode ?? "all",
    pulls_default_merge_style: merge.defaultMergeStyle,
    default_update_style: merge.defaultUpdateStyle,
  };
  return {
    text: (name) => texts[name],
    isOn: (name) => {
      const unit = unitFields[name];
      return unit ? on.has(unit) : (flags[name] ?? false);
    },
  };
}

/** Which field of the form a refusal is about. */
const fieldNames: Readonly<Record<string, TextFeature>> = {
  "external_tracker.external_tracker_url": "external_tracker_url",
  "external_tracker.external_tracker_format": "tracker_url_format",
  "external_tracker.external_tracker_style": "tracker_issue_style",
  "external_tracker.external_tracker_regexp_pattern": "external_tracker_regexp_pattern",
  "external_wiki.external_wiki_url": "external_wiki_url",
  default_merge_style: "pulls_default_merge_style",
  default_update_style: "default_update_style",
  projects_mode: "projects_mode",
};

/** `action=advanced`: a box that is not ticked is not sent, so all of them are changed at once. */
export async function editFeatures(services: WebServices, call: Call, form: Form): Promise<Response> {
  const seen = seenRepo(call);
  try {
    services.repos.edit(seen, { settings: editOf(form) });
  } catch (error) {
    return features(services, call, { form, errors: formErrors<TextFeature>(call, error, fieldNames) });
  }
  const text = wordsFor(call, reposWords)("saved");
  return redirectAfterPost(services, call, homeOf(seen, "settings/features"), {
    kind: "success",
    text,
    form: "features",
  });
}

function editOf(form: Form): SettingsEdit {
  const isOn = (name: Feature) => form.checked(name);
  const text = (name: TextFeature) => form.text(name);
  const units = Object.fromEntries(
    Object.entries(unitFields).map(([name, unit]) => [unit, isOn(name as Feature)] as const),
  );
  return {
    units,
    closesFromAnyBranch: isOn("enable_close_issues_via_commit_in_any_branch"),
    ...(text("enable_external_tracker") === "true"
      ? {
          externalTracker: {
            url: text("external_tracker_url"),
            format: text("tracker_url_format"),
            style: text("tracker_issue_style"),
            regexpPattern: text("external_tracker_regexp_pattern"),
          },
        }
      : {
          internalTracker: {
            enableTimeTracker: isOn("enable_timetracker"),
            allowOnlyContributorsToTrackTime: isOn("allow_only_contributors_to_track_time"),
            enableIssueDependencies: isOn("enable_issue_dependencies"),
          },
        }),
    ...(text("enable_external_wiki") === "true" ? { externalWiki: { url: text("external_wiki_url") } } : {}),
    wikiForEveryone: isOn("globally_writeable_wiki"),
    projectsMode: text("projects_mode") || undefined,
    ...mergingOf(form),
  };
}

function mergingOf(form: Form): SettingsEdit {
  const isOn = (name: Feature) => form.checked(name);
  if (!isOn("enable_pulls")) return {};
  const [style, update] = [form.text("pulls_default_merge_style"), form.text("default_update_style")];
  return {
    ignoreWhitespaceConflicts: isOn("pulls_ignore_whitespace"),
    allowMergeCommits: isOn("pulls_allow_merge"),
    allowRebase: isOn("pulls_allow_rebase"),
    allowRebaseExplicit: isOn("pulls_allow_rebase_merge"),
    allowSquash: isOn("pulls_allow_squash"),
    allowFastForwardOnly: isOn("pulls_allow_fast_forward_only"),
    allowManualMerge: isOn("pulls_allow_manual_merge"),
    autodetectManualMerge: isOn("enable_autodetect_manual_merge"),
    allowMergeUpdate: isOn("pulls_allow_merge_update"),
    allowRebaseUpdate: isOn("pulls_allow_rebase_update"),
    defaultDeleteBranchAfterMerge: isOn("default_delete_branch_after_merge"),
    defaultAllowMaintainerEdit: isOn("default_allow_maintainer_edit"),
    ...(style === "" ? {} : { defaultMergeStyle: style }),
    ...(update === "" ? {} : { defaultUpdateStyle: update }),
  };
}
