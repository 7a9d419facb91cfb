import { isNewRefName } from "../git/refs/names.ts";
import { ValidationFailed } from "../kernel/errors.ts";

export const BRANCHES = "refs/heads/";
export const TAGS = "refs/tags/";

/**
 * @param label what the API calls the field in errors: `NewBranchName`, for the field `new_branch_name`
 * @throws ValidationFailed no branch or tag may be called so
 */
export function checkNewRefName(name: string, label: string): void {
  if (!isNewRefName(name))
    throw new ValidationFailed("value.not-a-ref-name", { field: snakeCase(label), params: { name: label } });
}

function snakeCase(label: string): string {
  return label.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
