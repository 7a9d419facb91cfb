import type { TimelineKind } from "../../src/issues/timeline/types.ts";
import { type Person, PersonName } from "../components/avatar.tsx";
import type { IconName } from "../components/icon.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import type { Tone } from "../components/surface.tsx";
import { TimelineEvent } from "../components/timeline.tsx";
import type { Children } from "../jsx/types.ts";
import { LabelChip } from "../labels/chip.tsx";
import { useLanguage, useWords } from "../language.ts";
import type { EventView, LinkedItem } from "./entries.ts";
import { conversationWords } from "./words/index.ts";

const ICONS: Readonly<Partial<Record<TimelineKind, readonly [IconName, Tone]>>> = {
  close: ["issue-closed", "merged"],
  reopen: ["issue-reopened", "ok"],
  merge_pull: ["git-merge", "merged"],
  issue_ref: ["link", "plain"],
  pull_ref: ["link", "plain"],
  comment_ref: ["link", "plain"],
  commit_ref: ["git-commit", "plain"],
  label: ["tag", "plain"],
  milestone: ["milestone", "plain"],
  assignees: ["person", "plain"],
  change_title: ["pencil", "plain"],
  delete_branch: ["git-branch", "plain"],
  start_tracking: ["clock", "plain"],
  stop_tracking: ["clock", "plain"],
  add_time_manual: ["clock", "plain"],
  cancel_tracking: ["clock", "plain"],
  delete_time_manual: ["clock", "plain"],
  change_time_estimate: ["clock", "plain"],
  added_deadline: ["calendar", "plain"],
  modified_deadline: ["calendar", "plain"],
  removed_deadline: ["calendar", "plain"],
  add_dependency: ["blocked", "plain"],
  remove_dependency: ["blocked", "plain"],
  lock: ["lock", "plain"],
  unlock: ["key", "plain"],
  change_target_branch: ["git-branch", "plain"],
  change_issue_ref: ["git-branch", "plain"],
  review: ["eye", "plain"],
  review_request: ["eye", "plain"],
  dismiss_review: ["x", "plain"],
  pull_push: ["repo-push", "plain"],
  pull_queued: ["git-merge", "plain"],
  pull_unqueued: ["git-merge", "plain"],
  project: ["project", "plain"],
  project_board: ["project", "plain"],
  pin: ["pin", "plain"],
  unpin: ["pin", "plain"],
};

/** An event, in one line. */
export function EntryLine({ view }: { view: EventView }) {
  const [icon, tone] = ICONS[view.what] ?? ["pulse", "plain"];
  return (
    <TimelineEvent
      icon={icon}
      tone={tone}
      person={view.person}
      at={view.at}
      id={`event-${view.id}`}
      below={view.part?.below}
    >
      {view.part?.line ?? <EntryWords view={view} />}
    </TimelineEvent>
  );
}

const bold = (text: string): Children => <strong>{text}</strong>;
const code = (text: string): Children => <code>{text}</code>;

function ItemLink({ item }: { item: LinkedItem | undefined }) {
  if (!item) return null;
  return (
    <a href={item.href}>
      <ItemTitle text={item.title} /> <span class="muted">{item.label}</span>
    </a>
  );
}

function EntryWords({ view }: { view: EventView }) {
  return <>{useEntryWords(view)}</>;
}

