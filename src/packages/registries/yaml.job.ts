import { jsonOfYaml, textsOfYaml } from "./yaml-texts.ts";

/** A YAML document of a package. @returns undefined: it is none */
export function run({ as, text }: { readonly as: "json" | "texts"; readonly text: string }): Promise<unknown> {
  return as === "json" ? jsonOfYaml(text) : textsOfYaml(text);
}
