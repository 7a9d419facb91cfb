import { parseXml } from "./xml-texts.ts";

/** Parses a package's XML document. @returns undefined if it is invalid */
export function run({ text }: { readonly text: string }): unknown {
  try {
    return parseXml(text);
  } catch {
    return undefined;
  }
}
