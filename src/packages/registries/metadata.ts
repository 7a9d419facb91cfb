import { type JsonObject, objectOf, textOf } from "../../kernel/json.ts";
import { isHttpUrl } from "../../kernel/web-address.ts";
import type { PackageVersion } from "../types.ts";

/** Reads package metadata that people wrote: accepts anything, and returns the types that the documents have. */

/** The strings of a list; a single string counts as a list of one. */
export function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Strings by name. */
export function textMapOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectOf(value)).flatMap(([key, text]) => (typeof text === "string" ? [[key, text]] : [])),
  );
}

/** A URL that is safe to link to; empty if it is not one. */
export const urlOf = (value: unknown): string => {
  const text = textOf(value).trim();
  return isHttpUrl(text) ? text : "";
};

/** Removes empty members. */
export function compact<T extends object>(value: T): Partial<T> {
  const kept = Object.entries(value).filter(([, member]) => {
    if (member === undefined || member === "" || member === null) return false;
    return typeof member !== "object" || Object.keys(member).length > 0;
  });
  // The members are a subset of those of `value`.
  return Object.fromEntries(kept) as Partial<T>;
}

/** The metadata that the registry stored for a version. */
export function metadataOf({ metadata }: PackageVersion): JsonObject {
  return metadata === undefined ? {} : objectOf(JSON.parse(metadata));
}
