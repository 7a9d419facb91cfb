import { allScopes, type TokenScope } from "../access/scopes.ts";
import { ValidationFailed } from "../kernel/errors.ts";

export const MAX_TITLE = 255;
/** So many keys of a sort an account or a repository has. */
export const MAX_KEYS = 500;

/** What an account may do that comes in with a key that only reads. */
export const readOnlyScope: TokenScope = {
  categories: Object.fromEntries(Object.keys(allScopes.categories).map((category) => [category, "read" as const])),
  publicOnly: false,
};

/** @throws ValidationFailed none, a long one, or one with control characters */
export function checkTitle(title: string): string {
  const trimmed = title.trim();
  if (trimmed === "") throw new ValidationFailed("value.required", { field: "title", params: { name: "Title" } });
  if (trimmed.length > MAX_TITLE)
    throw new ValidationFailed("value.too-long", { field: "title", params: { name: "Title", max: MAX_TITLE } });
  if (/\p{Cc}/u.test(trimmed)) throw new ValidationFailed("key.bad-title", { field: "title" });
  return trimmed;
}
