import { xmlText } from "../xml-texts.ts";

/** Elements of the documents of a repository. */

export const element = (name: string, text: string) => `<${name}>${xmlText(text)}</${name}>`;

/** What an element says of itself; undefined is not said. */
export const attributes = (values: Readonly<Record<string, string | number | undefined>>) =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${xmlText(String(value))}"`]))
    .join("");
