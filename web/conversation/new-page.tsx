import { SubmitButton } from "../components/button.tsx";
import { ErrorSummary, type FormErrors, TextField } from "../components/form.tsx";
import { TemplateFields, type TemplateFieldsProps } from "../issue-templates/fields.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { TextBox, type TextBoxProps } from "./comment-form.tsx";
import { type PlanChoices, PlanFields } from "./plan-fields.tsx";
import { conversationWords } from "./words/index.ts";

export interface NewIssueProps extends PlanChoices {
  shell: Shell;
  repo: RepoFrameProps;
  action: string;
  /** Path of the template; empty: none. */
  template: string;
  ref: string;
  /** `project`: return to its board; empty: go to the issue. */
  redirectAfter: string;
  title: string;
  box: Omit<TextBoxProps, "name" | "label">;
  /** The fields, if the template is a form. */
  form: TemplateFieldsProps | undefined;
  errors: FormErrors<string> | undefined;
}

/** `GET …/issues/new` */
export function NewIssuePage(props: NewIssueProps) {
  const t = useWords(conversationWords);
  const { errors } = props;
  return (
    <RepoPage shell={props.shell} repo={props.repo} tab="issues" title={[t("newIssue")]}>
      <h1>{t("newIssue")}</h1>
      <form class="item-columns" method="post" action={props.action}>
        <div class="form">
          <ErrorSummary errors={errors} labels={{ title: t("title") }} />
          <input type="hidden" name="template-file" value={props.template} />
          {props.ref === "" ? null : <input type="hidden" name="ref" value={props.ref} />}
          {props.redirectAfter === "" ? null : (
            <input type="hidden" name="redirect_after_creation" value={props.redirectAfter} />
          )}
          <TextField
            name="title"
            label={t("title")}
            value={props.title}
            required
            maxLength={255}
            autofocus
            error={errors?.["title"]}
          />
          {props.form ? (
            <TemplateFields {...props.form} />
          ) : (
            <TextBox {...props.box} name="content" label={t("text")} rows={12} error={errors?.["content"]} />
          )}
          <div class="form-actions">
            <SubmitButton kind="primary">{t("createIssue")}</SubmitButton>
          </div>
        </div>
        <PlanFields {...props} />
      </form>
    </RepoPage>
  );
}
