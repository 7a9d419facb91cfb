import { allScopes, type TokenScope } from "../access/scopes.ts";
import { ValidationFailed } from "../kernel/errors.ts";

export const MAX_TITLE = 255;
/** Maximum number of keys of a kind per account or repository. */
export const MAX_KEYS = 500;

/** The scope of an account authenticated with a read-only key. */
export const readOnlyScope: TokenScope = {
  categories: Object.fromEntries(Object.keys(allScopes.categories).map((category) => [category, "read" as const])),
  publicOnly: false,
};

/** @throws ValidationFailed absent, too long, or with control characters */
export function checkTitle(title: string): string {
  const trimmed = title.trim();
  if (trimmed === "") throw new ValidationFailed("value.required", { field: "title", params: { name: "Title" } });
  if (trimmed.length > MAX_TITLE)
    throw new ValidationFailed("value.too-long", { field: "title", params: { name: "Title", max: MAX_TITLE } });
  if (/\p{Cc}/u.test(trimmed)) throw new ValidationFailed("key.bad-title", { field: "title" });
  return trimmed;
}
