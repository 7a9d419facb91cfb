import { peelToTree } from "../../git/graph/peel.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import { isTreeMode } from "../../git/objects/tree.ts";
import type { Oid } from "../../git/objects/types.ts";
import { entryAt } from "../../git/trees.ts";

/** The directories searched for workflows; only the first that exists counts (contract actions.md 2.1). */
export const workflowFolders = [".forgejo/workflows", ".gitea/workflows", ".github/workflows"] as const;

export const isWorkflowName = (name: string): boolean => /\.ya?ml$/.test(name);

/** The workflow directory of a commit. */
export interface WorkflowFolder {
  readonly folder: (typeof workflowFolders)[number];
  /** Its tree, which determines its contents. */
  readonly tree: Oid;
}

/** @returns undefined if there is none @throws CostlyObject */
export function workflowFolderOf(objects: ObjectSource, commit: Oid): WorkflowFolder | undefined {
  const root = peelToTree(objects, commit);
  for (const folder of root === undefined ? [] : workflowFolders) {
    const found = entryAt(objects, root ?? "", folder);
    if (found && isTreeMode(found.mode)) return { folder, tree: found.oid };
  }
  return undefined;
}
