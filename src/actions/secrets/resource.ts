import { type Static, Type } from "@sinclair/typebox";
import { text, time } from "../../http/fields.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import type { ActionsSecret } from "../types.ts";

export const SecretResource = Type.Object(
  {
    name: text("Its name, in upper case."),
    description: text("Description."),
    created_at: time("When it was created."),
  },
  { $id: "Secret", description: "A named secret that workflows can use; its value is never shown." },
);
export type SecretResource = Static<typeof SecretResource>;

export function secretResource({ createdAt, description, name }: ActionsSecret): SecretResource {
  return { name, description, created_at: rfc3339(createdAt) };
}
