import { CancelLink, OpenButton, SubmitButton } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { ErrorSummary, FormActions, type FormState, TextField } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { TextBox } from "../conversation/comment-form.tsx";
import { PlanningNav } from "../labels/nav.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { milestonesWords } from "./words/index.ts";

export type MilestoneField = "title" | "content" | "deadline";

export interface MilestoneFormProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  /** Undefined: a new one. */
  readonly milestone: { readonly id: number; readonly title: string } | undefined;
  readonly form: FormState<MilestoneField>;
}

/** `GET/POST {W}/milestones/new` and `/milestones/{id}/edit`. */
export function MilestoneFormPage({ form: { errors, values }, milestone, repo, shell }: MilestoneFormProps) {
  const t = useWords(milestonesWords);
  const title = milestone ? t("editNamed", { title: milestone.title }) : t("newMilestone");
  const base = repoHref(repo, "milestones");
  const labels = { title: t("title"), content: t("description"), deadline: t("dueDate") };
  return (
    <RepoPage shell={shell} repo={repo} tab="issues" title={[title]} noIndex>
      <PlanningNav repo={repo} current="milestones" />
      <h1>{title}</h1>
      <Card>
        <form class="form" method="post" action={milestone ? `${base}/${milestone.id}/edit` : `${base}/new`}>
          <ErrorSummary errors={errors} labels={labels} />
          <TextField
            name="title"
            label={labels.title}
            value={values?.title}
            error={errors?.title}
            maxLength={50}
            autocomplete="off"
            autofocus
            required
          />
          <TextField
            name="deadline"
            type="date"
            label={labels.deadline}
            value={values?.deadline}
            error={errors?.deadline}
          />
          <TextBox
            id="f-content"
            name="content"
            label={labels.content}
            value={values?.content ?? ""}
            error={errors?.content}
            previewAction={repoHref(repo, "issues/preview")}
            suggestAction={repoHref(repo, "issues/suggestions")}
            uploadAction={undefined}
          />
          <FormActions>
            <SubmitButton kind="primary">{milestone ? t("save") : t("createMilestone")}</SubmitButton>
            <CancelLink href={milestone ? repoHref(repo, `milestone/${milestone.id}`) : base} />
            {milestone ? (
              <OpenButton kind="danger" icon="trash" opens="delete-milestone">
                {t("delete")}
              </OpenButton>
            ) : null}
          </FormActions>
        </form>
      </Card>
      {milestone ? (
        <Dialog id="delete-milestone" title={t("deleteTitle", { title: milestone.title })}>
          <form class="form" method="post" action={`${base}/delete`}>
            <input type="hidden" name="id" value={String(milestone.id)} />
            <p>{t("deleteAbout")}</p>
            <DialogActions label={t("deleteMilestone")} danger />
          </form>
        </Dialog>
      ) : null}
    </RepoPage>
  );
}
