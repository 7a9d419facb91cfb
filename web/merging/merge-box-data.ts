import { ghost } from "../../src/identity/system-users.ts";
import { type MergeStyle, mergeStyles, settingOf } from "../../src/pulls/merge/types.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import { isDraft } from "../../src/pulls/values.ts";
import { mergeSettings } from "../../src/repos/settings/defaults.ts";
import type { WebServices } from "../area.ts";
import { personOf } from "../people.ts";
import { homeOf, httpCloneUrl } from "../repos/frame.ts";
import { type ShownChecks, shownCheck } from "./checks.tsx";
import { type MergeBox, type QueueBox, queueHref } from "./merge-box.tsx";

/** The merge box of an open pull request, for the viewer. */
export async function mergeBox(services: WebServices, item: SeenPull): Promise<MergeBox> {
  const { branchRemoval, branchUpdates, mergeConditions, mergeMessages, pullConflicts } = services;
  const { issue, pull, seen } = item;
  const settings = mergeSettings(seen.repo.settings);
  const { approvals, mayBypass, mayMerge, obstacle } = await mergeConditions.decide(item);
  const styles = mergeStyles.filter((style) => settings[settingOf[style]]);
  const usual = mergeStyles.find((style) => style === settings.defaultMergeStyle);
  const style: MergeStyle = usual && styles.includes(usual) ? usual : (styles[0] ?? "merge");
  const { body, title } = await mergeMessages.of(item, style);
  const isActive = !seen.repo.isArchived && seen.principal.user !== undefined;
  return {
    href: homeOf(seen, `pulls/${issue.number}`),
    status: pull.status,
    isDraft: isDraft(issue.title),
    conflicts: pull.conflicts,
    mayResolve: isActive && pull.status === "conflict" && pullConflicts.mayResolve(item),
    checks: checksOf(services, item),
    notes: services.mergeNotes.map((note) => note.show(services, item)),
    approvals,
    obstacle,
    mayMerge: mayMerge && isActive,
    mayBypass,
    styles,
    style,
    title,
    message: body,
    headOid: pull.headOid,
    deletesBranch: branchRemoval.mayGoWithMerge(item) ? settings.defaultDeleteBranchAfterMerge : undefined,
    scheduled: scheduledOf(services, item, mayMerge && isActive),
    queue: queueOf(services, item, mayMerge && isActive),
    behind: pull.behind,
    updates: isActive ? (["merge", "rebase"] as const).filter((each) => branchUpdates.mayUpdate(item, each)) : [],
    commands: { cloneUrl: httpCloneUrl(services, seen), number: issue.number, base: pull.baseBranch },
  };
}

function checksOf({ mergeConditions }: WebServices, item: SeenPull): ShownChecks {
  const { missing, statuses } = mergeConditions.checks(item);
  return { missing, statuses: statuses.map(({ isRequired, status }) => shownCheck(status, isRequired)) };
}

function scheduledOf({ identity, mergeSchedule }: WebServices, item: SeenPull, mayMerge: boolean) {
  const scheduled = mergeSchedule.of(item);
  if (!scheduled) return undefined;
  const by = personOf(identity.byId(scheduled.userId) ?? ghost);
  const isOwn = scheduled.userId === item.seen.principal.user?.id;
  return { by, style: scheduled.style, mayCancel: mayMerge || isOwn };
}

function queueOf({ mergeQueue }: WebServices, item: SeenPull, mayMerge: boolean): QueueBox | undefined {
  const { issue, pull, seen } = item;
  const place = mergeQueue.placeOf(item);
  if (!place && !mergeQueue.isRequired(seen, pull.baseBranch)) return undefined;
  const me = seen.principal.user?.id;
  const isOwn = me !== undefined && (place?.entry.userId === me || issue.posterId === me);
  return {
    href: queueHref(homeOf(seen), pull.baseBranch),
    place: place && { position: place.position, state: place.state, mayRemove: mayMerge || isOwn },
  };
}
