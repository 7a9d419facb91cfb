import { BadRequest, ValidationFailed } from "../kernel/errors.ts";

export const MAX_VALUE = 65_536;
export const MAX_DESCRIPTION = 4_096;
const MAX_NAME = 255;
/** So many variables, and so many secrets, a home has: a job is given all of them. */
export const MAX_VALUES = 1_000;
/** So many runners a home has. */
export const MAX_RUNNERS = 1_000;

/**
 * The name of a variable or secret as it is stored (contract actions.md 8.2).
 * @throws BadRequest no identifier, or one that the runner defines itself
 */
export function valueNameOf(given: string): string {
  const name = given.toUpperCase();
  const isFree = /^[A-Z_][A-Z0-9_]*$/.test(name) && name !== "CI" && !/^(GITEA|GITHUB)_/.test(name);
  if (!isFree || name.length > MAX_NAME) throw new BadRequest("actions.bad-name", { field: "name" });
  return name;
}

/** @throws ValidationFailed empty; BadRequest longer than values may be */
export function checkValue(value: string): string {
  if (value === "") throw new ValidationFailed("value.required", { field: "value", params: { name: "Value" } });
  if (value.length > MAX_VALUE)
    throw new BadRequest("actions.value-too-long", { field: "value", params: { max: MAX_VALUE } });
  return value;
}

/** A text with the line ends of Unix: forms send others. */
export function unixLines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Its beginning, when it is longer than descriptions may be. */
export function descriptionOf(given: string): string {
  return given.slice(0, MAX_DESCRIPTION).toWellFormed();
}

/** @throws ValidationFailed there are as many as there may be */
export function requireRoom(count: number): void {
  if (count >= MAX_VALUES) throw new ValidationFailed("actions.too-many", { params: { max: MAX_VALUES } });
}
