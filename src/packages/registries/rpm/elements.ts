import { xmlText } from "../xml-texts.ts";

/** XML elements of repository documents. */

export const element = (name: string, text: string) => `<${name}>${xmlText(text)}</${name}>`;

/** Formats attributes, leaving out undefined ones. */
export const attributes = (values: Readonly<Record<string, string | number | undefined>>) =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${xmlText(String(value))}"`]))
    .join("");
