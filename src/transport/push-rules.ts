import { atLeast } from "../access/levels.ts";
import { isPushableRefName } from "../git/refs/names.ts";
import type { RefChange } from "../git/refs/types.ts";
import type { Translate } from "../language/catalogue.ts";
import { folderUnits, type GitFolder } from "../repos/folders/types.ts";
import { isHiddenRef } from "../repos/refs/hidden.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { en } from "./words/en.ts";

/** Why all of a push is refused: a message in the pusher's language. */
export type PushRefusal = (t: Translate<typeof en>) => string;

/** What the rules say of a push: what refuses all of it, and refs that are refused by themselves. */
export interface Verdict {
  /** What the pusher is told; with any, every ref is `pre-receive hook declined`. */
  readonly refusals: readonly PushRefusal[];
  /** Reason by ref name. */
  readonly declined: ReadonlyMap<string, string>;
}

/** Pushes to names below it are requests to pull, not refs (contract git-content.md 13.6); no area takes them yet. */
const FOR_REVIEW = "refs/for/";

/** To someone who may read only. */
export const NO_WRITING: PushRefusal = (t) => t("noWriting");

/**
 * May these refs change (contract git-content.md 13.2)? Every ref is examined by itself (security rule A20);
 * one that may not change refuses the push, names that git does not know and server's own refs only themselves.
 */
export function evaluatePushRules(
  { seen, folder }: { readonly seen: SeenRepo; readonly folder: GitFolder },
  changes: readonly RefChange[],
): Verdict {
  const refusals: PushRefusal[] = [];
  const declined = new Map<string, string>();
  const mayWrite = atLeast(seen.access.on(folderUnits[folder.kind]), "write");
  for (const change of changes) {
    if (!isStorable(change)) declined.set(change.name, "funny refname");
    else if (isHiddenRef(change.name)) declined.set(change.name, "deny updating a hidden ref");
    else if (change.name.startsWith("refs/pull/")) declined.set(change.name, "hook declined");
    // Before the question who may write: whoever may read may ask for a pull.
    else if (change.name.startsWith(FOR_REVIEW)) declined.set(change.name, "pull requests by push are not supported");
    else if (!mayWrite) refusals.push(NO_WRITING);
    else if (change.newOid === null && change.name === `refs/heads/${folder.defaultBranch}`)
      refusals.push((t) => t("defaultBranch", { branch: folder.defaultBranch }));
  }
  return { refusals, declined };
}

/** A name git knows, and text: the database keeps names as UTF-8. */
function isStorable({ name, newOid }: RefChange): boolean {
  return (
    name.isWellFormed() &&
    isPushableRefName(name, newOid === null) &&
    name !== "refs/heads/HEAD" &&
    Buffer.byteLength(name) <= 1024
  );
}
