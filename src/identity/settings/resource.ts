import { type Static, Type } from "@sinclair/typebox";
import type { User } from "../../access/user.ts";
import { yesNo } from "../../http/fields.ts";
import { ACCOUNT_LIMITS } from "../values.ts";

const fields = {
  full_name: Type.String({ maxLength: ACCOUNT_LIMITS.fullName, description: "Name of the person." }),
  website: Type.String({
    maxLength: ACCOUNT_LIMITS.website,
    rule: "Url",
    description: "The person's website, an http or https address.",
  }),
  description: Type.String({ maxLength: ACCOUNT_LIMITS.description, description: "The user's biography." }),
  location: Type.String({ maxLength: ACCOUNT_LIMITS.location, description: "The user's location." }),
  pronouns: Type.String({ maxLength: ACCOUNT_LIMITS.pronouns, description: "The user's pronouns." }),
  language: Type.String({ maxLength: ACCOUNT_LIMITS.language, description: "Language of the pages, such as en-US." }),
  theme: Type.String({
    maxLength: ACCOUNT_LIMITS.theme,
    description: "Theme of the pages: auto, light or dark; anything else means auto.",
  }),
  diff_view_style: Type.String({
    maxLength: ACCOUNT_LIMITS.diffViewStyle,
    description: "How diffs are shown: unified or split.",
  }),
  hide_email: yesNo("Whether to hide the e-mail address from others."),
  hide_activity: yesNo("Whether to hide the account's activity from others."),
};

export const UserSettingsResource = Type.Object(fields, {
  $id: "UserSettings",
  description: "Settings of an account.",
});
export type UserSettingsResource = Static<typeof UserSettingsResource>;

export const UserSettingsBody = Type.Partial(Type.Object(fields), {
  $id: "UserSettingsOptions",
  description: "Settings to change; absent ones are unchanged, an empty text clears.",
});

export function userSettingsResource(user: User): UserSettingsResource {
  return {
    full_name: user.fullName,
    website: user.website,
    description: user.description,
    location: user.location,
    pronouns: user.pronouns,
    language: user.language,
    theme: user.theme,
    diff_view_style: user.diffViewStyle,
    hide_email: user.hideEmail,
    hide_activity: user.hideActivity,
  };
}
