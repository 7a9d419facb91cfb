import { type Static, Type } from "@sinclair/typebox";
import type { User } from "../../access/user.ts";
import { text, whole, yesNo } from "../../http/fields.ts";
import type { Email } from "../types.ts";

export const EmailResource = Type.Object(
  {
    email: Type.String({ format: "email", description: "The address." }),
    verified: yesNo("Whether the address is confirmed."),
    primary: yesNo("Whether it is the primary address."),
    user_id: whole("Number of the account; 0 in the account's own list."),
    username: text("Name of the account; empty in the account's own list."),
  },
  { $id: "Email", description: "An e-mail address of an account." },
);
export type EmailResource = Static<typeof EmailResource>;

export const EmailsBody = Type.Object(
  {
    emails: Type.Optional(Type.Array(text("An address."), { maxItems: 100, description: "The addresses." })),
  },
  { $id: "EmailsOption", description: "E-mail addresses to add or to remove." },
);

/** @param owner given in lists over all accounts, omitted in the account's own */
export function emailResource(email: Email, owner?: Pick<User, "id" | "login">): EmailResource {
  return {
    email: email.email,
    verified: email.isVerified,
    primary: email.isPrimary,
    user_id: owner?.id ?? 0,
    username: owner?.login ?? "",
  };
}
