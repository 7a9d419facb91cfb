import { atLeast } from "../access/levels.ts";
import { isPushableRefName, refNameOf } from "../git/refs/names.ts";
import type { RefChange } from "../git/refs/types.ts";
import type { Translate } from "../language/catalogue.ts";
import { folderUnits } from "../repos/folders/types.ts";
import { isHiddenRef } from "../repos/refs/hidden.ts";
import type { PushRules } from "../repos/rules/service.ts";
import type { SeenFolder } from "./access.ts";
import { REFS_FOR, type RefsFor } from "./refs-for.ts";
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

/** What a push says of itself. */
export interface PushRequested {
  readonly commands: readonly RefChange[];
  readonly pushOptions: readonly string[];
}

/** To someone who may read only. */
/** What the server alone moves: heads of pull requests, and what their merges are tested as. */
const OWN_REFS = ["refs/pull/", "refs/merge-queue/"];

export const NO_WRITING: PushRefusal = (t) => t("noWriting");

/**
 * May these refs change, before anything is known of what they bring (contract git-content.md 13.2)? Every ref is looked
 * at by itself (security rule A20); one that may not change refuses the push, names that git does not know and the
 * server's own refs only themselves.
 */
export function evaluatePushRules(
  { seen, folder }: SeenFolder,
  { commands, pushOptions }: PushRequested,
  refsFor: Pick<RefsFor, "refusalOf">,
  rules: Pick<PushRules, "mayWriteRef">,
): Verdict {
  const refusals: PushRefusal[] = [];
  const declined = new Map<string, string>();
  const mayWrite = atLeast(seen.access.on(folderUnits[folder.kind]), "write");
  for (const change of commands) {
    if (!isStorable(change)) declined.set(change.name, "funny refname");
    else if (isHiddenRef(change.name)) declined.set(change.name, "deny updating a hidden ref");
    else if (OWN_REFS.some((prefix) => change.name.startsWith(prefix))) declined.set(change.name, "hook declined");
    else if (change.name.startsWith(REFS_FOR)) {
      // Before the question who may write: whoever may read may ask for a pull.
      const refusal = refsFor.refusalOf({ seen, folder }, change, pushOptions);
      if (refusal && "whole" in refusal) refusals.push(refusal.whole);
      else if (refusal) declined.set(change.name, refusal.alone);
    } else if (!mayWrite && !(folder.kind === "code" && rules.mayWriteRef(seen, change.name)))
      refusals.push(NO_WRITING);
    else if (change.newOid === null && change.name === `refs/heads/${folder.defaultBranch}`)
      refusals.push((t) => t("defaultBranch", { branch: folder.defaultBranch }));
  }
  return { refusals, declined };
}

/** A name git knows, and not too long for a row. */
function isStorable({ name, newOid }: RefChange): boolean {
  return (
    isPushableRefName(refNameOf(name), newOid === null) && name !== "refs/heads/HEAD" && Buffer.byteLength(name) <= 1024
  );
}
