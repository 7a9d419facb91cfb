import { type Unit, units } from "../../access/levels.ts";
import type { RepoSettings } from "../types.ts";

/** Defaults of settings the repository does not set (contract repositories.md 4.5). */

const mergeDefaults = {
  ignoreWhitespaceConflicts: false,
  allowMergeCommits: true,
  allowRebase: true,
  allowRebaseExplicit: true,
  allowSquash: true,
  allowFastForwardOnly: true,
  allowManualMerge: false,
  autodetectManualMerge: false,
  allowMergeUpdate: true,
  allowRebaseUpdate: true,
  defaultDeleteBranchAfterMerge: false,
  defaultMergeStyle: "merge",
  defaultUpdateStyle: "merge",
  defaultAllowMaintainerEdit: true,
};

export type MergeSettings = typeof mergeDefaults;

export const mergeSettingNames = Object.keys(mergeDefaults) as (keyof MergeSettings)[];

/** The settings shown when the pull unit is off. */
const mergeOff: MergeSettings = {
  ...mergeDefaults,
  allowMergeCommits: false,
  allowRebase: false,
  allowRebaseExplicit: false,
  allowSquash: false,
  allowFastForwardOnly: false,
  allowManualMerge: true,
  allowMergeUpdate: false,
  allowRebaseUpdate: false,
  defaultAllowMaintainerEdit: false,
};

const trackerDefaults = {
  enableTimeTracker: true,
  allowOnlyContributorsToTrackTime: true,
  enableIssueDependencies: true,
};

const allUnits: ReadonlySet<Unit> = new Set(units);

/** The enabled units. */
export function unitsOn({ off = [] }: RepoSettings): ReadonlySet<Unit> {
  return off.length === 0 ? allUnits : new Set(units.filter((unit) => !off.includes(unit)));
}

/** The effective merge settings. */
export function mergeSettings(settings: RepoSettings): MergeSettings {
  return settings.off?.includes("pulls") ? mergeOff : storedMergeSettings(settings);
}

/** The stored merge settings, whether or not the pull unit is on. */
export function storedMergeSettings(settings: RepoSettings): MergeSettings {
  const merged: Record<string, string | boolean> = { ...mergeDefaults };
  for (const name of mergeSettingNames) {
    const value = settings[name];
    if (value !== undefined) merged[name] = value;
  }
  return merged as MergeSettings;
}

/** The effective settings of the built-in issue tracker. */
export function trackerSettings(settings: RepoSettings): Required<NonNullable<RepoSettings["internalTracker"]>> {
  return { ...trackerDefaults, ...settings.internalTracker };
}

/** Whether the wiki is hosted here: it is enabled, and not external. */
export function keepsWiki(settings: RepoSettings): boolean {
  return unitsOn(settings).has("wiki") && !settings.externalWiki;
}
