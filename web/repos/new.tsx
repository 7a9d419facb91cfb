import { CancelLink, SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  type Choice,
  ErrorSummary,
  FormActions,
  type FormState,
  SelectField,
  TextArea,
  TextField,
} from "../components/form.tsx";
import { OwnerAndName } from "../components/owner-and-name.tsx";
import { importsWords } from "../imports/words/index.ts";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { reposWords } from "./words/index.ts";

/** The fields of the form. */
export type NewRepoField =
  | "uid"
  | "repo_name"
  | "description"
  | "default_branch"
  | "gitignores"
  | "license"
  | "readme"
  | "issue_labels"
  | "object_format_name";

export interface NewRepoProps {
  readonly shell: Shell;
  readonly form: FormState<NewRepoField>;
  /** Accounts the viewer may create repositories for; `value` is the id. */
  readonly owners: readonly Choice[];
  readonly isPrivate: boolean;
  readonly autoInit: boolean;
  readonly gitignores: readonly string[];
  readonly licenses: readonly string[];
  /** Label sets it may start with. */
  readonly labelSets: readonly string[];
}

const FORMATS: readonly Choice[] = [
  { value: "sha1", label: "SHA-1" },
  { value: "sha256", label: "SHA-256" },
];

const withNone = (none: string, names: readonly string[]): Choice[] => [
  { value: "", label: none },
  ...names.map((name) => ({ value: name, label: name })),
];

/** `GET/POST /repo/create`. */
export function NewRepoPage(props: NewRepoProps) {
  const { values, errors } = props.form;
  const t = useWords(reposWords);
  const imports = useWords(importsWords);
  const labels = {
    uid: t("owner"),
    repo_name: t("name"),
    description: t("description"),
    default_branch: t("defaultBranch"),
    gitignores: t("gitignore"),
    license: t("license"),
    issue_labels: t("issueLabels"),
    object_format_name: t("objectFormat"),
  };
  return (
    <PageFrame shell={props.shell} title={[t("newRepository")]} width="narrow" noIndex>
      <h1>{t("newRepository")}</h1>
      <p class="muted">{imports.jsx("insteadImport", { link: (inner) => <a href="/repo/migrate">{inner}</a> })}</p>
      <form class="form" method="post" action="/repo/create">
        <ErrorSummary errors={errors} labels={labels} />
        <OwnerAndName labels={labels} owners={props.owners} form={props.form} hint={t("nameHint")} autofocus />
        <CheckField name="private" label={t("private")} hint={t("privateHint")} checked={props.isPrivate} />
        <TextArea
          name="description"
          label={labels.description}
          value={values?.description}
          error={errors?.description}
          hint={t("descriptionHint")}
          rows={2}
          maxLength={2048}
        />
        <fieldset class="card">
          <legend class="hidden-text">{t("firstCommit")}</legend>
          <div class="card-body form">
            <CheckField name="auto_init" label={t("initialise")} hint={t("initialiseHint")} checked={props.autoInit} />
            <input type="hidden" name="readme" value="Default" />
            <div class="field-row">
              <SelectField
                name="gitignores"
                label={labels.gitignores}
                choices={withNone(t("none"), props.gitignores)}
                value={values?.gitignores}
                error={errors?.gitignores}
                ticks="f-auto_init"
              />
              <SelectField
                name="license"
                label={labels.license}
                choices={withNone(t("none"), props.licenses)}
                value={values?.license}
                error={errors?.license}
                ticks="f-auto_init"
              />
            </div>
            <TextField
              name="default_branch"
              label={labels.default_branch}
              value={values?.default_branch ?? "main"}
              error={errors?.default_branch}
              autocomplete="off"
              code
            />
          </div>
        </fieldset>
        <SelectField
          name="issue_labels"
          label={labels.issue_labels}
          choices={withNone(t("none"), props.labelSets)}
          value={values?.issue_labels}
          error={errors?.issue_labels}
        />
        <SelectField
          name="object_format_name"
          label={labels.object_format_name}
          hint={t("objectFormatHint")}
          choices={FORMATS}
          value={values?.object_format_name ?? "sha1"}
          error={errors?.object_format_name}
        />
        <FormActions>
          <SubmitButton kind="primary">{t("createRepository")}</SubmitButton>
          <CancelLink href="/" />
        </FormActions>
      </form>
    </PageFrame>
  );
}
