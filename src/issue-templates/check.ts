import { chosenOf, fieldName, isChecked, type Submitted } from "./render.ts";
import type { FormField } from "./types.ts";

/** A problem in a submitted form; the words are the pages'. */
export interface FieldProblem {
  readonly field: FormField;
  readonly problem: "required" | "number" | "pattern";
}

/** Checks everything but patterns, which may take forever and are tried in a worker. */
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
