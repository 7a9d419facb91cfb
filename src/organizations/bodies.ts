import { type Static, Type } from "@sinclair/typebox";
import { maybeText, maybeVisibility, maybeYesNo } from "../http/fields.ts";
import { ACCOUNT_LIMITS } from "../identity/values.ts";

const profile = {
  full_name: maybeText("Its display name.", ACCOUNT_LIMITS.fullName),
  email: Type.Optional(Type.String({ description: "Contact address.", maxLength: 255, rule: "Email", field: "Email" })),
  description: maybeText("Its description.", ACCOUNT_LIMITS.description),
  website: Type.Optional(
    Type.String({ description: "Address of its website.", maxLength: ACCOUNT_LIMITS.website, rule: "Url" }),
  ),
  location: maybeText("Its location.", ACCOUNT_LIMITS.location),
  visibility: maybeVisibility("Who can see it: public, limited (people who are signed in) or private (members)."),
  repo_admin_change_team_access: maybeYesNo("Whether administrators of a repository may add and remove its teams."),
};

export const CreateOrganizationBody = Type.Object(
  {
    username: Type.String({
      description: "Its name.",
      maxLength: ACCOUNT_LIMITS.login,
      rule: "AccountName",
      field: "UserName",
    }),
    ...profile,
  },
  { $id: "CreateOrgOption", description: "An organization to create." },
);
export const EditOrganizationBody = Type.Object(profile, { $id: "EditOrgOption", description: "Fields to change." });
export const RenameOrganizationBody = Type.Object(
  { new_name: Type.String({ description: "The new name.", field: "NewName" }) },
  { $id: "RenameOrgOption", description: "A new name." },
);

/** Converts a request body to the service's input. */
export function editOf(body: Static<typeof EditOrganizationBody>) {
  return {
    fullName: body.full_name,
    email: body.email,
    description: body.description,
    website: body.website,
    location: body.location,
    visibility: body.visibility || undefined,
    repoAdminsChangeTeams: body.repo_admin_change_team_access,
  };
}
