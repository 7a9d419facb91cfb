import { ValidationFailed } from "./errors.ts";

/** Repository and account names: one validator for API, pages, command line and git (security rules E7, L20). */

const reservedRepoSuffixes = [".wiki", ".git", ".rss", ".atom"];

/**
 * Checks a repository name (contract repositories.md 3.1).
 * @param field the request body's name for it: `Name`, `RepoName`
 * @throws ValidationFailed
 */
export function checkRepoName(name: string, field = "Name"): void {
  if (name === "") throw new ValidationFailed("value.required", { field: "name", params: { name: field } });
  if (!/^[A-Za-z0-9_.-]+$/.test(name))
    throw new ValidationFailed("value.not-a-name", { field: "name", params: { name: field } });
  if (name.length > 100)
    throw new ValidationFailed("value.too-long", { field: "name", params: { name: field, max: 100 } });
  if (name.includes("..")) throw new ValidationFailed("name.malformed", { field: "name", params: { name } });
  if (name === "." || name === "-") throw new ValidationFailed("name.reserved", { field: "name", params: { name } });
  const suffix = reservedRepoSuffixes.find((ending) => name.toLowerCase().endsWith(ending));
  if (suffix) throw new ValidationFailed("name.reserved-ending", { field: "name", params: { suffix } });
}

/** Whether an account name is well-formed; reserved names are checked elsewhere (contract identity.md 8.4). */
export function isAccountName(name: string): boolean {
  return name.length <= 40 && /^[A-Za-z0-9](?:[-._]?[A-Za-z0-9])*$/.test(name);
}
