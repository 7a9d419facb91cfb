import { ValidationFailed } from "../../kernel/errors.ts";

/** Escapes values in LDAP filters and names, so that input is never parsed as syntax. */

/** RFC 4515 section 3. */
export function escapeFilterValue(value: string): string {
  return value.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** RFC 4514 section 2.4. */
export function escapeDnValue(value: string): string {
  return value
    .replace(/[\\,+"<>;=]/g, (character) => `\\${character}`)
    .replace(/\0/g, "\\00")
    .replace(/^[ #]|(?<=.) $/g, (character) => `\\${character}`);
}

/** Replaces every `%s`. */
export function filled(template: string, value: string): string {
  return template.replaceAll("%s", () => value);
}

/** Conjunction of two filters. */
export function both(first: string, second: string): string {
  return `(&${inBrackets(first)}${inBrackets(second)})`;
}

export function inBrackets(filter: string): string {
  const trimmed = filter.trim();
  return trimmed.startsWith("(") ? trimmed : `(${trimmed})`;
}

/** @throws ValidationFailed `source.bad-filter` */
export async function checkFilter(field: string, filter: string): Promise<void> {
  const { FilterParser } = await import("ldapts");
  try {
    FilterParser.parseString(inBrackets(filled(filter, "someone")));
  } catch {
    throw new ValidationFailed("source.bad-filter", { field });
  }
}
