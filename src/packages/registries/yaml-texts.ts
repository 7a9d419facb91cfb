/**
 * A YAML document with every scalar as it was written: `1.10` is a version and no number. Tags mean nothing.
 * @returns undefined: it is none
 */
export async function textsOfYaml(text: string): Promise<unknown> {
  const { parse } = await import("yaml");
  try {
    return parse(text, { schema: "failsafe", logLevel: "silent", maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/** The same with numbers, truth values and nothing as they are, as far as JSON has them. */
export async function jsonOfYaml(text: string): Promise<unknown> {
  const { parse } = await import("yaml");
  try {
    // What refers to itself is no JSON.
    return JSON.parse(JSON.stringify(parse(text, { schema: "core", logLevel: "error", maxAliasCount: 100 })));
  } catch {
    return undefined;
  }
}
