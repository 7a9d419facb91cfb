import { type JsonObject, objectOf, textOf } from "../../kernel/json.ts";
import { isHttpUrl } from "../../kernel/web-address.ts";
import type { PackageVersion } from "../types.ts";

/** Reads what people wrote into the metadata of packages: whatever it is, of the types that documents have. */

/** The texts of a list; a single text is one. */
export function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Texts by name. */
export function textMapOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectOf(value)).flatMap(([key, text]) => (typeof text === "string" ? [[key, text]] : [])),
  );
}

/** An address people may follow; empty: it is none. */
export const urlOf = (value: unknown): string => {
  const text = textOf(value).trim();
  return isHttpUrl(text) ? text : "";
};

/** Without members that say nothing. */
export function compact<T extends object>(value: T): Partial<T> {
  const kept = Object.entries(value).filter(([, member]) => {
    if (member === undefined || member === "" || member === null) return false;
    return typeof member !== "object" || Object.keys(member).length > 0;
  });
  // Each member is one of those that were there.
  return Object.fromEntries(kept) as Partial<T>;
}

/** What a registry wrote down of a version. */
export function metadataOf({ metadata }: PackageVersion): JsonObject {
  return metadata === undefined ? {} : objectOf(JSON.parse(metadata));
}
