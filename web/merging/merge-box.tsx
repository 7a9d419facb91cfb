import type { MergeObstacle } from "../../src/protections/branches/merge.ts";
import type { MergeStyle } from "../../src/pulls/merge/types.ts";
import type { QueueState } from "../../src/pulls/queue/types.ts";
import type { PullStatus } from "../../src/pulls/types.ts";
import { type Person, PersonName } from "../components/avatar.tsx";
import { LinkButton, SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions, SelectField, TextArea, TextField } from "../components/form.tsx";
import { whenHeard } from "../components/live-part.tsx";
import { Card, Notice } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { withQuery } from "../links.ts";
import { pullWords } from "../pulls/words/index.ts";
import { CheckList, type ShownChecks } from "./checks.tsx";
import { CommandLine, type CommandLineProps } from "./command-line.tsx";
import { mergingWords } from "./words/index.ts";

/** Merge options, and what blocks the merge. */
export interface MergeBox {
  /** URL of the pull request. */
  readonly href: string;
  readonly status: PullStatus;
  readonly isDraft: boolean;
  readonly conflicts: readonly string[];
  readonly mayResolve: boolean;
  readonly checks: ShownChecks;
  /** Notes of areas below them. */
  readonly notes: readonly Children[];
  /** Approvals that count, and the number that the branch rule requires. */
  readonly approvals: { readonly given: number; readonly needed: number };
  readonly obstacle: MergeObstacle | undefined;
  readonly mayMerge: boolean;
  readonly mayBypass: boolean;
  readonly styles: readonly MergeStyle[];
  readonly style: MergeStyle;
  readonly title: string;
  readonly message: string;
  readonly headOid: string;
  /** Initial state of the checkbox; undefined when the viewer may not delete the branch. */
  readonly deletesBranch: boolean | undefined;
  readonly scheduled: { readonly by: Person; readonly style: MergeStyle; readonly mayCancel: boolean } | undefined;
  readonly queue: QueueBox | undefined;
  readonly behind: number;
  readonly updates: readonly ("merge" | "rebase")[];
  readonly commands: CommandLineProps;
}

/** The branch has a merge queue. */
export interface QueueBox {
  readonly href: string;
  /** Absent while it is not queued. */
  readonly place: { readonly position: number; readonly state: QueueState; readonly mayRemove: boolean } | undefined;
}

/**
 * The box under a conversation. It is fetched again when something it shows changes (`merge.changed` on the page's
 * stream), and every five seconds while a result is pending.
 */
export function MergeCard({ box }: { box: MergeBox }) {
  const t = useWords(pullWords);
  const isWaiting = box.status === "checking" || box.checks.statuses.some(({ state }) => state === "pending");
  return (
    <div
      id="merge-box"
      hx-get={`${box.href}/merge_box`}
      hx-trigger={`${whenHeard(["merge.changed"], 1)}${isWaiting ? ", every 5s" : ""}`}
      hx-swap="outerMorph"
    >
      <Card title={t("merging")} id="merge">
        <CheckList checks={box.checks} />
        {box.notes}
        <StatusNotice box={box} />
        <Obstacles box={box} />
        {box.behind > 0 && box.updates.length > 0 ? <UpdateForms box={box} /> : null}
        {box.scheduled ? <Scheduled box={box} scheduled={box.scheduled} /> : null}
        {box.queue?.place ? <Queued box={box} queue={box.queue} place={box.queue.place} /> : null}
        {box.mayMerge ? null : <p class="muted">{t("notAllowed")}</p>}
        {isOffered(box) ? <MergeForm box={box} /> : null}
        {box.status === "ancestor" ? null : <CommandLine {...box.commands} />}
      </Card>
    </div>
  );
}

function isOffered(box: MergeBox): boolean {
  const isClean = box.status === "mergeable" || box.status === "empty";
  return box.mayMerge && isClean && !box.isDraft && !box.queue?.place;
}

function StatusNotice({ box }: { box: MergeBox }) {
  const t = useWords(pullWords);
  switch (box.status) {
    case "mergeable":
    case "empty":
      return (
        <Notice kind="success">
          <p>{t("canMerge")}</p>
        </Notice>
      );
    case "checking":
      return (
        <Notice kind="info">
          <p>{t("checking")}</p>
        </Notice>
      );
    case "ancestor":
      return (
        <Notice kind="info">
          <p>{t("hasNothing")}</p>
        </Notice>
      );
    case "error":
      return (
        <Notice kind="error">
          <p>{t("cannotCheck")}</p>
        </Notice>
      );
    case "conflict":
      return <Conflicts box={box} />;
  }
}

function Conflicts({ box }: { box: MergeBox }) {
  const t = useWords(pullWords);
  const tm = useWords(mergingWords);
  return (
    <Notice kind="warning">
      <p>{box.conflicts.length > 0 ? t("hasConflicts") : t("someFiles")}</p>
      <ul>
        {box.conflicts.map((path) => (
          <li>
            <code>{path}</code>
          </li>
        ))}
      </ul>
      <LinkButton small href={`${box.href}/conflicts`} icon="git-merge">
        {box.mayResolve ? tm("resolveConflicts") : tm("showConflicts")}
      </LinkButton>
    </Notice>
  );
}

