import { ValidationFailed } from "../kernel/errors.ts";

export const BRANCHES = "refs/heads/";
export const TAGS = "refs/tags/";

/**
 * What git itself would not let one make, or what would be taken for something else, beyond the form of a ref's name.
 * @param field the name of the request's field in errors
 * @throws ValidationFailed
 */
export function checkNewRefName(name: string, field: string): void {
  if (name === "HEAD" || name === "" || name.startsWith("refs/") || name.startsWith("-"))
    throw new ValidationFailed("value.not-a-ref-name", { params: { name: field } });
}
