/**
 * Parses a YAML document, with every scalar as written: `1.10` is a version, not a number. Tags are ignored.
 * @returns undefined if it is invalid
 */
export async function textsOfYaml(text: string): Promise<unknown> {
  const { parse } = await import("yaml");
  try {
    return parse(text, { schema: "failsafe", logLevel: "silent", maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/** The same with numbers, booleans and nulls, as far as JSON has them. */
export async function jsonOfYaml(text: string): Promise<unknown> {
  const { parse } = await import("yaml");
  try {
    // Circular references cannot be JSON.
    return JSON.parse(JSON.stringify(parse(text, { schema: "core", logLevel: "error", maxAliasCount: 100 })));
  } catch {
    return undefined;
  }
}
