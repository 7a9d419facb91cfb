import type { DispatchInput } from "../../src/actions/workflows/service.ts";
import { SubmitButton } from "../components/button.tsx";
import { FormActions } from "../components/form.tsx";
import { useWords } from "../language.ts";
import { withQuery } from "../links.ts";
import { runsWords } from "./words/index.ts";

export interface DispatchProps {
  /** `/ada/tools/actions` */
  readonly base: string;
  readonly workflow: string;
  /** In full: `refs/heads/main`. */
  readonly ref: string;
  readonly refs: readonly { readonly ref: string; readonly label: string; readonly kind: "branch" | "tag" }[];
  readonly inputs: readonly DispatchInput[];
}

const FIELDS = "dispatch-inputs";

/** Starts a workflow by hand. Its fields are those of the chosen branch's file, which are fetched when another is chosen. */
export function DispatchForm({ base, inputs, ref, refs, workflow }: DispatchProps) {
  const t = useWords(runsWords);
  const group = (kind: "branch" | "tag", label: string) => {
    const some = refs.filter((one) => one.kind === kind);
    return some.length === 0 ? null : (
      <optgroup label={label}>
        {some.map((one) => (
          <option value={one.ref} selected={one.ref === ref}>
            {one.label}
          </option>
        ))}
      </optgroup>
    );
  };
  return (
    <details class="card run-start">
      <summary class="card-head">
        <strong>{t("runWorkflow")}</strong>
      </summary>
      <form class="form card-body" method="post" action={withQuery(`${base}/run`, { workflow })}>
        <div class="field">
          <label for="dispatch-ref">{t("runOn")}</label>
          <select
            id="dispatch-ref"
            name="ref"
            hx-get={`${base}/workflow-dispatch-inputs`}
            hx-include="#dispatch-workflow"
            hx-target={`#${FIELDS}`}
            hx-swap="outerHTML"
          >
            {group("branch", t("branches"))}
            {group("tag", t("tags"))}
          </select>
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
  const id = `input-${input.name}`;
  const name = `${INPUT_PREFIX}${input.name}`;
  const label = input.description || input.name;
  if (input.type === "boolean")
    return (
      <div class="field">
        <label class="check" for={id}>
          <input type="checkbox" id={id} name={name} value="true" checked={input.default === "true"} /> {label}
        </label>
      </div>
    );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {input.type === "choice" ? (
        <select id={id} name={name} required={input.isRequired}>
          {input.options.map((option) => (
            <option value={option} selected={option === input.default}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          name={name}
          type={input.type === "number" ? "number" : "text"}
          step={input.type === "number" ? "any" : undefined}
          value={input.default}
          required={input.isRequired}
        />
      )}
    </div>
  );
}
