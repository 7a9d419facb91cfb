import { cachedRepository } from "../../git/cached-repository.ts";
import type { FileChange } from "../../git/diff/change.ts";
import { treeOf } from "../../git/diff/diff.job.ts";
import { Budget, diffOfFile, type FileDiff } from "../../git/diff/file-diff.ts";
import { TreeEdit } from "../../git/edit/tree-edit.ts";
import { MODE_FILE, typeOfMode } from "../../git/objects/tree.ts";
import type { Oid } from "../../git/objects/types.ts";
import { Overlay } from "../../git/odb/overlay.ts";
import type { JobContext } from "../../workers/job.ts";

export interface PreviewInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** undefined if there is none yet. */
  readonly commit: Oid | undefined;
  readonly path: string;
  readonly content: Uint8Array;
}

const LIMITS = { maxFileLines: 5_000 };

/** The diff that the content would produce, without storing anything. */
export async function run({ repoDir, commit, path, content }: PreviewInput, context: JobContext): Promise<FileDiff> {
  const overlay = new Overlay(cachedRepository(context, repoDir).store);
  const tree = commit === undefined ? undefined : treeOf(overlay, commit);
  const found = path === "" ? undefined : new TreeEdit(overlay, tree).find(path);
  // In the form for a new file, the path is that of its directory.
  const present = found && typeOfMode(found.mode) === "blob" ? found : undefined;
  const change: FileChange = {
    status: present ? "modified" : "added",
    oldPath: path,
    newPath: path,
    oldMode: present?.mode ?? 0,
    newMode: present?.mode ?? MODE_FILE,
    oldOid: present?.oid,
    newOid: overlay.put("blob", content),
  };
  return diffOfFile(overlay, change, LIMITS, new Budget(LIMITS));
}
