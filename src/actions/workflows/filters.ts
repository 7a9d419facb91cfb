import { BRANCHES, TAGS } from "../../git/refs/names.ts";
import { isSelected, patternOf } from "./patterns.ts";
import type { Filter, Trigger } from "./triggers.ts";

/** What filters match: an event as a workflow's `on` names it. */
export interface Occurrence {
  readonly event: string;
  /** The activity type, for events that have them: `opened`. */
  readonly type: string | undefined;
  /** The full ref for pushes; for pull requests and runs, the branch that `branches` filters. */
  readonly ref: string | undefined;
  /** undefined if they could not be determined. Read only when a filter needs them. */
  readonly changed: readonly string[] | undefined;
  /** For `workflow_run`: the name of the workflow that ran. */
  readonly workflow?: string;
}

const defaultTypes: Readonly<Record<string, readonly string[]>> = {
  pull_request: ["opened", "reopened", "synchronize"],
  pull_request_target: ["opened", "reopened", "synchronize"],
};

/** Whether its filters depend on which files changed. */
export const asksForPaths = ({ filters }: Trigger): boolean =>
  filters.paths !== undefined || filters["paths-ignore"] !== undefined;

/** Whether an event starts a workflow (contract actions.md 2.5). @throws BadWorkflow if a pattern cannot be parsed */
export function isTriggered(trigger: Trigger, occurrence: Occurrence): boolean {
  if (trigger.event !== occurrence.event) return false;
  if (occurrence.event === "push") return isPushed(trigger, occurrence);
  const { filters } = trigger;
  const types = filters.types ?? defaultTypes[trigger.event];
  if (types && occurrence.type !== undefined && !selects(types, occurrence.type)) return false;
  if (filters.workflows && !selects(filters.workflows, occurrence.workflow ?? "")) return false;
  return takesBranch(trigger, occurrence.ref) && takesPaths(trigger, occurrence);
}

function isPushed(trigger: Trigger, { ref = "", ...occurrence }: Occurrence): boolean {
  const { filters } = trigger;
  const has = (...names: Filter[]) => names.some((name) => filters[name] !== undefined);
  const ofBranches = has("branches", "branches-ignore");
  const ofTags = has("tags", "tags-ignore");
  if (ref.startsWith(TAGS)) {
    if (!ofTags) return !ofBranches;
    return passes(filters.tags, filters["tags-ignore"], ref.slice(TAGS.length));
  }
  if (ofTags && !ofBranches) return false;
  return takesBranch(trigger, ref.slice(BRANCHES.length)) && takesPaths(trigger, { ref, ...occurrence });
}

const takesBranch = ({ filters }: Trigger, branch: string | undefined): boolean =>
  passes(filters.branches, filters["branches-ignore"], branch ?? "");

function passes(wanted: readonly string[] | undefined, ignored: readonly string[] | undefined, name: string): boolean {
  if (wanted && !selects(wanted, name)) return false;
  return !ignored || !selects(ignored, name);
}

function takesPaths({ filters }: Trigger, { changed }: Omit<Occurrence, "event" | "type">): boolean {
  const { paths, "paths-ignore": ignored } = filters;
  if (!paths && !ignored) return true;
  if (!changed) return false;
  if (paths) {
    const patterns = paths.map(patternOf);
    if (!changed.some((path) => isSelected(patterns, path))) return false;
  }
  if (!ignored) return true;
  const patterns = ignored.map(patternOf);
  return !changed.every((path) => isSelected(patterns, path));
}

const selects = (patterns: readonly string[], name: string): boolean => isSelected(patterns.map(patternOf), name);
