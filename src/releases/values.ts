import { checkNewRefName } from "../content/values.ts";
import { ValidationFailed } from "../kernel/errors.ts";

/** Values of releases, checked by `ReleaseService` (contract repositories.md 17.2, 17.3). */

export const MAX_RELEASE_TITLE = 255;
const MAX_BODY = 1_000_000;

/** Longer titles are truncated, as clients of the references expect. */
export function shownTitle(given: string): string {
  const letters = [...given.replace(/\p{Cc}+/gu, " ").trim()];
  return letters.length <= MAX_RELEASE_TITLE
    ? letters.join("")
    : `${letters.slice(0, MAX_RELEASE_TITLE - 1).join("")}…`;
}

/** @throws ValidationFailed too long */
export function checkReleaseBody(body: string): string {
  if (body.length <= MAX_BODY) return body;
  throw new ValidationFailed("value.too-long", { field: "body", params: { name: "Body" } });
}

/** @throws ValidationFailed not a valid tag name */
export function checkReleaseTag(given: string): string {
  const tag = given.trim().replace(/^--/, "");
  checkNewRefName(tag, "TagName");
  return tag;
}
