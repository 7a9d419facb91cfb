import type { Setting } from "../setting.ts";

/** Passwords, second factors, sessions and external accounts. */
export const signInSettings = {
  "two_factor.required": {
    type: { kind: "choice", of: ["none", "admins", "all"] },
    standard: "none",
    doc: "Who must have a second factor: no one, site administrators, or everyone. Until they set one up, they can sign in but do nothing else.",
  },
  "password.min_length": {
    type: { kind: "number", least: 1, most: 255 },
    standard: 8,
    doc: "The minimum length of a password, in characters.",
  },
  "session.days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 30,
    doc: "Days after which an unused browser session ends.",
  },
  "sign_in.password_form": {
    type: { kind: "flag" },
    standard: true,
    doc: "Accept passwords on the sign-in page. Off: people use passkeys or a sign-in source; if one provider is the only way in, visitors are redirected to it.",
  },
  "sign_in.newcomers": {
    type: { kind: "choice", of: ["closed", "ask", "auto"] },
    standard: "closed",
    doc: "What happens when someone signs in through a provider (OAuth2, OpenID Connect) and has no account here: they may create one only if `registration` is open, they may always create one, or one is created automatically. LDAP directories decide for themselves whom to let in.",
  },
  "sign_in.linking": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let people who sign in through a provider link it to an existing account, by signing in to that account once.",
  },
  "sign_in.username": {
    type: { kind: "choice", of: ["nickname", "preferred_username", "userid", "email"] },
    standard: "nickname",
    doc: "Which of the provider's claims becomes the name of a new account.",
  },
  "sign_in.update_avatar": {
    type: { kind: "flag" },
    standard: false,
    doc: "Use the provider's picture for accounts that have none.",
  },
  "sign_in.openid_scopes": {
    type: {
      kind: "list",
      check: (value) => (/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value) ? undefined : "must be a scope without blanks"),
    },
    standard: [],
    doc: "Scopes to request from OpenID Connect providers besides openid, profile and email.",
  },
  "oauth2.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let other applications sign people in with their account here (OAuth2, OpenID Connect).",
  },
  "oauth2.signing_algorithm": {
    type: { kind: "choice", of: ["RS256", "ES256", "EdDSA"] },
    standard: "RS256",
    doc: "The algorithm that signs tokens for such applications. Keys are created when first needed, and earlier ones stay valid.",
  },
  "oauth2.access_token_minutes": {
    type: { kind: "number", least: 1, most: 24 * 60 },
    standard: 60,
    doc: "Minutes until such an application has to refresh its access token.",
  },
  "oauth2.refresh_token_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 30,
    doc: "Days such an application may stay unused before it has to be authorized again.",
  },
  "oauth2.built_in_clients": {
    type: { kind: "list" },
    standard: ["git-credential-oauth", "git-credential-manager", "tea"],
    doc: "Applications that are known without being registered.",
  },
  "oauth2.custom_schemes": {
    type: {
      kind: "list",
      check: (value) =>
        /^[a-z][a-z0-9+.-]*$/.test(value) ? undefined : "must be a scheme, for example com.example.app",
    },
    standard: [],
    doc: "URL schemes besides http and https that redirect addresses of registered applications may use.",
  },
} as const satisfies Record<string, Setting>;
