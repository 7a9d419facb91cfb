import type { ErrorWords } from "../http/error-words.ts";

/** Contract identity.md 14. */
export const quotaErrorWords: ErrorWords = {
  "quota.exceeded": "quota exceeded",
  "quota.unknown-subject": ({ subject }) => `unknown quota subject: ${subject}`,
  "quota.rule-missing": ({ name }) => `quota rule not found [name: ${name}]`,
  "quota.rule-exists": ({ name }) => `quota rule already exists [name: ${name}]`,
  "quota.group-missing": ({ name }) => `quota group not found [name: ${name}]`,
  "quota.group-unknown": ({ name }) => `quota group does not exist [name: ${name}]`,
  "quota.group-exists": ({ name }) => `quota group already exists [name: ${name}]`,
  "quota.rule-in-group": ({ rule, group }) => `quota rule ${rule} is already in quota group ${group}`,
  "quota.rule-not-in-group": ({ rule, group }) => `quota rule ${rule} is not in quota group ${group}`,
  "quota.user-in-group": ({ user, group }) => `user ${user} is already in quota group ${group}`,
  "quota.user-not-in-group": ({ user, group }) => `user ${user} is not in quota group ${group}`,
};
