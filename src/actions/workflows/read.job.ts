import { cachedRepository } from "../../git/cached-repository.ts";
import { decodeText } from "../../git/objects/headers.ts";
import { MODE_EXECUTABLE, MODE_FILE } from "../../git/objects/tree.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { ObjectStore } from "../../git/odb/store.ts";
import { walkTree } from "../../git/trees.ts";
import type { JobContext } from "../../workers/job.ts";
import { isWorkflowName, workflowFolderOf } from "./folders.ts";
import { type ReadWorkflow, type ReadWorkflows, readWorkflow, unreadable } from "./reading.ts";
import { MAX_SOURCE_BYTES } from "./yaml/read.ts";

export interface ReadWorkflowsInput {
  readonly repoDir: string;
  readonly commit: Oid;
}

/** For all files together: what is read stays in memory. */
const MAX_TOTAL_BYTES = 8 << 20;
const MAX_FILES = 256;

/** Reads the workflows of a commit. */
export function run({ commit, repoDir }: ReadWorkflowsInput, context: JobContext): ReadWorkflows {
  const { store } = cachedRepository(context, repoDir);
  const found = workflowFolderOf(store, commit);
  return found
    ? { folder: found.folder, workflows: workflowsIn(store, found.tree, context) }
    : { folder: undefined, workflows: [] };
}

function workflowsIn(store: ObjectStore, directory: Oid, { signal }: JobContext): ReadWorkflow[] {
  const workflows: ReadWorkflow[] = [];
  let bytes = 0;
  for (const { mode, oid, path: id } of walkTree(store, directory)) {
    signal.throwIfAborted();
    // Symlinks and submodules are not followed.
    if ((mode !== MODE_FILE && mode !== MODE_EXECUTABLE) || !isWorkflowName(id)) continue;
    if (workflows.length >= MAX_FILES) break;
    const sizeBytes = store.header(oid)?.sizeBytes ?? 0;
    if (sizeBytes <= MAX_SOURCE_BYTES) bytes += sizeBytes;
    if (sizeBytes > MAX_SOURCE_BYTES) workflows.push(unreadable(id, "the file is larger than 1 MiB"));
    else if (bytes > MAX_TOTAL_BYTES) workflows.push(unreadable(id, "the workflows are too large together"));
    else workflows.push(readWorkflow(id, decodeText(store.read(oid)?.data ?? new Uint8Array())));
  }
  return workflows;
}
