import { BadRequest, ValidationFailed } from "../kernel/errors.ts";

export const MAX_VALUE = 65_536;
export const MAX_DESCRIPTION = 4_096;
const MAX_NAME = 255;
/** Variables, and likewise secrets, per home: a job gets all of them. */
export const MAX_VALUES = 1_000;
/** Runners per home. */
export const MAX_RUNNERS = 1_000;

/**
 * The name of a variable or secret as it is stored (contract actions.md 8.2).
 * @throws BadRequest if it is no identifier, or one that runners define themselves
 */
export function valueNameOf(given: string): string {
  const name = given.toUpperCase();
  const isFree = /^[A-Z_][A-Z0-9_]*$/.test(name) && name !== "CI" && !/^(GITEA|GITHUB)_/.test(name);
  if (!isFree || name.length > MAX_NAME) throw new BadRequest("actions.bad-name", { field: "name" });
  return name;
}

/** @throws ValidationFailed if empty; BadRequest if too long */
export function checkValue(value: string): string {
  if (value === "") throw new ValidationFailed("value.required", { field: "value", params: { name: "Value" } });
  if (value.length > MAX_VALUE)
    throw new BadRequest("actions.value-too-long", { field: "value", params: { max: MAX_VALUE } });
  return value;
}

/** Normalizes line endings to LF: forms send CRLF. */
export function unixLines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Truncates it to the maximum length of descriptions. */
export function descriptionOf(given: string): string {
  return given.slice(0, MAX_DESCRIPTION).toWellFormed();
}

/** @throws ValidationFailed if the limit is reached */
export function requireRoom(count: number): void {
  if (count >= MAX_VALUES) throw new ValidationFailed("actions.too-many", { params: { max: MAX_VALUES } });
}
