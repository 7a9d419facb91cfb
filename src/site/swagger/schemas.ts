/** A JSON schema as parsed JSON. */
export type Schema = { [keyword: string]: unknown };

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Converts a schema to OpenAPI 3.0: named schemas (`$id`) move to `named` and become references, `const` and unions
 * of constants become `enum`, a union with null becomes `nullable`, `patternProperties` becomes
 * `additionalProperties`.
 * @throws Error two different schemas have the same name
 */
export function settled(schema: Schema, named: Map<string, Schema>): Schema {
  const { $id, ...rest } = schema;
  const plain = plainWords(rest, named);
  if (typeof $id !== "string") return plain;
  const known = named.get($id);
  if (known && JSON.stringify(known) !== JSON.stringify(plain))
    throw new Error(`two different schemas are called ${$id}`);
  named.set($id, plain);
  return { $ref: `#/components/schemas/${$id}` };
}

function plainWords(schema: Schema, named: Map<string, Schema>): Schema {
  const { anyOf, properties, items, patternProperties, additionalProperties, const: constant, ...plain } = schema;
  if (constant !== undefined) plain["enum"] = [constant];
  // A field that is always null; 3.0 has no type for that.
  if (plain["type"] === "null") Object.assign(plain, { type: "object", nullable: true });
  if (isSchema(properties))
    plain["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, isSchema(property) ? settled(property, named) : {}]),
    );
  if (isSchema(items)) plain["items"] = settled(items, named);
  else if (plain["type"] === "array") plain["items"] = {};
  const further = isSchema(patternProperties) ? Object.values(patternProperties)[0] : additionalProperties;
  if (isSchema(further)) plain["additionalProperties"] = settled(further, named);
  else if (typeof further === "boolean") plain["additionalProperties"] = further;
  return Array.isArray(anyOf) ? union(anyOf.filter(isSchema), plain, named) : plain;
}

function union(choices: readonly Schema[], plain: Schema, named: Map<string, Schema>): Schema {
  const real = choices.filter((choice) => choice["type"] !== "null");
  const nullable = real.length < choices.length ? { nullable: true } : {};
  if (real.length > 0 && real.every((choice) => choice["const"] !== undefined))
    return { ...plain, ...nullable, type: real[0]?.["type"], enum: real.map((choice) => choice["const"]) };
  const settledChoices = real.map((choice) => settled(choice, named));
  const [only] = settledChoices;
  if (settledChoices.length !== 1 || !only) return { ...plain, ...nullable, anyOf: settledChoices };
  if (typeof only["$ref"] !== "string") return { ...only, ...plain, ...nullable };
  // Siblings of a reference are ignored, so it is wrapped.
  const description = named.get(only["$ref"].slice("#/components/schemas/".length))?.["description"];
  return { ...(description ? { description } : {}), ...plain, ...nullable, allOf: [only] };
}

/** Converts an OpenAPI 3.0 schema to Swagger 2.0, which has neither `nullable` nor unions. */
export function asSwagger2(schema: Schema): Schema {
  const { nullable, anyOf, allOf, $ref, ...plain } = schema;
  if (typeof $ref === "string") return { $ref: $ref.replace("#/components/schemas/", "#/definitions/") };
  const out: Schema = plain;
  if (nullable === true) out["x-nullable"] = true;
  if (Array.isArray(allOf)) out["allOf"] = allOf.filter(isSchema).map(asSwagger2);
  // A union of shapes cannot be expressed: see the description.
  if (Array.isArray(anyOf)) delete out["type"];
  for (const keyword of ["items", "additionalProperties"]) {
    const inner = out[keyword];
    if (isSchema(inner)) out[keyword] = asSwagger2(inner);
  }
  const properties = out["properties"];
  if (isSchema(properties))
    out["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, isSchema(property) ? asSwagger2(property) : {}]),
    );
  return out;
}
