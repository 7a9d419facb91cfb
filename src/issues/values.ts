import { ValidationFailed } from "../kernel/errors.ts";

/** Checks of values of issues and comments (contract issues.md 3.4). */

const MAX_TITLE = 255;
/** Max characters of a body or comment. */
export const MAX_BODY = 65_535;

/** Trims the title, and shortens it with an ellipsis if too long. @throws ValidationFailed blank */
export function checkTitle(title: string): string {
  const trimmed = title.trim();
  if (trimmed === "") throw new ValidationFailed("value.required", { field: "title", params: { name: "Title" } });
  const characters = [...trimmed];
  return characters.length <= MAX_TITLE ? trimmed : `${characters.slice(0, MAX_TITLE - 1).join("")}…`;
}

/** @throws ValidationFailed too long */
export function checkBody(body: string, field = "body"): string {
  if (body.length <= MAX_BODY) return body;
  throw new ValidationFailed("value.too-long", { field, params: { name: "Body" } });
}

/** Longer than any real branch or tag name. */
const MAX_REF = 1_024;

/** The ref need not exist. @throws ValidationFailed too long */
export function checkRef(ref: string): string {
  if (ref.length <= MAX_REF) return ref;
  throw new ValidationFailed("value.too-long", { field: "ref", params: { name: "Ref" } });
}

const MAX_REASON = 200;

/** Checks the reason for a lock. @throws ValidationFailed too long */
export function checkReason(reason: string): void {
  if (reason.length > MAX_REASON)
    throw new ValidationFailed("value.too-long", { field: "lock_reason", params: { name: "LockReason" } });
}
