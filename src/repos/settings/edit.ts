import type { OpenedUnits } from "../../access/decide.ts";
import { type Unit, units } from "../../access/levels.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import type { RepoSettings, TrustModel } from "../types.ts";
import { type MergeSettings, mergeSettingNames, storedMergeSettings } from "./defaults.ts";

/** A requested change of units and their settings; absent fields are left unchanged. */
export interface SettingsEdit extends Partial<MergeSettings> {
  /** Units to enable or disable. */
  readonly units?: Readonly<Partial<Record<Unit, boolean>>>;
  readonly internalTracker?: NonNullable<RepoSettings["internalTracker"]>;
  readonly closesFromAnyBranch?: boolean;
  readonly externalTracker?: NonNullable<RepoSettings["externalTracker"]>;
  readonly externalWiki?: NonNullable<RepoSettings["externalWiki"]>;
  readonly wikiForEveryone?: boolean;
  /** Replaces the whole value: units not named are closed. */
  readonly opened?: OpenedUnits;
  readonly projectsMode?: string;
  /** `default`: the site's default. */
  readonly trustModel?: TrustModel | "default";
}

const mergeStyles = ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only", "manually-merged"];

/**
 * The settings after a change. Pure, so that a change is fully checked before anything is stored.
 * @throws ValidationFailed with the messages of contract repositories.md 5.4
 */
export function editSettings(present: RepoSettings, edit: SettingsEdit): RepoSettings {
  const next: RepoSettings = { ...present };
  switchUnits(next, edit);
  editIssues(next, present, edit);
  editWiki(next, edit);
  editProjects(next, edit);
  if (edit.opened) {
    if (Object.keys(edit.opened).length > 0) next.opened = edit.opened;
    else delete next.opened;
  }
  if (edit.trustModel === "default") delete next.trustModel;
  else if (edit.trustModel !== undefined) next.trustModel = edit.trustModel;
  if (edit.units?.pulls !== false) editMerging(next, edit);
  return next;
}

function switchUnits(next: RepoSettings, edit: SettingsEdit): void {
  const off = new Set(next.off);
  for (const unit of units) {
    if (edit.units?.[unit] === true) off.delete(unit);
    if (edit.units?.[unit] === false) off.add(unit);
  }
  if (off.size > 0) next.off = [...off];
  else delete next.off;
}

/** Naming the unit decides where issues are: without an external tracker they return to the built-in one. */
function editIssues(next: RepoSettings, present: RepoSettings, edit: SettingsEdit): void {
  if (edit.closesFromAnyBranch === true) next.closesFromAnyBranch = true;
  else if (edit.closesFromAnyBranch === false) delete next.closesFromAnyBranch;
  const wanted = edit.units?.issues;
  if (wanted === undefined) return;
  const wasOff = present.off?.includes("issues") ?? false;
  if (!wanted || wasOff) {
    delete next.internalTracker;
    delete next.externalTracker;
  }
  if (!wanted) return;
  if (edit.externalTracker) {
    checkTracker(edit.externalTracker);
    next.externalTracker = edit.externalTracker;
    return;
  }
  delete next.externalTracker;
  if (edit.internalTracker) next.internalTracker = edit.internalTracker;
}

/** Disabling the wiki also removes everyone's right to edit it. */
function editWiki(next: RepoSettings, edit: SettingsEdit): void {
  const wanted = edit.units?.wiki;
  if (edit.wikiForEveryone === true) next.wikiForEveryone = true;
  if (edit.wikiForEveryone === false || next.off?.includes("wiki")) delete next.wikiForEveryone;
  if (wanted === undefined) return;
  delete next.externalWiki;
  if (!wanted || !edit.externalWiki) return;
  if (!isWebAddress(edit.externalWiki.url))
    throw new ValidationFailed("repository.bad-wiki-url", { field: "external_wiki.external_wiki_url" });
  next.externalWiki = edit.externalWiki;
}

function editProjects(next: RepoSettings, edit: SettingsEdit): void {
  if (edit.projectsMode !== undefined && !["repo", "owner", "all"].includes(edit.projectsMode))
    throw new ValidationFailed("value.not-allowed", { field: "projects_mode", params: { name: "ProjectsMode" } });
  if (edit.units?.projects === false) delete next.projectsMode;
  else if (edit.units?.projects === true && edit.projectsMode !== undefined) next.projectsMode = edit.projectsMode;
}

function editMerging(next: RepoSettings, edit: SettingsEdit): void {
  const changed = mergeSettingNames.filter((name) => edit[name] !== undefined);
  if (changed.length === 0) return;
  if (edit.defaultMergeStyle !== undefined && !mergeStyles.includes(edit.defaultMergeStyle))
    throw new ValidationFailed("value.not-allowed", {
      field: "default_merge_style",
      params: { name: "DefaultMergeStyle" },
    });
  Object.assign(next, Object.fromEntries(changed.map((name) => [name, edit[name]])));
  const updateNames = ["allowMergeUpdate", "allowRebaseUpdate", "defaultUpdateStyle"] as const;
  if (updateNames.some((name) => edit[name] !== undefined)) checkUpdateStyles(storedMergeSettings(next));
}

function checkUpdateStyles(merge: MergeSettings): void {
  const refuse = (code: string) => new ValidationFailed(code, { field: "default_update_style" });
  const style = merge.defaultUpdateStyle;
  if (style !== "merge" && style !== "rebase") throw refuse("repository.unknown-update-style");
  if (!merge.allowMergeUpdate && !merge.allowRebaseUpdate) throw refuse("repository.no-update-style");
  if (!(style === "merge" ? merge.allowMergeUpdate : merge.allowRebaseUpdate))
    throw refuse("repository.update-style-off");
}

function checkTracker(tracker: NonNullable<RepoSettings["externalTracker"]>): void {
  if (!isWebAddress(tracker.url))
    throw new ValidationFailed("repository.bad-tracker-url", { field: "external_tracker.external_tracker_url" });
  if (tracker.format !== "" && !isTrackerFormat(tracker.format))
    throw new ValidationFailed("repository.bad-tracker-format", { field: "external_tracker.external_tracker_format" });
  if (tracker.style !== "" && !["numeric", "alphanumeric", "regexp"].includes(tracker.style))
    throw new ValidationFailed("value.not-allowed", {
      field: "external_tracker.external_tracker_style",
      params: { name: "ExternalTrackerStyle" },
    });
}

function isWebAddress(address: string): boolean {
  return address.length <= 2048 && /^https?:\/\/[^\s/]/i.test(address) && URL.canParse(address);
}

/** Braces may appear only around the three placeholder names. */
function isTrackerFormat(format: string): boolean {
  const filled = format.replace(/\{(user|repo|index)\}/g, "x");
  return !/[{}]/.test(filled) && isWebAddress(filled);
}
