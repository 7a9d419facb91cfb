import { eachConfigValue } from "../../config/reader.ts";

/** `value` is undefined for a key without `=`. All are one character per byte (latin1). */
export type ConfigVisitor = (subsection: string, key: string, value: string | undefined) => void;

/**
 * Tells every `submodule.<subsection>.<key>` of a configuration file until something cannot be read; answers whether
 * all could.
 */
export function eachSubmoduleValue(text: string, visit: ConfigVisitor): boolean {
  const badLine = eachConfigValue(text, (name, value) => {
    if (!name.startsWith(START)) return;
    const dot = name.lastIndexOf(".");
    if (dot >= START.length) visit(name.slice(START.length, dot), name.slice(dot + 1), value);
  });
  return badLine === undefined;
}

const START = "submodule.";
