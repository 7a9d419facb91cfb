import { applyPatch } from "../../git/apply/apply.ts";
import { PatchTooExpensive } from "../../git/apply/image.ts";
import { parsePatch } from "../../git/apply/parse.ts";
import { MalformedPatch, PatchRefused } from "../../git/apply/patch.ts";
import { applyThreeWay } from "../../git/apply/three-way.ts";
import { treeAttributes } from "../../git/merge/attributes.ts";
import { parseCommitLinks } from "../../git/objects/commit.ts";
import type { GitObject, Oid } from "../../git/objects/types.ts";
import { Overlay } from "../../git/odb/overlay.ts";
import { ObjectStore } from "../../git/odb/store.ts";
import { CannotReplay, cherryPick, type ReplayOutcome, revert } from "../../git/replay/pick.ts";
import type { JobContext } from "../../workers/job.ts";
import type { WholeChange } from "./types.ts";

export interface ChangeInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** The commit the change is applied to. */
  readonly base: Oid;
  readonly change: WholeChange;
}

/** The new tree and the objects it needs, or why the change does not apply. */
export type ChangedTree =
  | { readonly kind: "done"; readonly before: Oid; readonly tree: Oid; readonly objects: readonly GitObject[] }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "conflict"; readonly paths: readonly string[] };

/** Maximum number of conflicting paths listed. */
const MAX_PATHS = 20;

/** Applies a patch, another commit's change or its reversal to the tree of a commit. Stores nothing. */
export async function run(
  { repoDir, base, change }: ChangeInput,
  { signal }: Pick<JobContext, "signal">,
): Promise<ChangedTree> {
  const store = ObjectStore.open(repoDir);
  try {
    const overlay = new Overlay(store);
    const before = treeOf(overlay, base);
    const done = (tree: Oid): ChangedTree => {
      const objects = overlay.made().filter(({ type }) => type !== "commit");
      return { kind: "done", before, tree, objects };
    };
    const merge = { signal, attributesOf: treeAttributes(overlay, before) };
    if (change.kind === "patch") {
      const patches = parsePatch(change.patch, { recount: true });
      try {
        return done(applyPatch(overlay, before, patches).tree);
      } catch (error) {
        if (!(error instanceof PatchRefused)) throw error;
        const merged = applyThreeWay(overlay, before, patches, merge);
        if (!merged) throw error;
        return merged.clean ? done(merged.tree) : conflict(merged.conflicts);
      }
    }
    const outcome = replay(overlay, base, change, merge);
    if (outcome.kind === "conflict") return conflict(outcome.merge.conflicts);
    return outcome.kind === "empty" ? done(before) : done(treeOf(overlay, outcome.commit));
  } catch (error) {
    const isRefusal =
      error instanceof MalformedPatch ||
      error instanceof PatchRefused ||
      error instanceof PatchTooExpensive ||
      error instanceof CannotReplay;
    if (!isRefusal) throw error;
    return { kind: "refused", reason: error.message };
  } finally {
    store.close();
  }
}

function replay(
  overlay: Overlay,
  base: Oid,
  { kind, commit }: Exclude<WholeChange, { kind: "patch" }>,
  merge: NonNullable<Parameters<typeof revert>[4]>["merge"],
): ReplayOutcome {
  // The commit made here is not used: the edit makes its own.
  const replayer = { committer: { name: "", email: "", timestamp: 0, offsetMinutes: 0 } };
  const { parents } = linksOf(overlay, commit);
  const options = { ...(parents.length > 1 ? { mainline: 1 } : {}), ...(merge ? { merge } : {}) };
  return kind === "revert"
    ? revert(overlay, base, commit, replayer, options)
    : cherryPick(overlay, base, [commit], replayer, options);
}

function conflict(conflicts: readonly { readonly path: string }[]): ChangedTree {
  return { kind: "conflict", paths: conflicts.slice(0, MAX_PATHS).map(({ path }) => path) };
}

function treeOf(overlay: Overlay, commit: Oid): Oid {
  return linksOf(overlay, commit).tree;
}

function linksOf(overlay: Overlay, commit: Oid) {
  const object = overlay.read(commit);
  if (object?.type !== "commit") throw new CannotReplay(`commit ${commit} is missing`);
  return parseCommitLinks(object.data);
}
