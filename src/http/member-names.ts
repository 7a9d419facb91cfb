import type { TSchema } from "@sinclair/typebox";

/**
 * Returns the value with its members named as in the schema: clients send both `Text` and `text` (contract
 * repositories.md 1.1). An exact spelling takes precedence over others. A null member is left out, unless the schema
 * defines what null means (`Type.Null()` in a union).
 */
export function inSpellingOf<T>(schema: TSchema, value: T): T {
  return spelled(schema, value) as T;
}

function spelled(schema: TSchema, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const item: unknown = schema["items"];
    return typeof item === "object" && item !== null ? value.map((each) => spelled(item as TSchema, each)) : value;
  }
  const properties = schema["properties"] as Readonly<Record<string, TSchema>> | undefined;
  if (!properties) return value;
  const result = Object.create(null) as Record<string, unknown>;
  const others: [name: string, value: unknown][] = [];
  const put = (name: string, property: TSchema, member: unknown) => {
    if (member !== null || takesNull(property)) result[name] = spelled(property, member);
  };
  for (const [name, member] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property) put(name, property, member);
    else others.push([name, member]);
  }
  if (others.length === 0) return result;
  const known = new Map(Object.entries(properties).map(([name, property]) => [name.toLowerCase(), { name, property }]));
  for (const [name, member] of others) {
    const meant = known.get(name.toLowerCase());
    if (!meant) result[name] = member;
    else if (!Object.hasOwn(result, meant.name)) put(meant.name, meant.property, member);
  }
  return result;
}

function takesNull(property: TSchema): boolean {
  const choices: unknown = property["anyOf"];
  return Array.isArray(choices) && choices.some((choice: TSchema) => choice["type"] === "null");
}
