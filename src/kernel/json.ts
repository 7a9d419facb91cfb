/** JSON values, and reading them when their shape is unknown. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Empty if the value is not an object. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Empty if the value is not a string. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
