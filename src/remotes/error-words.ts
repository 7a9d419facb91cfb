import type { ErrorWords } from "../http/error-words.ts";
import type { FailureParams } from "../kernel/errors.ts";

const failed =
  (reason: string) =>
  ({ host = "", detail = "" }: FailureParams) =>
    `Migration failed: ${host}: ${reason}${detail === "" ? "" : ` (${detail})`}.`;
const unauthenticated = ({ host = "" }: FailureParams) =>
  `Authentication failed: ${host} does not accept the credentials.`;

/** The API's messages for refusals about repositories on other servers (contract repositories.md 9.5). */
export const remoteErrorWords: ErrorWords = {
  "remote.bad-address": "The provided URL is invalid.",
  "remote.unknown-scheme": "The provided URL is invalid.",
  "remote.local-path": "You are not allowed to import local repositories.",
  "remote.bad-url": "The provided URL is invalid.",
  "remote.forbidden-host": "You can not import from disallowed hosts.",
  "remote.unresolved": "You can not import from disallowed hosts.",
  "remote.credentials-needed": ({ host = "" }) => `Authentication failed: ${host} asks for credentials.`,
  "remote.bad-credentials": unauthenticated,
  "remote.forbidden": unauthenticated,
  "remote.not-found": failed("no such repository"),
  "remote.not-git": failed("this is not a git repository"),
  "remote.bad-status": failed("the server answered with an error"),
  "remote.refused": failed("the server refused"),
  "remote.broken": failed("the server's answer could not be read"),
  "remote.object-format": failed("the repository has another object format"),
  "remote.shallow": failed("the repository there does not have its whole history"),
  "remote.too-many-refs": failed("the repository has too many refs"),
  "remote.bad-pack": failed("what the server sent is not a sound pack"),
  "remote.unreachable": failed("the server could not be reached"),
  "remote.untrusted": failed("the server's certificate is not valid"),
  "remote.timeout": failed("it took too long"),
  "remote.stalled": failed("the server stopped answering"),
  "remote.too-large": failed("the server's answer is too large"),
  "remote.bad-redirect": failed("the server redirects to an unusable address"),
  "remote.aborted": failed("it was cancelled"),
  "remote.failed-here": failed("an error on this server"),
  "remote.ref-refused": ({ name }) => `Migration failed: ${name} could not be made what it is there.`,
};
