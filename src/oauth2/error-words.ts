import type { ErrorWords } from "../http/error-words.ts";

/** The API's messages for refusals about applications (contract identity.md 6). */
export const oauth2ErrorWords: ErrorWords = {
  "oauth.redirect-invalid": ({ uri }) => `invalid redirect URI: ${uri}`,
  "oauth.too-many-redirects": ({ max }) => `[RedirectURIs]: more than ${max}`,
  "oauth.client-unknown": "Client ID not registered",
  "oauth.redirect-unregistered": "Unregistered Redirect URI",
  "oauth.parameter-repeated": ({ name }) => `${name} is given more than once`,
  "oauth.request-over": "the authorization request is over, or was another's",
  "oauth.user-code-unknown": "no device shows this code",
  "oauth.granted-otherwise": "a grant exists with different scope",
};
