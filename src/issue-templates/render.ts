import type { FormField } from "./types.ts";

/** Renders a submitted form as Markdown (contract issues.md 16.4). */

/** The value of a form field by name; empty if none was sent. */
export type Submitted = (name: string) => string;

const NO_RESPONSE = "_No response_";

/** Names of the fields in the page's form. */
export const fieldName = ({ id }: Pick<FormField, "id">) => `form-field-${id}`;
export const checkboxName = (field: Pick<FormField, "id">, at: number) => `${fieldName(field)}-${at}`;

export function renderForm(fields: readonly FormField[], submitted: Submitted): string {
  return fields
    .filter(({ visible }) => visible.includes("content"))
    .map((field) => renderField(field, submitted))
    .join("");
}

function renderField(field: FormField, submitted: Submitted): string {
  const heading = field.type === "markdown" || field.hidesLabel ? "" : `### ${field.label}\n\n`;
  return `${heading}${contentOf(field, submitted)}\n\n`;
}

function contentOf(field: FormField, submitted: Submitted): string {
  switch (field.type) {
    case "markdown":
      return field.value;
    case "checkboxes":
      return field.checkboxes
        .map((box, at) => ({ ...box, isChecked: isChecked(field, at, submitted) }))
        .filter(({ visible }) => visible.includes("content"))
        .map(({ isChecked, label }) => `- [${isChecked ? "x" : " "}] ${label}`)
        .join("\n");
    case "dropdown":
      return dropdownValue(field, submitted);
    default:
      return textValue(field, submitted);
  }
}

export function isChecked(field: Pick<FormField, "id">, at: number, submitted: Submitted): boolean {
  return submitted(checkboxName(field, at)) === "on";
}

/** The choices of a dropdown, as indexes of its options. */
export function chosenOf(field: FormField, submitted: Submitted): number[] {
  const chosen = submitted(fieldName(field))
    .split(",")
    .flatMap((part) => (/^\s*\d{1,4}\s*$/.test(part) ? [Number(part)] : []))
    .filter((at) => at < field.options.length);
  const once = [...new Set(chosen)];
  return field.isMultiple ? once : once.slice(0, 1);
}

function dropdownValue(field: FormField, submitted: Submitted): string {
  const chosen = chosenOf(field, submitted).map((at) => field.options[at] ?? "");
  if (chosen.length === 0) return NO_RESPONSE;
  return field.isList ? chosen.map((option) => `- ${option}`).join("\n") : chosen.join(", ");
}

function textValue(field: FormField, submitted: Submitted): string {
  const value = submitted(fieldName(field)).replaceAll("\r\n", "\n").trim();
  if (value === "") return NO_RESPONSE;
  if (field.type !== "textarea" || field.render === "") return value;
  const longest = Math.max(2, ...[...value.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${field.render}\n${value}\n${fence}`;
}
