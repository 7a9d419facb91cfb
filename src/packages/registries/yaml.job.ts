import { jsonOfYaml, textsOfYaml } from "./yaml-texts.ts";

/** Parses a package's YAML document. @returns undefined if it is invalid */
export function run({ as, text }: { readonly as: "json" | "texts"; readonly text: string }): Promise<unknown> {
  return as === "json" ? jsonOfYaml(text) : textsOfYaml(text);
}
