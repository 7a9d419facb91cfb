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

/** Why a whole push is refused: a message in the pusher's language. */
export type PushRefusal = (t: Translate<typeof en>) => string;

/** The rules' verdict on a push: reasons to refuse all of it, and refs refused individually. */
export interface Verdict {
  /** Messages to the pusher; if there are any, every ref is `pre-receive hook declined`. */
  readonly refusals: readonly PushRefusal[];
  /** Reason by ref name. */
  readonly declined: ReadonlyMap<string, string>;
}

/** What a push requests. */
export interface PushRequested {
  readonly commands: readonly RefChange[];
  readonly pushOptions: readonly string[];
}

/** Refs that only the server moves: heads of pull requests, and the refs their merges are tested on. */
const OWN_REFS = ["refs/pull/", "refs/merge-queue/"];

/** For pushers with read access only. */
export const NO_WRITING: PushRefusal = (t) => t("noWriting");

/**
 * Checks whether these refs may change, before their content is known (contract git-content.md 13.2). Every ref is
 * checked individually (security rule A20); a forbidden one refuses the whole push, invalid names and the server's
 * own refs only themselves.
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
      // Before the check for write access: readers may request pull requests.
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

/** A valid ref name that is short enough to store. */
function isStorable({ name, newOid }: RefChange): boolean {
  return (
    isPushableRefName(refNameOf(name), newOid === null) && name !== "refs/heads/HEAD" && Buffer.byteLength(name) <= 1024
  );
}
