import type { ErrorWords } from "../http/error-words.ts";

/** The API's messages for refusals about imports (contract repositories.md 9). */
export const importErrorWords: ErrorWords = {
  "import.disabled": "the site administrator has disabled migrations",
  "import.mirrors-disabled": "the site administrator has disabled the creation of new pull mirrors",
  "import.owner-missing": ({ uid, name }) => `user does not exist [uid: ${uid}, name: ${name}]`,
  "import.owner-is-no-organization": "Given user is not an organization.",
  "import.not-in-organization": "Given user is not owner of organization.",
  "import.reserved-name": ({ name }) => `The username '${name}' is reserved.`,
  "import.malformed-name": ({ name }) => `The username '${name}' contains invalid characters.`,
  "import.reserved-ending": ({ suffix }) => `The pattern '*${suffix}' is not allowed in a username.`,
  "import.limit-reached": ({ limit }) => `You have already reached your limit of ${limit} repositories.`,
  "import.under-way": "Repository cannot be accessed, you could retry it later",
  "import.rate-limited": "Remote visit addressed rate limitation.",
  "import.two-factor": "Remote visit required two factors authentication.",
  "import.too-many-comments": ({ number, max }) => `Migration failed: #${number} has more than ${max} comments.`,
  "import.item-too-large": ({ number }) => `Migration failed: too much was said of #${number}.`,
  "import.cancelled": "Migration failed: it was cancelled.",
  "import.interrupted": "Migration failed: the server stopped while it was under way.",
  "import.not-failed": "the migration has not failed",
  "import.none": "no migration is under way",
};
