import type { ErrorWords } from "../http/error-words.ts";

/** The API's messages for refusals about mirrors (contract repositories.md 5.4 and 10). */
export const mirrorErrorWords: ErrorWords = {
  "mirror.disabled": "Mirror feature is disabled",
  "mirror.none": "Repository is not a mirror",
  "mirror.bad-interval": ({ given }) => `invalid mirror interval: ${given}`,
  "mirror.short-interval": ({ given, min }) => `invalid mirror interval: ${given} is below minimum interval: ${min}`,
  "push-mirror.adding-disabled": "the site administrator has disabled the creation of new push mirrors",
  "push-mirror.bad-interval": ({ given }) => `invalid interval: ${given}`,
  "push-mirror.short-interval": ({ min }) => `interval is shorter than minimum ${min}`,
  "push-mirror.bad-protocol": "Invalid mirror protocol",
  "push-mirror.bad-address": "Invalid Url ",
  "push-mirror.address-not-allowed": "Permission denied",
  "push-mirror.unknown-error": "Unknown error",
  "push-mirror.bad-branches": "invalid branch filter",
  "push-mirror.long-credentials": ({ max }) => `user names and passwords have at most ${max} characters`,
  "push-mirror.no-ssh": "use_ssh is not supported: this server pushes over HTTP only",
  "push-mirror.too-many": ({ max }) => `a repository has at most ${max} push mirrors`,
  "push-mirror.failed": ({ names }) => `error occurred when syncing push mirrors: ${names}`,
  "push-mirror.ref-refused": ({ name, reason }) => `the other server refused ${name}: ${reason}`,
};
