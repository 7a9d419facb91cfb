import { contentOf } from "../diff/content.ts";
import { isRegular } from "../diff/renames.ts";
import { MODE_GITLINK } from "../objects/tree.ts";
import { MODE_KIND } from "../objects/tree-cursor.ts";
import { mergeContents } from "./content/drivers.ts";
import { BASE, type MergeState, NOTHING, OURS, THEIRS, type Version } from "./state.ts";

/** Larger files are not read for merging: one side is taken. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export interface MergedVersion {
  readonly version: Version;
  readonly clean: boolean;
}

/**
 * Merges three versions, of the same kind on both sides: files line by line; modes, symlinks and submodules as a whole.
 * @param path the path to use in messages
 * @param names the path of each version in its tree
 * @param extraMarkerSize added to the size of conflict markers
 * @throws CorruptObject when a blob is missing
 */
export function mergeVersions(
  state: MergeState,
  path: string,
  [base, ours, theirs]: readonly [Version, Version, Version],
  names: readonly [string, string, string],
  extraMarkerSize: number,
): MergedVersion {
  let mode = theirs.mode;
  let clean = true;
  if (ours.mode !== theirs.mode && ours.mode !== base.mode) {
    mode = ours.mode;
    clean = theirs.mode === base.mode;
  }
  const done = (oid: string): MergedVersion => ({ version: { mode, oid }, clean });
  if (ours.oid === theirs.oid || ours.oid === base.oid) return done(theirs.oid);
  if (theirs.oid === base.oid) return done(ours.oid);
  const sameKind = (base.mode & MODE_KIND) === (ours.mode & MODE_KIND);
  if (isRegular(ours.mode)) {
    const merged = mergeFiles(state, path, [sameKind ? base : NOTHING, ours, theirs], names, extraMarkerSize);
    clean &&= merged.clean;
    state.messages.add("Auto-merging", [path], `Auto-merging ${path}`);
    return done(merged.oid);
  }
  clean = false;
  if (ours.mode === MODE_GITLINK) {
    // Only the submodule's own repository could show whether one of its commits descends from another.
    state.messages.add(
      "CONFLICT (submodule not initialized)",
      [names[BASE]],
      `Failed to merge submodule ${names[BASE]} (not checked out)`,
    );
    if (state.depth === 0) return done(ours.oid);
    return { version: base, clean };
  }
  return state.depth > 0 ? { version: base, clean } : done(ours.oid);
}

function mergeFiles(
  state: MergeState,
  path: string,
  versions: readonly [Version, Version, Version],
  names: readonly [string, string, string],
  extraMarkerSize: number,
): { oid: string; clean: boolean } {
  const [base, ours, theirs] = versions;
  const { store } = state;
  const read = ({ mode, oid }: Version) => contentOf(store, mode, mode === 0 ? undefined : oid, MAX_FILE_BYTES);
  const moved = names[BASE] !== names[OURS] || names[OURS] !== names[THEIRS];
  const label = (name: string, at: string) => (moved ? `${name}:${at}` : name);
  const labels = {
    base: label(state.labels.base, names[BASE]),
    ours: label(state.labels.ours, names[OURS]),
    theirs: label(state.labels.theirs, names[THEIRS]),
  };
  const merged = mergeContents(read(base), read(ours), read(theirs), labels, {
    attributes: state.attributesOf(path),
    style: state.style,
    extraMarkerSize,
    virtual: state.depth > 0,
    ignoreSpaceChange: state.ignoreSpaceChange,
  });
  if (merged === "take-base")
    return { oid: base.mode === 0 ? store.put("blob", new Uint8Array(0)) : base.oid, clean: true };
  if (merged === "take-ours") {
    state.messages.add(
      "CONFLICT (binary)",
      [path],
      `warning: Cannot merge binary files: ${path} (${labels.ours} vs. ${labels.theirs})`,
    );
    return { oid: ours.oid, clean: false };
  }
  return { oid: store.put("blob", merged.data), clean: merged.conflicts === 0 };
}
