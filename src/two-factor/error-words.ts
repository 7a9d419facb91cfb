import type { ErrorWords } from "../http/error-words.ts";

/** The API's messages for refusals about second factors (contract identity.md 2.3, 5.7). */
export const twoFactorErrorWords: ErrorWords = {
  "two-factor.passcode-required": "invalid username, password or token",
  "two-factor.passkey-enrolled": "basic authorization is not allowed while WebAuthn enrolled",
  "two-factor.no-password-for-git":
    "Users with two-factor authentication enabled cannot perform HTTP/HTTPS operations via plain username and password. Please create and use a personal access token on the user settings page",
  "two-factor.code-wrong": "the code is incorrect",
  "two-factor.already-enabled": "two-factor authentication is enabled already",
  "two-factor.not-enabled": "two-factor authentication is not enabled",
  "two-factor.enrolment-over": "the enrolment has expired",
  "passkey.refused": "the passkey was refused",
  "passkey.cloned": "the passkey was refused: its counter went back",
  "passkey.unavailable": "passkeys need a host name and https",
  "passkey.known-already": "the passkey is registered already",
  "passkey.too-many": ({ max }) => `no more than ${max} passkeys`,
  "passkey.name-taken": "a passkey of that name exists already",
};
