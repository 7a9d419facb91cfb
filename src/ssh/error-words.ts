import type { ErrorWords } from "../http/error-words.ts";

/** The API's messages for refusals about the SSH server. */
export const sshErrorWords: ErrorWords = {
  "ssh.bad-host-key":
    "the host key must be a private key of Ed25519, ECDSA or RSA (2048 bits and more) without a passphrase",
};
