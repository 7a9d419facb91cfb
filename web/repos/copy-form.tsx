import { CancelLink, SubmitButton } from "../components/button.tsx";
import { type Choice, ErrorSummary, FormActions, type FormState, TextArea } from "../components/form.tsx";
import { OwnerAndName } from "../components/owner-and-name.tsx";
import type { Children } from "../jsx/types.ts";
import { type RepoName, repoHref } from "../links.ts";

export type CopyField = "uid" | "repo_name" | "description";

export interface CopyFormProps<Name extends string> {
  /** The source of the new repository. */
  readonly repo: RepoName;
  /** The form's URL, relative to it. */
  readonly action: string;
  readonly form: FormState<CopyField | Name>;
  /** Accounts that the viewer may create repositories for; `value` is the account's id. */
  readonly owners: readonly Choice[];
  readonly labels: Readonly<Record<CopyField, string>> & Partial<Readonly<Record<Name, string>>>;
  readonly button: string;
  /** Further options. */
  readonly children: Children;
}

/** A repository created from another one, by a fork or from a template: its owner, name and description. */
export function CopyForm<Name extends string>(props: CopyFormProps<Name>) {
  const { action, form, labels, owners, repo } = props;
  const errors: FormState<CopyField>["errors"] = form.errors;
  const values: FormState<CopyField>["values"] = form.values;
  return (
    <form method="post" action={repoHref(repo, action)} class="form narrow">
      <ErrorSummary errors={form.errors} labels={labels} />
      <OwnerAndName labels={labels} owners={owners} form={{ errors, values }} />
      <TextArea
        name="description"
        label={labels.description}
        value={values?.description}
        error={errors?.description}
        rows={2}
        maxLength={2048}
      />
      {props.children}
      <FormActions>
        <SubmitButton kind="primary">{props.button}</SubmitButton>
        <CancelLink href={repoHref(repo)} />
      </FormActions>
    </form>
  );
}
