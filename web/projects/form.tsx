import { cardTypes, projectTemplates } from "../../src/projects/types.ts";
import { CancelLink, OpenButton, SubmitButton } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { ErrorSummary, FormActions, type FormState, RadioField, TextArea, TextField } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { ProjectFrame, type ProjectFrameProps } from "./frame.tsx";
import { projectsWords } from "./words/index.ts";

export type ProjectField = "title" | "content" | "template_type" | "card_type";

export interface ProjectFormProps {
  readonly frame: ProjectFrameProps;
  readonly base: string;
  /** Undefined: a new one. */
  readonly project: { readonly id: number; readonly title: string } | undefined;
  readonly form: FormState<ProjectField>;
}

/** `GET/POST …/projects/new` and `…/projects/{id}/edit`. */
export function ProjectFormPage({ base, form: { errors, values }, frame, project }: ProjectFormProps) {
  const t = useWords(projectsWords);
  const title = project ? t("editNamed", { title: project.title }) : t("newProject");
  return (
    <ProjectFrame frame={frame} title={[title]}>
      <h1>{title}</h1>
      <Card>
        <form class="form" method="post" action={project ? `${base}/${project.id}/edit` : `${base}/new`}>
          <ErrorSummary errors={errors} labels={{ title: t("title"), content: t("description") }} />
          <TextField
            name="title"
            label={t("title")}
            value={values?.title}
            error={errors?.title}
            maxLength={100}
            autocomplete="off"
            autofocus
            required
          />
          <TextArea
            name="content"
            label={t("description")}
            hint={t("markdownHint")}
            value={values?.content}
            error={errors?.content}
            rows={4}
          />
          {project ? null : (
            <RadioField
              name="template_type"
              label={t("columns")}
              value={values?.template_type}
              choices={projectTemplates.map((template, at) => ({
                value: String(at),
                label: t(`template-${template}`),
                hint: t(`template-${template}-hint`),
              }))}
            />
          )}
          <RadioField
            name="card_type"
            label={t("cards")}
            value={values?.card_type}
            choices={cardTypes.map((type, at) => ({ value: String(at), label: t(`cards-${type}`) }))}
          />
          <FormActions>
            <SubmitButton kind="primary">{project ? t("save") : t("createProject")}</SubmitButton>
            <CancelLink href={project ? `${base}/${project.id}` : base} />
            {project ? (
              <OpenButton kind="danger" icon="trash" opens="delete-project">
                {t("delete")}
              </OpenButton>
            ) : null}
          </FormActions>
        </form>
      </Card>
      {project ? (
        <Dialog id="delete-project" title={t("deleteTitle", { title: project.title })}>
          <form class="form" method="post" action={`${base}/${project.id}/delete`}>
            <p>{t("deleteAbout")}</p>
            <DialogActions label={t("deleteProject")} danger />
          </form>
        </Dialog>
      ) : null}
    </ProjectFrame>
  );
}
