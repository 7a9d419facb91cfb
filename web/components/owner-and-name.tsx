import { type Choice, type FormState, SelectField, TextField } from "./form.tsx";

type Field = "uid" | "repo_name";

export interface OwnerAndNameProps {
  readonly labels: Readonly<Record<Field, string>>;
  /** Accounts that the viewer may create repositories for; `value` is the account's id. */
  readonly owners: readonly Choice[];
  readonly form: FormState<Field>;
  /** A hint for the name. */
  readonly hint?: string;
  readonly autofocus?: boolean;
}

/** The owner and name of a new repository. */
export function OwnerAndName({ autofocus, form: { errors, values }, hint, labels, owners }: OwnerAndNameProps) {
  return (
    <div class="field-row owner-row">
      <SelectField name="uid" label={labels.uid} choices={owners} value={values?.uid} error={errors?.uid} required />
      <TextField
        name="repo_name"
        label={labels.repo_name}
        value={values?.repo_name}
        error={errors?.repo_name}
        hint={hint}
        maxLength={100}
        pattern="[\-.\w]+"
        autocomplete="off"
        autofocus={autofocus}
        required
        code
      />
    </div>
  );
}
