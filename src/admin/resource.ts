import { Type } from "@sinclair/typebox";
import { maybeText, maybeVisibility, maybeYesNo } from "../http/fields.ts";
import { ACCOUNT_LIMITS } from "../identity/values.ts";

const visibility = maybeVisibility("Who can see the account: public, limited (people who are signed in) or private.");
const sourceId = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 2 ** 31 - 1,
    description: "The sign-in source that holds its password; 0 for none.",
  }),
);

export const CreateUserBody = Type.Object(
  {
    username: Type.String({
      maxLength: ACCOUNT_LIMITS.login,
      rule: "AccountName",
      description: "Name of the account.",
    }),
    email: Type.String({
      maxLength: ACCOUNT_LIMITS.email,
      rule: "Email",
      format: "email",
      description: "Its primary address.",
    }),
    password: maybeText("The password; required for local accounts.", ACCOUNT_LIMITS.password),
    must_change_password: maybeYesNo("Whether a new password must be set at the first sign-in; true by default."),
    full_name: maybeText("Name of the person.", ACCOUNT_LIMITS.fullName),
    login_name: maybeText("Name at an external sign-in source.", ACCOUNT_LIMITS.loginName),
    source_id: sourceId,
    restricted: maybeYesNo("Whether it sees only what it has been given access to."),
    visibility,
    send_notify: maybeYesNo("Accepted for compatibility; no mail is sent."),
    created_at: Type.Optional(
      Type.String({ format: "date-time", description: "The creation date to record for the account." }),
    ),
  },
  { $id: "CreateUserOption", description: "An account to create." },
);

export const EditUserBody = Type.Object(
  {
    source_id: sourceId,
    login_name: maybeText("Name at an external sign-in source.", ACCOUNT_LIMITS.loginName),
    email: maybeText("A new primary address in place of the old one.", ACCOUNT_LIMITS.email),
    full_name: maybeText("Name of the person.", ACCOUNT_LIMITS.fullName),
    password: maybeText("A new password; all browser sessions of the account end.", ACCOUNT_LIMITS.password),
    must_change_password: maybeYesNo("Whether a new password must be set at the next sign-in."),
    website: Type.Optional(
      Type.String({
        maxLength: ACCOUNT_LIMITS.website,
        rule: "Url",
        description: "The person's website, an http or https address.",
      }),
    ),
    location: maybeText("The user's location.", ACCOUNT_LIMITS.location),
    description: maybeText("The user's biography.", ACCOUNT_LIMITS.description),
    pronouns: maybeText("The user's pronouns.", ACCOUNT_LIMITS.pronouns),
    active: maybeYesNo("Whether the account is active."),
    admin: maybeYesNo("Whether it is a site administrator."),
    allow_git_hook: maybeYesNo("Kept for compatibility; there are no such hooks."),
    allow_import_local: maybeYesNo("Kept for compatibility; local folders cannot be imported over the API."),
    max_repo_creation: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: 2 ** 31 - 1,
        description: "How many repositories it may own; -1 for the site's default.",
      }),
    ),
    prohibit_login: maybeYesNo("Whether signing in is forbidden, by password and by token."),
    allow_create_organization: maybeYesNo("Whether it may create organizations."),
    restricted: maybeYesNo("Whether it sees only what it has been given access to."),
    visibility,
  },
  { $id: "EditUserOption", description: "Changes to an account; absent fields are unchanged." },
);

export const RenameUserBody = Type.Object(
  {
    new_username: Type.String({
      maxLength: ACCOUNT_LIMITS.login,
      field: "NewName",
      description: "The new name of the account.",
    }),
  },
  { $id: "RenameUserOption", description: "A new name for an account." },
);
