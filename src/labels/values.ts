import { ValidationFailed } from "../kernel/errors.ts";

/** Values of labels, checked by `LabelService` (contract issues.md 13.3). */

export const MAX_LABEL_NAME = 255;
export const MAX_LABEL_DESCRIPTION = 1000;
/** Per repository or organization: a picker still shows them all. */
export const MAX_LABELS = 5000;

/** @throws ValidationFailed blank, too long, or with control characters */
export function checkLabelName(name: string): string {
  const trimmed = name.trim();
  const failed = (code: string) => new ValidationFailed(code, { field: "name", params: { name: "Name" } });
  if (trimmed === "") throw failed("value.required");
  if (trimmed.length > MAX_LABEL_NAME) throw failed("value.too-long");
  if (/\p{Cc}/u.test(trimmed)) throw failed("label.bad-name");
  return trimmed;
}

/** @throws ValidationFailed too long */
export function checkLabelDescription(description: string): string {
  if (description.length <= MAX_LABEL_DESCRIPTION) return description;
  throw new ValidationFailed("value.too-long", { field: "description", params: { name: "Description" } });
}

/**
 * Normalizes a colour of three or six digits, with or without `#`, to six lower-case digits.
 * @throws ValidationFailed
 */
export function checkColor(color: string): string {
  const given = color.trim().toLowerCase();
  const digits = given.replace(/^#/, "");
  if (/^[0-9a-f]{6}$/.test(digits)) return digits;
  if (/^[0-9a-f]{3}$/.test(digits)) return digits.replace(/./g, "$&$&");
  const shown = (digits.length === 3 || digits.length === 6 ? `#${digits}` : given).slice(0, 50);
  throw new ValidationFailed("label.bad-color", { field: "color", params: { color: shown } });
}
