import { Avatar, type Person } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { ErrorSummary, type FormErrors, TextField } from "../components/form.tsx";
import { TemplateFields, type TemplateFieldsProps } from "../issue-templates/fields.tsx";
import { LabelChip, type ShownLabel } from "../labels/chip.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { TextBox, type TextBoxProps } from "./comment-form.tsx";
import { conversationWords } from "./words/index.ts";

export interface NewIssueProps {
  shell: Shell;
  repo: RepoFrameProps;
  action: string;
  /** Path of the template; empty: none. */
  template: string;
  ref: string;
  title: string;
  box: Omit<TextBoxProps, "name" | "label">;
  /** The template is a form. */
  form: TemplateFieldsProps | undefined;
  labels: readonly (ShownLabel & { readonly isChosen: boolean })[];
  assignees: readonly (Person & { readonly isChosen: boolean })[];
  milestones: readonly { readonly id: number; readonly title: string; readonly isChosen: boolean }[];
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
        <NewSidebar {...props} />
      </form>
    </RepoPage>
  );
}

function NewSidebar({ assignees, labels, milestones }: NewIssueProps) {
  const t = useWords(conversationWords);
  if (assignees.length + labels.length + milestones.length === 0) return null;
  return (
    <aside class="item-side" aria-label={t("details")}>
      {labels.length > 0 ? (
        <fieldset class="side-part">
          <legend>{t("labels")}</legend>
          <ul class="side-ticks">
            {labels.map((label) => (
              <li>
                <label>
                  <input type="checkbox" name="labels" value={String(label.id)} checked={label.isChosen} />{" "}
                  <LabelChip label={label} />
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      ) : null}
      {assignees.length > 0 ? (
        <fieldset class="side-part">
          <legend>{t("assignees")}</legend>
          <ul class="side-ticks">
            {assignees.map((person) => (
              <li>
                <label>
                  <input type="checkbox" name="assignees" value={person.name} checked={person.isChosen} />{" "}
                  <Avatar person={person} /> {person.name}
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      ) : null}
      {milestones.length > 0 ? (
        <section class="side-part field">
          <label for="new-milestone">{t("milestone")}</label>
          <select name="milestone_id" id="new-milestone">
            <option value="">{t("none")}</option>
            {milestones.map(({ id, isChosen, title }) => (
              <option value={String(id)} selected={isChosen}>
                {title}
              </option>
            ))}
          </select>
        </section>
      ) : null}
    </aside>
  );
}