function useEntryWords(view: EventView): Children {
  const t = useWords(conversationWords);
  const language = useLanguage();
  const { entry, item } = view;
  const person = (of: Person | undefined): Children => (of ? <PersonName person={of} /> : null);
  const day = (text: string) => (Number.isFinite(Date.parse(text)) ? language.day(Date.parse(text)) : text);
  switch (view.what) {
    case "close":
      return t("didClose");
    case "reopen":
      return t("didReopen");
    case "merge_pull":
      return t("didMerge");
    case "label": {
      const chips = (isAdded: boolean) =>
        view.labels
          .filter((label) => label.isAdded === isAdded)
          .map((label) => (
            <>
              <LabelChip label={label} />{" "}
            </>
          ));
      const [added, removed] = [chips(true), chips(false)];
      if (removed.length === 0) return t.jsx("didAddLabels", { count: added.length, labels: added });
      if (added.length === 0) return t.jsx("didRemoveLabels", { count: removed.length, labels: removed });
      return t.jsx("didChangeLabels", { added, removed });
    }
    case "milestone": {
      const [milestone, old] = [bold(view.milestone), bold(view.oldMilestone)];
      if (view.milestone === "") return t.jsx("didRemoveMilestone", { old });
      if (view.oldMilestone === "") return t.jsx("didSetMilestone", { milestone });
      return t.jsx("didChangeMilestone", { milestone, old });
    }
    case "assignees":
      if (entry.isRemoval) return t.jsx("didUnassign", { person: person(view.assignee) });
      return view.isOwnAssignment ? t("didAssignSelf") : t.jsx("didAssign", { person: person(view.assignee) });
    case "change_title":
      return t.jsx("didChangeTitle", {
        old: (
          <del>
            <ItemTitle text={entry.oldText} />
          </del>
        ),
        title: (
          <strong>
            <ItemTitle text={entry.newText} />
          </strong>
        ),
      });
    case "delete_branch":
      return t.jsx("didDeleteBranch", { branch: code(entry.oldText) });
    case "start_tracking":
      return t("didStartTracking");
    case "stop_tracking":
      return t("didStopTracking", { duration: entry.body });
    case "add_time_manual":
      return t("didAddTime", { duration: entry.body });
    case "delete_time_manual":
      return t("didDeleteTime", { duration: entry.body });
    case "cancel_tracking":
      return t("didCancelTracking");
    case "change_time_estimate":
      return t("didEstimate", { duration: entry.body });
    case "added_deadline":
      return t("didSetDeadline", { day: day(entry.body) });
    case "modified_deadline": {
      const [now = "", old = ""] = entry.body.split("|");
      return t("didChangeDeadline", { day: day(now), old: day(old) });
    }
    case "removed_deadline":
      return t("didRemoveDeadline", { day: day(entry.body) });
    case "add_dependency":
      return t.jsx("didAddDependency", { item: <ItemLink item={item} /> });
    case "remove_dependency":
      return t.jsx("didRemoveDependency", { item: <ItemLink item={item} /> });
    case "lock":
      return entry.body === "" ? t("didLock") : t("didLockBecause", { reason: entry.body });
    case "unlock":
      return t("didUnlock");
    case "change_target_branch":
      return t.jsx("didChangeTarget", { branch: code(entry.newText), old: code(entry.oldText) });
    case "change_issue_ref":
      return entry.newText === "" ? t("didRemoveRef") : t.jsx("didSetRef", { branch: code(entry.newText) });
    case "review":
      return t("didReview");
    case "dismiss_review":
      return t("didDismissReview");
    case "review_request":
      return entry.isRemoval
        ? t.jsx("didWithdrawReview", { person: person(view.assignee) })
        : t.jsx("didRequestReview", { person: person(view.assignee) });
    case "pull_push":
      return pushed(t, entry.body);
    case "project":
      return entry.projectId === 0 ? t("didRemoveProject") : t("didAddProject");
    case "project_board":
      return t("didMoveProject");
    case "pull_scheduled_merge":
      return t("didScheduleMerge");
    case "pull_cancel_scheduled_merge":
      return t("didCancelMerge");
    case "pull_queued":
      return t.jsx("didQueueMerge", { branch: code(entry.newText) });
    case "pull_unqueued":
      return departed(t, entry.body, code(entry.oldText));
    case "pin":
      return t("didPin");
    case "unpin":
      return t("didUnpin");
    case "commit_ref":
      return t.jsx("didReferInCommit", {
        commit: (
          <a href={view.commitHref}>
            <code>{entry.commitId.slice(0, 10)}</code> {subjectOf(entry.body)}
          </a>
        ),
      });
    case "issue_ref":
    case "pull_ref":
    case "comment_ref": {
      const link = <ItemLink item={item} />;
      if (entry.refAction === "closes") return t.jsx("willClose", { item: link });
      if (entry.refAction === "reopens") return t.jsx("willReopen", { item: link });
      if (entry.refAction === "neutered") return t.jsx("noLongerRefers", { item: link });
      return t.jsx("didRefer", { item: link });
    }
    default:
      return t("didSomething");
  }
}

const DEPARTURES = ["removed", "pushed", "closed", "conflict", "checks", "timeout", "refused"] as const;

function departed(t: ConversationWords, why: string, branch: Children): Children {
  const known = DEPARTURES.find((each) => each === why) ?? "removed";
  return [t.jsx("didLeaveQueue", { branch }), " ", t(`leftQueue-${known}`)];
}

type ConversationWords = ReturnType<typeof useWords<typeof conversationWords.source>>;

/** The text of the link in the entry of a commit. */
function subjectOf(body: string): string {
  const inner = />([^<>]*)<\/a>$/.exec(body)?.[1] ?? "";
  const signs: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'" };
  return inner.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (all, name: string) => signs[name] ?? all);
}

function pushed(t: ReturnType<typeof useWords<typeof conversationWords.source>>, body: string): Children {
  let push: { is_force_push?: boolean; commit_ids?: string[] } = {};
  try {
    push = JSON.parse(body) as typeof push;
  } catch {
    return t("didSomething");
  }
  const ids = push.commit_ids ?? [];
  if (push.is_force_push)
    return t.jsx("didForcePush", { old: code(ids[0]?.slice(0, 10) ?? ""), commit: code(ids[1]?.slice(0, 10) ?? "") });
  return t("didPush", { count: ids.length });
}
