import type { DispatchInput } from "../../src/actions/workflows/service.ts";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions, SelectField, TextField } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { useWords } from "../language.ts";
import { withQuery } from "../links.ts";
import { runsWords } from "./words/index.ts";

export interface DispatchProps {
  /** `/ada/tools/actions` */
  readonly base: string;
  readonly workflow: string;
  /** A branch; of a tag it would be in full. */
  readonly ref: string;
  /** Some to choose from. */
  readonly refs: readonly string[];
  readonly inputs: readonly DispatchInput[];
}

const FIELDS = "dispatch-inputs";

/** Starts a workflow by hand. Its fields are those of the chosen branch's file, which are fetched when another is chosen. */
export function DispatchForm({ base, inputs, ref, refs, workflow }: DispatchProps) {
  const t = useWords(runsWords);
  return (
    <details class="card run-start">
      <summary class="card-head">
        <strong>
          <Icon name="play" /> {t("runWorkflow")} <Icon name="triangle-down" />
        </strong>
      </summary>
      <form class="form card-body" method="post" action={withQuery(`${base}/run`, { workflow })}>
        <div class="field">
          <label for="dispatch-ref">{t("runOn")}</label>
          <input
            id="dispatch-ref"
            name="ref"
            list="dispatch-refs"
            value={ref}
            required
            autocapitalize="none"
            spellcheck={false}
            hx-get={`${base}/workflow-dispatch-inputs`}
            hx-trigger="change"
            hx-include="#dispatch-workflow"
            hx-target={`#${FIELDS}`}
            hx-swap="outerHTML"
          />
          <datalist id="dispatch-refs">
            {refs.map((name) => (
              <option value={name} />
            ))}
          </datalist>
          <input type="hidden" id="dispatch-workflow" name="workflow" value={workflow} />
        </div>
        <DispatchInputs inputs={inputs} />
        <FormActions>
          <SubmitButton kind="primary" icon="play">
            {t("run")}
          </SubmitButton>
        </FormActions>
      </form>
    </details>
  );
}

/** The fields of a workflow; also what answers the choice of another branch. */
export function DispatchInputs({ inputs }: Pick<DispatchProps, "inputs">) {
  return (
    <div id={FIELDS}>
      {inputs.map((input) => (
        <InputField input={input} />
      ))}
    </div>
  );
}

/** Names of inputs stand behind this in the form, where other fields have names of their own. */
export const INPUT_PREFIX = "inputs.";

function InputField({ input }: { input: DispatchInput }) {
  const field = {
    id: `input-${input.name}`,
    name: `${INPUT_PREFIX}${input.name}`,
    label: input.description || input.name,
    required: input.isRequired,
  };
  if (input.type === "boolean")
    return <CheckField {...field} required={false} value="true" checked={input.default === "true"} />;
  if (input.type === "choice") {
    const choices = input.options.map((value) => ({ value, label: value }));
    return <SelectField {...field} value={input.default} choices={choices} />;
  }
  // Numbers as they are written: a field for numbers would refuse some that workflows take.
  return <TextField {...field} value={input.default} inputmode={input.type === "number" ? "numeric" : "text"} />;
}