function Obstacles({ box }: { box: MergeBox }) {
  const t = useWords(pullWords);
  const tm = useWords(mergingWords);
  const { given, needed } = box.approvals;
  // In a queue, the merge candidate is checked on top of the newest base.
  const isLeftToQueue = box.queue !== undefined && (box.obstacle === "checks" || box.obstacle === "outdated");
  return (
    <>
      {box.isDraft ? (
        <Notice kind="info">
          <p>{t("isDraft")}</p>
        </Notice>
      ) : null}
      {needed > 0 ? <p class="muted">{tm("approvals", { given, count: needed })}</p> : null}
      {box.obstacle && !box.isDraft && !isLeftToQueue ? (
        <Notice kind="warning">
          <p>{t(`pull.obstacle-${box.obstacle}`)}</p>
        </Notice>
      ) : null}
    </>
  );
}

function UpdateForms({ box }: { box: MergeBox }) {
  const t = useWords(pullWords);
  return (
    <div class="row">
      <p>{t("isBehind", { count: box.behind })}</p>
      <span class="row push-end">
        {box.updates.map((style) => (
          <form method="post" action={`${box.href}/update?style=${style}`}>
            <SubmitButton small icon="sync">
              {style === "merge" ? t("updateMerge") : t("updateRebase")}
            </SubmitButton>
          </form>
        ))}
      </span>
    </div>
  );
}

function Scheduled({ box, scheduled }: { box: MergeBox; scheduled: NonNullable<MergeBox["scheduled"]> }) {
  const t = useWords(pullWords);
  const tm = useWords(mergingWords);
  const said = { name: <PersonName person={scheduled.by} />, method: t(`style-${scheduled.style}`) };
  return (
    <div>
      <p>{t("isScheduled")}</p>
      <p class="muted">{tm.jsx("scheduledBy", said)}</p>
      {scheduled.mayCancel ? (
        <form method="post" action={`${box.href}/cancel_auto_merge`}>
          <SubmitButton small>{t("cancelSchedule")}</SubmitButton>
        </form>
      ) : null}
    </div>
  );
}

function Queued(props: { box: MergeBox; queue: QueueBox; place: NonNullable<QueueBox["place"]> }) {
  const { box, place, queue } = props;
  const tm = useWords(mergingWords);
  return (
    <div>
      <p>
        {tm.jsx("inQueue", { position: String(place.position), link: (inner) => <a href={queue.href}>{inner}</a> })}{" "}
        {tm(`queue-${place.state}`)}
      </p>
      {place.mayRemove ? (
        <form method="post" action={`${box.href}/unqueue`}>
          <SubmitButton small>{tm("removeFromQueue")}</SubmitButton>
        </form>
      ) : null}
    </div>
  );
}

function MergeForm({ box }: { box: MergeBox }) {
  const t = useWords(pullWords);
  const tm = useWords(mergingWords);
  const styles = box.queue
    ? box.styles.filter((style) => style !== "fast-forward-only" && style !== "manually-merged")
    : box.styles;
  const choices = styles.map((style) => ({ value: style, label: t(`style-${style}`) }));
  return (
    <form class="form" method="post" action={`${box.href}/${box.queue ? "queue" : "merge"}`}>
      <input type="hidden" name="head_commit_id" value={box.headOid} />
      {/* The method of the prefilled message: other methods have other ones, unless the user typed a message. */}
      <input type="hidden" name="prefilled" value={box.style} />
      <SelectField name="do" label={t("style")} value={box.style} choices={choices} />
      <TextField name="merge_title_field" label={t("commitTitle")} value={box.title} />
      <TextArea name="merge_message_field" label={t("commitMessage")} value={box.message} rows={4} />
      {styles.includes("manually-merged") ? (
        <TextField name="merge_commit_id" label={t("mergeCommit")} autocomplete="off" code />
      ) : null}
      {box.deletesBranch === undefined ? null : (
        <CheckField name="delete_branch_after_merge" label={t("deleteBranch")} checked={box.deletesBranch} />
      )}
      {box.obstacle && !box.scheduled && !box.queue ? (
        <CheckField name="merge_when_checks_succeed" label={t("whenReady")} checked />
      ) : null}
      {box.obstacle && box.mayBypass && !box.queue ? <CheckField name="force_merge" label={t("force")} /> : null}
      <FormActions>
        <SubmitButton kind="primary" icon="git-merge">
          {box.queue ? tm("addToQueue") : t("merge")}
        </SubmitButton>
        {box.queue ? (
          <a href={box.queue.href} class="muted">
            {tm("showQueue")}
          </a>
        ) : null}
      </FormActions>
    </form>
  );
}

/** URL of a branch's merge queue. */
export const queueHref = (home: string, branch: string): string => withQuery(`${home}/merge_queue`, { branch });
