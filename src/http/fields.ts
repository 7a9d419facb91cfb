import { Type } from "@sinclair/typebox";

/** Short builders for the fields of resources and bodies, so that a schema reads as a list of names and meanings. */

export const text = (description: string) => Type.String({ description });
export const whole = (description: string) => Type.Integer({ description });
export const yesNo = (description: string) => Type.Boolean({ description });
export const time = (description: string) => Type.String({ format: "date-time", description });
/** @param item description of each element */
export const texts = (description: string, item: string) =>
  Type.Array(Type.String({ description: item }), { description });
export const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** Optional fields of a body. */
export const maybeText = (description: string, maxLength?: number) =>
  Type.Optional(Type.String({ description, ...(maxLength === undefined ? {} : { maxLength }) }));
export const maybeYesNo = (description: string) => Type.Optional(Type.Boolean({ description }));
/** An empty value equals an absent one: the default for a new resource, no change for an existing one. */
export const maybeVisibility = (description: string) =>
  Type.Optional(
    Type.Union([Type.Literal(""), Type.Literal("public"), Type.Literal("limited"), Type.Literal("private")], {
      description,
    }),
  );
export const maybeRefName = (description: string, field: string) =>
  Type.Optional(Type.String({ description, maxLength: 100, rule: "GitRefName", field }));
