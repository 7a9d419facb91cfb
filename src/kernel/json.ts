/** What JSON can say, and reading it where it may say anything. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Empty: it is none. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Empty: it is none. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
