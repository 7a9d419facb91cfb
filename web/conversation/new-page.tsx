import { checkboxName, chosenOf, fieldName, isChecked } from "../../src/issue-templates/render.ts";
import type { ContactLink, FormField } from "../../src/issue-templates/types.ts";
import type { SafeHtml } from "../../src/markup/safe-html.ts";
import { Avatar, type Person } from "../components/avatar.tsx";
import { LinkButton, SubmitButton } from "../components/button.tsx";
import { ErrorSummary, type FormErrors, TextField } from "../components/form.tsx";
import { Prose } from "../components/prose.tsx";
import { Card } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { LabelChip, type ShownLabel } from "../labels/chip.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { withQuery } from "../links.ts";
import { TextBox, type TextBoxProps } from "./comment-form.tsx";
import { conversationWords } from "./words/index.ts";

/** `GET …/issues/new/choose`: what kind of issue it is to be. */
export function ChooseTemplatePage(props: {
  shell: Shell;
  repo: RepoFrameProps;
  action: string;
  templates: readonly { readonly path: string; readonly name: string; readonly about: string }[];
  links: readonly ContactLink[];
  allowsBlank: boolean;
}) {
  const t = useWords(conversationWords);
  return (
    <RepoPage shell={props.shell} repo={props.repo} tab="issues" title={[t("newIssue")]}>
      <h1>{t("newIssue")}</h1>
      <Card flush>
        <ul class="list">
          {props.templates.map(({ about, name, path }) => (
            <Choice title={name} about={about}>
              <LinkButton href={withQuery(props.action, { template: path })} kind="primary">
                {t("begin")}
              </LinkButton>
            </Choice>
          ))}
          {props.links.map(({ about, name, url }) => (
            <Choice title={name} about={about}>
              <a class="btn" href={url} rel="noopener noreferrer nofollow">
                {t("openLink")}
              </a>
            </Choice>
          ))}
          {props.allowsBlank ? (
            <Choice title={t("blankIssue")} about={t("blankIssueAbout")}>
              <LinkButton href={withQuery(props.action, { template: "blank" })}>{t("begin")}</LinkButton>
            </Choice>
          ) : null}
        </ul>
      </Card>
    </RepoPage>
  );
}

function Choice(props: { title: string; about: string; children: Children }) {
  return (
    <li class="row">
      <div class="grow">
        <strong>{props.title}</strong>
        <p class="muted">{props.about}</p>
      </div>
      {props.children}
    </li>
  );
}

export interface NewIssueProps {
  shell: Shell;
  repo: RepoFrameProps;
  action: string;
  /** Path of the template; empty: none. */
  template: string;
  ref: string;
  title: string;
  box: Omit<TextBoxProps, "name" | "label">;
  /** The template is a form: its fields, with what explains them. */
  fields: readonly { readonly field: FormField; readonly html: SafeHtml }[] | undefined;
  submitted(name: string): string;
  labels: readonly (ShownLabel & { readonly isChosen: boolean })[];
  assignees: readonly (Person & { readonly isChosen: boolean })[];
  milestones: readonly { readonly id: number; readonly title: string; readonly isChosen: boolean }[];
  errors: FormErrors<string> | undefined;
}

/** `GET …/issues/new` */
export function NewIssuePage(props: NewIssueProps) {
  const t = useWords(conversationWords);
  const { errors, fields } = props;
  const names = Object.fromEntries((fields ?? []).map(({ field }) => [field.id, field.label || field.id]));
  return (
    <RepoPage shell={props.shell} repo={props.repo} tab="issues" title={[t("newIssue")]}>
      <h1>{t("newIssue")}</h1>
      <form class="item-columns" method="post" action={props.action} data-ctrl-enter="">
        <div class="form">
          <ErrorSummary errors={errors} labels={{ title: t("title"), ...names }} />
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
          {fields ? (
            fields.map((each) => (
              <TemplateField {...each} submitted={props.submitted} error={errors?.[each.field.id]} />
            ))
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

interface TemplateFieldProps {
  field: FormField;
  html: SafeHtml;
  submitted(name: string): string;
  error: string | undefined;
}

function TemplateField(props: TemplateFieldProps) {
  const t = useWords(conversationWords);
  const { error, field, html } = props;
  if (!field.visible.includes("form")) return null;
  if (field.type === "markdown") return <Prose html={html} />;
  const id = `f-${field.id}`;
  const required = field.isRequired ? <span class="required">{t("required")}</span> : null;
  const notes = (
    <>
      {error ? (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {field.description === "" ? null : <Prose html={html} />}
    </>
  );
  if (field.type === "checkboxes")
    return (
      <fieldset class={error ? "field field-bad" : "field"} id={id}>
        <legend>{field.label}</legend>
        {notes}
        <Boxes {...props} />
      </fieldset>
    );
  return (
    <div class={error ? "field field-bad" : "field"}>
      <label for={id}>
        {field.label || field.id}
        {required}
      </label>
      {notes}
      <Input {...props} id={id} />
    </div>
  );
}

function Boxes({ field, submitted }: TemplateFieldProps) {
  const t = useWords(conversationWords);
  return (
    <ul class="side-ticks">
      {field.checkboxes.map((box, at) =>
        box.visible.includes("form") ? (
          <li>
            <label>
              <input
                type="checkbox"
                name={checkboxName(field, at)}
                checked={isChecked(field, at, submitted)}
                required={box.isRequired}
              />{" "}
              {box.label}
              {box.isRequired ? <span class="required">{t("required")}</span> : null}
            </label>
          </li>
        ) : null,
      )}
    </ul>
  );
}

function Input({ error, field, id, submitted }: TemplateFieldProps & { id: string }) {
  const name = fieldName(field);
  const value = submitted(name) || field.value;
  const described = error ? `${id}-error` : undefined;
  if (field.type === "dropdown") {
    const given = chosenOf(field, submitted);
    const chosen = given.length === 0 && field.default !== undefined ? [field.default] : given;
    return (
      <select id={id} name={name} multiple={field.isMultiple} required={field.isRequired} aria-describedby={described}>
        {field.isMultiple ? null : <option value="" />}
        {field.options.map((option, at) => (
          <option value={String(at)} selected={chosen.includes(at)}>
            {option}
          </option>
        ))}
      </select>
    );
  }
  if (field.type === "textarea")
    return (
      <textarea
        id={id}
        name={name}
        rows={6}
        placeholder={field.placeholder}
        required={field.isRequired}
        aria-describedby={described}
        class={field.render === "" ? undefined : "mono"}
      >
        {`\n${value}`}
      </textarea>
    );
  return (
    <input
      id={id}
      name={name}
      type={field.isNumber ? "number" : "text"}
      step={field.isNumber ? "any" : undefined}
      value={value}
      placeholder={field.placeholder}
      required={field.isRequired}
      aria-describedby={described}
    />
  );
}
