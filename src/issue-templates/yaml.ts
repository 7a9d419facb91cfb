/**
 * YAML values from a repository, which may be anything: parsed only in a worker, read by type, and never passed on
 * whole. `Bun.YAML` refuses exponential aliases and supports no tags.
 */

/** The problem of a file, in words for its author. */
export class BadTemplate extends Error {
  override name = "BadTemplate";
}

export type Mapping = Readonly<Record<string, unknown>>;

/** @throws BadTemplate not YAML, or not a mapping */
export function parseMapping(text: string): Mapping {
  let parsed: unknown;
  try {
    parsed = Bun.YAML.parse(text);
  } catch (error) {
    throw new BadTemplate(`not YAML: ${error instanceof Error ? error.message.slice(0, 200) : "unreadable"}`);
  }
  const mapping = mappingOf(parsed);
  if (!mapping) throw new BadTemplate("not a YAML mapping");
  return mapping;
}

export function mappingOf(value: unknown): Mapping | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Mapping) : undefined;
}

/** A key's own value, ignoring inherited properties. */
export function memberOf(mapping: Mapping, key: string): unknown {
  return Object.hasOwn(mapping, key) ? (mapping[key] ?? undefined) : undefined;
}

/** A text, or a number or boolean as text. undefined: absent. @throws BadTemplate anything else */
export function textOf(mapping: Mapping, key: string, where = ""): string | undefined {
  const value = memberOf(mapping, key);
  if (value === undefined || typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new BadTemplate(`${where}'${key}' should be a text`);
}

/** @throws BadTemplate */
export function flagOf(mapping: Mapping, key: string, where = ""): boolean {
  const value = memberOf(mapping, key);
  if (value === undefined) return false;
  if (typeof value === "boolean") return value;
  throw new BadTemplate(`${where}'${key}' should be true or false`);
}

/** Several texts, as a list or comma-separated. @throws BadTemplate */
export function textsOf(mapping: Mapping, key: string): string[] {
  const value = memberOf(mapping, key);
  if (value === undefined) return [];
  const parts: unknown[] = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [value];
  return parts.slice(0, 100).flatMap((part) => {
    if (typeof part !== "string" && typeof part !== "number")
      throw new BadTemplate(`'${key}' should be a list of texts`);
    const text = String(part).trim();
    return text === "" ? [] : [text];
  });
}
