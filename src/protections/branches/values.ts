import { ValidationFailed } from "../../kernel/errors.ts";
import { filePatterns } from "./match.ts";
import type { RuleSettings } from "./types.ts";

const MAX_NAME = 255;
const MAX_PATTERNS = 100;
const MAX_PATTERN_TEXT = 8 * 1024;
const MAX_CONTEXTS = 100;
const MAX_CONTEXT = 512;
const MAX_APPROVALS = 1000;

/** @throws ValidationFailed */
export function checkRuleName(name: string): void {
  if (name.length > MAX_NAME)
    throw new ValidationFailed("value.too-long", { field: "rule_name", params: { name: "RuleName" } });
  if (/[\0-\x1f\x7f]/.test(name))
    throw new ValidationFailed("value.not-a-ref-name", { field: "rule_name", params: { name: "RuleName" } });
}

/** The same settings without duplicates. @throws ValidationFailed longer than any rule needs */
export function checkSettings(settings: RuleSettings): RuleSettings {
  for (const field of ["protectedFilePatterns", "unprotectedFilePatterns"] as const)
    if (settings[field].length > MAX_PATTERN_TEXT || filePatterns(settings[field]).length > MAX_PATTERNS)
      throw tooLong(field);
  const contexts = [...new Set(settings.statusCheckContexts.map((context) => context.trim()))].filter(
    (context) => context !== "",
  );
  if (contexts.length > MAX_CONTEXTS || contexts.some((context) => context.length > MAX_CONTEXT))
    throw tooLong("statusCheckContexts");
  if (settings.requiredApprovals > MAX_APPROVALS) throw tooLong("requiredApprovals");
  return { ...settings, statusCheckContexts: contexts };
}

function tooLong(name: keyof RuleSettings): ValidationFailed {
  const field = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return new ValidationFailed("value.too-long", {
    field,
    params: { name: `${name[0]?.toUpperCase()}${name.slice(1)}` },
  });
}
