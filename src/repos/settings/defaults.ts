import { type Unit, units } from "../../access/levels.ts";
import type { RepoSettings } from "../types.ts";

/** What a setting is when the repository does not say (contract repositories.md 4.5). */

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

/** How a repository without the pull unit shows itself. */
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

/** The units that are switched on. */
export function unitsOn({ off = [] }: RepoSettings): ReadonlySet<Unit> {
  return off.length === 0 ? allUnits : new Set(units.filter((unit) => !off.includes(unit)));
}

/** How pull requests are merged, as in force. */
export function mergeSettings(settings: RepoSettings): MergeSettings {
  return settings.off?.includes("pulls") ? mergeOff : storedMergeSettings(settings);
}

/** The same, whether or not the pull unit is on. */
export function storedMergeSettings(settings: RepoSettings): MergeSettings {
  const merged: Record<string, string | boolean> = { ...mergeDefaults };
  for (const name of mergeSettingNames) {
    const value = settings[name];
    if (value !== undefined) merged[name] = value;
  }
  return merged as MergeSettings;
}

/** How the issues kept here behave, as in force. */
export function trackerSettings(settings: RepoSettings): Required<NonNullable<RepoSettings["internalTracker"]>> {
  return { ...trackerDefaults, ...settings.internalTracker };
}

/** Whether a wiki is kept here: it is switched on, and not elsewhere. */
export function keepsWiki(settings: RepoSettings): boolean {
  return unitsOn(settings).has("wiki") && !settings.externalWiki;
}
