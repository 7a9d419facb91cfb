import type { ErrorWords } from "../http/error-words.ts";

const invalid = "Invalid key content: ";
const wrongProof = "The provided GPG key, signature and token do not match or token is out of date.";

/** The API's messages for refusals about keys (contract identity.md 9 and 10, repositories.md 19.1). */
export const keyErrorWords: ErrorWords = {
  "ssh-key.malformed": `${invalid}the key could not be read`,
  "ssh-key.is-private": `${invalid}the provided key is a private key`,
  "ssh-key.is-certificate": `${invalid}the provided key is a certificate`,
  "ssh-key.too-large": `${invalid}the key is too large`,
  "ssh-key.comment-too-long": ({ max }) => `${invalid}the comment is longer than ${max} characters`,
  "ssh-key.type-mismatch": ({ named, found }) => `${invalid}key type and content does not match: ${named} - ${found}`,
  "ssh-key.type-not-allowed": ({ type }) => `${invalid}key type is not allowed: ${type}`,
  "ssh-key.too-short": ({ bits, needed }) => `${invalid}key length is not enough: got ${bits}, needs ${needed}`,
  "ssh-key.used": "Key content has been used as non-deploy key",
  "ssh-key.title-used": "Key title has been used",
  "ssh-key.managed": "SSH Key is externally managed for this user",
  "ssh-key.not-own": "You do not have access to this key",
  "ssh-key.bad-proof": "The provided SSH key, signature and token do not match or token is out of date.",
  "key.bad-title": "[Title]: contains control characters",
  "key.too-many": ({ max }) => `there can be at most ${max} keys`,
  "deploy-key.used": "This key has already been added to this repository",
  "deploy-key.title-used": "A key with the same name already exists",
  "principal.not-allowed": "this principal is not allowed",
  "principal.used": "this principal is used already",
  "gpg-key.malformed": ({ reason }) => `failed to parse gpg key ${reason}`,
  "gpg-key.used": "A key with the same id already exists",
  "gpg-key.no-address": ({ token }) =>
    `None of the emails attached to the GPG key could be found. It may still be added if you provide a valid signature for the token: ${token}`,
  "gpg-key.bad-proof": ({ token }) => `${wrongProof} Provide a valid signature for the token: ${token}`,
};
