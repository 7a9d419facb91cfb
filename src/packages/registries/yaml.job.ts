import { textsOfYaml } from "./yaml-texts.ts";

/** A YAML document of a package. @returns undefined: it is none */
export function run({ text }: { readonly text: string }): Promise<unknown> {
  return textsOfYaml(text);
}
