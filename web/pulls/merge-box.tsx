import type { MergeObstacle } from "../../src/protections/branches/merge.ts";
import type { MergeStyle } from "../../src/pulls/merge/types.ts";
import type { PullStatus } from "../../src/pulls/types.ts";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions, SelectField, TextArea, TextField } from "../components/form.tsx";
import { Card, Notice } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { pullWords } from "./words/index.ts";

/** What can be done about merging, and what stands against it. */
export interface MergeBox {
  /** Address of the pull request. */
  readonly href: string;
  readonly status: PullStatus;
  readonly isDraft: boolean;
  readonly conflicts: readonly string[];
  readonly obstacle: MergeObstacle | undefined;
  readonly mayMerge: boolean;
  readonly mayBypass: boolean;
  readonly styles: readonly MergeStyle[];
  readonly style: MergeStyle;
  readonly title: string;
  readonly message: string;
  readonly headOid: string;
  readonly deletesBranch: boolean;
  readonly isScheduled: boolean;
  readonly behind: number;
  readonly updates: readonly ("merge" | "rebase")[];
}

export function MergeCard({ box }: { box: MergeBox }) {
  const t = useWords(pullWords);
  const isClean = box.status === "mergeable" || box.status === "empty";
  return (
    <Card title={t("merging")} id="merge">
      <StatusNotice box={box} />
      {box.isDraft ? (
        <Notice kind="info">
          <p>{t("isDraft")}</p>
        </Notice>
      ) : null}
      {box.obstacle && !box.isDraft ? (
        <Notice kind="warning">
          <p>{t(`pull.obstacle-${box.obstacle}`)}</p>
        </Notice>
      ) : null}
      {box.behind > 0 ? <UpdateForms box={box} /> : null}
      {box.isScheduled ? <Scheduled box={box} /> : null}
      {box.mayMerge ? null : <p class="muted">{t("notAllowed")}</p>}
      {box.mayMerge && isClean && !box.isDraft ? <MergeForm box={box} /> : null}
    </Card>
  );
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
        </Notice>
      );
  }
}

function UpdateForms({ box }: { box: MergeBox }) {
  const t = useWords(pullWords);
  return (
    <div class="row">
      <p>{t("isBehind", { count: box.behind })}</p>
      <span class="btn-row push-end">
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

function Scheduled({ box }: { box: MergeBox }) {
  const t = useWords(pullWords);
  return (
    <form class="row" method="post" action={`${box.href}/cancel_auto_merge`}>
      <p>{t("isScheduled")}</p>
      <span class="push-end">
        <SubmitButton small>{t("cancelSchedule")}</SubmitButton>
      </span>
    </form>
  );
}

function MergeForm({ box }: { box: MergeBox }) {
  const t = useWords(pullWords);
  const choices = box.styles.map((style) => ({ value: style, label: t(`style-${style}`) }));
  return (
    <form class="form" method="post" action={`${box.href}/merge`}>
      <input type="hidden" name="head_commit_id" value={box.headOid} />
      <SelectField name="do" label={t("style")} value={box.style} choices={choices} />
      <TextField name="merge_title_field" label={t("commitTitle")} value={box.title} />
      <TextArea name="merge_message_field" label={t("commitMessage")} value={box.message} rows={4} />
      {box.styles.includes("manually-merged") ? (
        <TextField name="merge_commit_id" label={t("mergeCommit")} autocomplete="off" code />
      ) : null}
      <CheckField name="delete_branch_after_merge" label={t("deleteBranch")} checked={box.deletesBranch} />
      {box.obstacle && !box.isScheduled ? (
        <CheckField name="merge_when_checks_succeed" label={t("whenReady")} checked />
      ) : null}
      {box.obstacle && box.mayBypass ? <CheckField name="force_merge" label={t("force")} /> : null}
      <FormActions>
        <SubmitButton kind="primary" icon="git-merge">
          {t("merge")}
        </SubmitButton>
      </FormActions>
    </form>
  );
}
