import { MAX_DESCRIPTION, MAX_VALUE } from "../../src/actions/values.ts";
import { SubmitButton } from "../components/button.tsx";
import { ErrorSummary, FormActions, type FormState, TextArea, TextField } from "../components/form.tsx";
import { useWords } from "../language.ts";
import { actionsWords } from "./words/index.ts";

export type ValueForm = FormState<"name" | "data" | "description">;

/** The form of a secret or variable. */
export function ValueFields(props: { action: string; form: ValueForm; submit: string; hint: string }) {
  const t = useWords(actionsWords);
  const { action, form, hint, submit } = props;
  const { errors, values } = form;
  return (
    <form class="form" method="post" action={action}>
      <ErrorSummary errors={errors} labels={{ name: t("name"), data: t("value"), description: t("description") }} />
      <TextField
        name="name"
        label={t("name")}
        hint={t("nameHint")}
        value={values?.name}
        error={errors?.name}
        maxLength={255}
        autocomplete="off"
        code
        required
      />
      <TextArea
        name="data"
        label={t("value")}
        hint={hint}
        value={values?.data}
        error={errors?.data}
        maxLength={MAX_VALUE}
        rows={4}
        verbatim
        required
      />
      <TextField
        name="description"
        label={t("description")}
        value={values?.description}
        error={errors?.description}
        maxLength={MAX_DESCRIPTION}
        autocomplete="off"
      />
      <FormActions>
        <SubmitButton kind="primary">{submit}</SubmitButton>
      </FormActions>
    </form>
  );
}
