import type { Setting } from "../setting.ts";

/** Passwords, second factors, sessions and people who come from elsewhere. */
export const signInSettings = {
  "two_factor.required": {
    type: { kind: "choice", of: ["none", "admins", "all"] },
    standard: "none",
    doc: "Which people must have a second factor: no one, site administrators, or all. Who must and has none can sign in to set one up, and do nothing else.",
  },
  "password.min_length": {
    type: { kind: "number", least: 1, most: 255 },
    standard: 8,
    doc: "The least number of characters of a password.",
  },
  "session.days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 30,
    doc: "Days a browser stays signed in without being used.",
  },
  "sign_in.password_form": {
    type: { kind: "flag" },
    standard: true,
    doc: "Take passwords on the sign-in page. Off: people come by passkey or by a sign-in source; where there is one provider and no other way, visitors are sent on to it at once.",
  },
  "sign_in.newcomers": {
    type: { kind: "choice", of: ["closed", "ask", "auto"] },
    standard: "closed",
    doc: "Who signs in by a provider (OAuth2, OpenID Connect) and has no account here: may make one only where `registration` is open, may make one in any case, or gets one at once. Directories (LDAP) decide themselves whom they let in.",
  },
  "sign_in.linking": {
    type: { kind: "flag" },
    standard: true,
    doc: "Who signs in by a provider may say which account here is theirs, by signing in to it once.",
  },
  "sign_in.username": {
    type: { kind: "choice", of: ["nickname", "preferred_username", "userid", "email"] },
    standard: "nickname",
    doc: "Which of a provider's words for someone becomes the name of a new account.",
  },
  "sign_in.update_avatar": {
    type: { kind: "flag" },
    standard: false,
    doc: "Take over a provider's picture for accounts that have none.",
  },
  "sign_in.openid_scopes": {
    type: {
      kind: "list",
      check: (value) => (/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value) ? undefined : "must be a scope without blanks"),
    },
    standard: [],
    doc: "Scopes that OpenID Connect providers are asked for besides openid, profile and email.",
  },
  "oauth2.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let other programs sign people in with their account here (OAuth2, OpenID Connect).",
  },
  "oauth2.signing_algorithm": {
    type: { kind: "choice", of: ["RS256", "ES256", "EdDSA"] },
    standard: "RS256",
    doc: "How the tokens for such programs are signed. A key is made when one is needed; earlier ones stay good.",
  },
  "oauth2.access_token_minutes": {
    type: { kind: "number", least: 1, most: 24 * 60 },
    standard: 60,
    doc: "Minutes such a program may act before it has to refresh its token.",
  },
  "oauth2.refresh_token_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 30,
    doc: "Days such a program may stay away before the person has to let it in again.",
  },
  "oauth2.built_in_clients": {
    type: { kind: "list" },
    standard: ["git-credential-oauth", "git-credential-manager", "tea"],
    doc: "The programs that are known without being registered.",
  },
  "oauth2.custom_schemes": {
    type: {
      kind: "list",
      check: (value) =>
        /^[a-z][a-z0-9+.-]*$/.test(value) ? undefined : "must be a scheme, for example com.example.app",
    },
    standard: [],
    doc: "Schemes besides http and https that addresses of registered programs may have.",
  },
} as const satisfies Record<string, Setting>;
