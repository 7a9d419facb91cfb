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
  /** A branch name; a tag would be a full ref. */
  readonly ref: string;
  /** Some refs to choose from. */
  readonly refs: readonly string[];
  readonly inputs: readonly DispatchInput[];
}

const FIELDS = "dispatch-inputs";

/**
 * Starts a workflow manually. Its fields come from the chosen branch's file, and are fetched when another one is
 * chosen.
 */
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

/** The input fields of a workflow; also the response when another branch is chosen. */
export function DispatchInputs({ inputs }: Pick<DispatchProps, "inputs">) {
  return (
    <div id={FIELDS}>
      {inputs.map((input) => (
        <InputField input={input} />
      ))}
    </div>
  );
}

/** Prefix of input names in the form, to keep them apart from other fields. */
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
  // Numbers stay text: a number field would refuse some values that workflows accept.
  return <TextField {...field} value={input.default} inputmode={input.type === "number" ? "numeric" : "text"} />;
}
