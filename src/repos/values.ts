import { isNewRefName } from "../git/refs/names.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import { websiteProblem } from "../kernel/web-address.ts";

/** Checks of what may be stored about a repository, whatever the entry point (contract repositories.md 5.2 and 5.4). */

const MAX_DESCRIPTION = 2048;
const MAX_WEBSITE = 1024;

/** @throws ValidationFailed too long */
export function checkDescription(text: string): void {
  if ([...text].length > MAX_DESCRIPTION)
    throw new ValidationFailed("value.too-long", {
      field: "description",
      params: { name: "Description", max: MAX_DESCRIPTION },
    });
}

/**
 * Any text (contract repositories.md 5.4) except an address that a browser would execute.
 * @throws ValidationFailed too long, or a forbidden scheme
 */
export function checkWebsite(address: string): void {
  const problem = websiteProblem(address, { maxLength: MAX_WEBSITE, scheme: "optional" });
  if (problem) throw new ValidationFailed(problem, { field: "website", params: { name: "Website", max: MAX_WEBSITE } });
}

/** An empty name means the site's default. @throws ValidationFailed */
export function checkDefaultBranch(name: string): void {
  if (name !== "" && !isNewRefName(name))
    throw new ValidationFailed("value.not-a-ref-name", { field: "default_branch", params: { name: "DefaultBranch" } });
}
