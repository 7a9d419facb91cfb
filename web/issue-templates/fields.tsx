import type { FieldProblem } from "../../src/issue-templates/check.ts";
import { checkboxName, chosenOf, fieldName, isChecked, type Submitted } from "../../src/issue-templates/render.ts";
import type { FormField } from "../../src/issue-templates/types.ts";
import { CheckField, SelectField, TextArea, TextField } from "../components/form.tsx";
import { Prose } from "../components/prose.tsx";
import type { SafeHtml } from "../jsx/raw.ts";
import { useWords } from "../language.ts";
import { templatesWords } from "./words/index.ts";

export interface TemplateFieldsProps {
  readonly fields: readonly FormField[];
  /** Values already filled in; empty for the others. */
  readonly submitted: Submitted;
  readonly problems: readonly FieldProblem[];
  /** The rendered texts of `markdown` fields, by field id. */
  readonly texts: ReadonlyMap<string, SafeHtml>;
}

/** The fields of a repository's issue form, as part of the new issue form. */
export function TemplateFields({ fields, problems, submitted, texts }: TemplateFieldsProps) {
  return (
    <>
      {fields
        .filter(({ visible }) => visible.includes("form"))
        .map((field) => (
          <TemplateField
            field={field}
            submitted={submitted}
            problem={problems.find((each) => each.field.id === field.id)?.problem}
            text={texts.get(field.id)}
          />
        ))}
    </>
  );
}

function TemplateField(props: {
  field: FormField;
  submitted: Submitted;
  problem: FieldProblem["problem"] | undefined;
  text: SafeHtml | undefined;
}) {
  const { field, problem, submitted, text } = props;
  const t = useWords(templatesWords);
  const name = fieldName(field);
  const common = {
    name,
    label: field.label,
    required: field.isRequired,
    ...(field.description === "" ? {} : { hint: field.description }),
    error: problem === undefined ? undefined : t(`problem-${problem}`),
  };
  const value = submitted(name) || field.value;
  switch (field.type) {
    case "markdown":
      return text === undefined ? null : <Prose html={text} />;
    case "textarea":
      return <TextArea {...common} value={value} rows={6} />;
    case "input":
      return (
        <TextField
          {...common}
          value={value}
          {...(field.placeholder === "" ? {} : { placeholder: field.placeholder })}
          {...(field.regex === "" ? {} : { pattern: field.regex })}
          {...(field.isNumber ? { inputmode: "numeric" as const } : {})}
        />
      );
    case "dropdown":
      return <Dropdown field={field} common={common} submitted={submitted} />;
    case "checkboxes":
      return <Checkboxes field={field} submitted={submitted} error={common.error} />;
  }
}

function Dropdown(props: {
  field: FormField;
  common: { name: string; label: string; required: boolean; hint?: string; error: string | undefined };
  submitted: Submitted;
}) {
  const { common, field, submitted } = props;
  const t = useWords(templatesWords);
  const chosen = chosenOf(field, submitted);
  if (field.isMultiple)
    return (
      <fieldset class={common.error ? "field field-bad" : "field"}>
        <legend>{field.label}</legend>
        {field.description === "" ? null : <p class="hint">{field.description}</p>}
        {field.options.map((option, at) => (
          <label class="choice">
            <input type="checkbox" name={`${common.name}-choice-${at}`} checked={chosen.includes(at)} />
            <span>{option}</span>
          </label>
        ))}
        {common.error ? <p class="field-error">{common.error}</p> : null}
      </fieldset>
    );
  const first = chosen[0] ?? field.default;
  return (
    <SelectField
      {...common}
      value={first === undefined ? "" : String(first)}
      choices={[
        { value: "", label: t("choose") },
        ...field.options.map((option, at) => ({ value: String(at), label: option })),
      ]}
    />
  );
}

function Checkboxes(props: { field: FormField; submitted: Submitted; error: string | undefined }) {
  const { error, field, submitted } = props;
  return (
    <fieldset class={error ? "field field-bad" : "field"}>
      <legend>{field.label}</legend>
      {field.description === "" ? null : <p class="hint">{field.description}</p>}
      {field.checkboxes.map((box, at) =>
        box.visible.includes("form") ? (
          <CheckField
            name={checkboxName(field, at)}
            label={box.label}
            required={box.isRequired}
            checked={isChecked(field, at, submitted)}
          />
        ) : null,
      )}
      {error ? <p class="field-error">{error}</p> : null}
    </fieldset>
  );
}
