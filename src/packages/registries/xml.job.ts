import { parseXml } from "./xml-texts.ts";

/** An XML document of a package. @returns undefined: it is none */
export function run({ text }: { readonly text: string }): unknown {
  try {
    return parseXml(text);
  } catch {
    return undefined;
  }
}
