import { BadRequest, ValidationFailed } from "../kernel/errors.ts";
import type { ApplicationFields } from "./types.ts";

export const APPLICATION_LIMITS = { name: 255, redirectUris: 50, redirectUri: 2000 } as const;

/**
 * @param customSchemes allowed in addition to http and https: `com.example.app`
 * @throws ValidationFailed the name; BadRequest an address
 */
export function checkApplication({ name, redirectUris }: ApplicationFields, customSchemes: readonly string[]): void {
  if (name === "") throw new ValidationFailed("value.required", { field: "name", params: { name: "Name" } });
  if ([...name].length > APPLICATION_LIMITS.name)
    throw new ValidationFailed("value.too-long", {
      field: "name",
      params: { name: "Name", max: APPLICATION_LIMITS.name },
    });
  if (redirectUris.length > APPLICATION_LIMITS.redirectUris)
    throw new ValidationFailed("oauth.too-many-redirects", {
      field: "redirect_uris",
      params: { max: APPLICATION_LIMITS.redirectUris },
    });
  for (const uri of redirectUris)
    if (!isRedirectUri(uri, customSchemes))
      throw new BadRequest("oauth.redirect-invalid", { field: "redirect_uris", params: { uri } });
}

/** Absolute, and without anything that parsers disagree about: user, fragment, blanks, backslashes. */
function isRedirectUri(uri: string, customSchemes: readonly string[]): boolean {
  if (uri.length > APPLICATION_LIMITS.redirectUri || /[^\x21-\x7e]|[\\#]/.test(uri) || !URL.canParse(uri)) return false;
  const url = new URL(uri);
  if (url.username !== "" || url.password !== "") return false;
  if (url.protocol === "http:" || url.protocol === "https:") return /^https?:\/\/[^/]/i.test(uri);
  return customSchemes.includes(url.protocol.slice(0, -1));
}
