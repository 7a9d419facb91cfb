import { LinkButton, SubmitButton } from "../components/button.tsx";
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
import { PageFrame, type Shell } from "../layout/shell.tsx";

/** The fields of the form. */
export type NewRepoField =
  | "uid"
  | "repo_name"
  | "description"
  | "default_branch"
  | "gitignores"
  | "license"
  | "readme"
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
}

const LABELS = {
  uid: "Owner",
  repo_name: "Name",
  description: "Description",
  default_branch: "Default branch",
  gitignores: ".gitignore",
  license: "Licence",
  object_format_name: "Object format",
};

const FORMATS: readonly Choice[] = [
  { value: "sha1", label: "SHA-1" },
  { value: "sha256", label: "SHA-256" },
];

const withNone = (names: readonly string[]): Choice[] => [
  { value: "", label: "None" },
  ...names.map((name) => ({ value: name, label: name })),
];

/** `GET/POST /repo/create`. */
export function NewRepoPage(props: NewRepoProps) {
  const { values, errors } = props.form;
  return (
    <PageFrame shell={props.shell} title={["New repository"]} width="narrow" noIndex>
      <h1>New repository</h1>
      <form class="form" method="post" action="/repo/create">
        <ErrorSummary errors={errors} labels={LABELS} />
        <div class="field-row owner-row">
          <SelectField
            name="uid"
            label={LABELS.uid}
            choices={props.owners}
            value={values?.uid}
            error={errors?.uid}
            required
          />
          <TextField
            name="repo_name"
            label={LABELS.repo_name}
            value={values?.repo_name}
            error={errors?.repo_name}
            hint="Letters, digits, dash, dot and underscore."
            maxLength={100}
            pattern="[\-.\w]+"
            autocomplete="off"
            autofocus
            required
            code
          />
        </div>
        <CheckField
          name="private"
          label="Private"
          hint="Only you and the people you add can see it. Otherwise everyone who can reach this server can."
          checked={props.isPrivate}
        />
        <TextArea
          name="description"
          label={LABELS.description}
          value={values?.description}
          error={errors?.description}
          hint="A sentence that says what it is for."
          rows={2}
          maxLength={2048}
        />
        <fieldset class="card">
          <legend class="hidden-text">First commit</legend>
          <div class="card-body form">
            <CheckField
              name="auto_init"
              label="Start with a first commit"
              hint="Adds a README and the files chosen here. Leave it off to push an existing repository."
              checked={props.autoInit}
            />
            <input type="hidden" name="readme" value="Default" />
            <div class="field-row">
              <SelectField
                name="gitignores"
                label={LABELS.gitignores}
                choices={withNone(props.gitignores)}
                value={values?.gitignores}
                error={errors?.gitignores}
                ticks="f-auto_init"
              />
              <SelectField
                name="license"
                label={LABELS.license}
                choices={withNone(props.licenses)}
                value={values?.license}
                error={errors?.license}
                ticks="f-auto_init"
              />
            </div>
            <TextField
              name="default_branch"
              label={LABELS.default_branch}
              value={values?.default_branch ?? "main"}
              error={errors?.default_branch}
              autocomplete="off"
              code
            />
          </div>
        </fieldset>
        <SelectField
          name="object_format_name"
          label={LABELS.object_format_name}
          hint="SHA-256 needs git 2.29 or newer on every machine that uses it, and cannot be changed later."
          choices={FORMATS}
          value={values?.object_format_name ?? "sha1"}
          error={errors?.object_format_name}
        />
        <FormActions>
          <SubmitButton kind="primary">Create repository</SubmitButton>
          <LinkButton kind="quiet" href="/">
            Cancel
          </LinkButton>
        </FormActions>
      </form>
    </PageFrame>
  );
}
