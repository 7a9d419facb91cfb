import { chosenOf, fieldName, isChecked, type Submitted } from "./render.ts";
import type { FormField } from "./types.ts";

/** What is wrong with what was filled in; the pages have words for it. */
export interface FieldProblem {
  readonly field: FormField;
  readonly problem: "required" | "number" | "pattern";
}

/** Everything but patterns, which may take for ever and are tried in a worker. */
export function checkForm(fields: readonly FormField[], submitted: Submitted): FieldProblem[] {
  return fields.flatMap((field): FieldProblem[] => {
    const value = submitted(fieldName(field)).trim();
    if (isLacking(field, value, submitted)) return [{ field, problem: "required" }];
    if (field.isNumber && value !== "" && !Number.isFinite(Number(value))) return [{ field, problem: "number" }];
    return [];
  });
}

function isLacking(field: FormField, value: string, submitted: Submitted): boolean {
  if (field.type === "checkboxes")
    return field.checkboxes.some(({ isRequired }, at) => isRequired && !isChecked(field, at, submitted));
  if (!field.isRequired) return false;
  return field.type === "dropdown" ? chosenOf(field, submitted).length === 0 : value === "";
}
