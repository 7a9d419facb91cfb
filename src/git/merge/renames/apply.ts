import { isRegular } from "../../diff/renames.ts";
import { mergeVersions } from "../file-merge.ts";
import { labelOf, type MergeState, NOTHING, OURS, otherSide, type PathState, type Side, THEIRS } from "../state.ts";
import type { Arrival } from "./changes.ts";

/**
 * Applies the other side's changes to files at the paths one side moved them to, and reports conflicts.
 * @param arrivals renamed or moved files of both sides
 */
export function applyRenames(state: MergeState, arrivals: readonly Arrival[]): void {
  const sorted = [...arrivals].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : a.side - b.side));
  for (let i = 0; i < sorted.length; i++) {
    const arrival = sorted[i]!;
    const source = state.paths.get(arrival.from);
    // Already decided: the other side did not change it, so the new file is the result.
    if (!source || source.clean) continue;
    const next = sorted[i + 1];
    if (next?.from === arrival.from) {
      renamedTwice(state, source, arrival, next);
      i++;
    } else renamedOnce(state, source, arrival);
  }
}

function renamedTwice(state: MergeState, source: PathState, ours: Arrival, theirs: Arrival): void {
  const target = state.paths.get(ours.path)!;
  if (ours.path === theirs.path) {
    target.stages[0] = source.stages[0];
    target.fileMask |= 1;
    source.resolveAsGone();
    return;
  }
  const other = state.paths.get(theirs.path)!;
  const merged = mergeVersions(
    state,
    ours.from,
    [source.stages[0], target.stages[OURS], other.stages[THEIRS]],
    [ours.from, ours.path, theirs.path],
    1 + 2 * state.depth,
  );
  const { version } = merged;
  const before = target.stages[OURS];
  // If ours was taken as it is, the content could not be merged, and each side keeps its own.
  const unmerged = !merged.clean && version.mode === before.mode && version.oid === before.oid;
  target.stages[OURS] = version;
  if (!unmerged) other.stages[THEIRS] = version;
  target.pathConflict = true;
  other.pathConflict = true;
  source.pathConflict = true;
  state.messages.add(
    "CONFLICT (rename/rename)",
    [ours.from, ours.path, theirs.path],
    `CONFLICT (rename/rename): ${ours.from} renamed to ${ours.path} in ${state.labels.ours} and to ${theirs.path} in ${state.labels.theirs}.`,
  );
}

function renamedOnce(state: MergeState, source: PathState, { from, path, side }: Arrival): void {
  const target = state.paths.get(path)!;
  const other: Side = otherSide(side);
  const deleted = source.fileMask === 1;
  const typeChanged = !deleted && isRegular(source.stages[other].mode) !== isRegular(target.stages[side].mode);
  // If the other side changed the type, its file at the new path is an undetected rename.
  const collides = (target.fileMask & (1 << other)) !== 0 && !typeChanged;
  if (collides && !deleted) mergeIntoCollision(state, source, target, { from, path, side });
  else {
    if (!collides) {
      target.stages[0] = source.stages[0];
      target.fileMask |= 1;
      target.names[0] = from;
    }
    if (typeChanged) {
      source.stages[0] = NOTHING;
      source.fileMask &= 6;
    } else if (deleted) {
      target.pathConflict = true;
      state.messages.add(
        "CONFLICT (rename/delete)",
        [path, from],
        `CONFLICT (rename/delete): ${from} renamed to ${path} in ${labelOf(state, side)}, but deleted in ${labelOf(state, other)}.`,
      );
    } else {
      target.stages[other] = source.stages[other];
      target.fileMask |= 1 << other;
      target.names[other] = from;
    }
  }
  if (!typeChanged) source.resolveAsGone();
}

/** A rename collides with a different file of the other side at its new path: the rename's content is merged first. */
function mergeIntoCollision(
  state: MergeState,
  source: PathState,
  target: PathState,
  { from, path, side }: Pick<Arrival, "from" | "path" | "side">,
): void {
  const ours = side === OURS ? target : source;
  const theirs = side === OURS ? source : target;
  const names: [string, string, string] = side === OURS ? [from, path, from] : [from, from, path];
  const merged = mergeVersions(
    state,
    from,
    [source.stages[0], ours.stages[OURS], theirs.stages[THEIRS]],
    names,
    1 + 2 * state.depth,
  );
  target.stages[side] = merged.version;
  if (merged.clean) return;
  state.messages.add(
    "CONFLICT (rename involved in collision)",
    [path, from],
    `CONFLICT (rename involved in collision): rename of ${from} -> ${path} has content conflicts AND collides with another path; this may result in nested conflict markers.`,
  );
}
