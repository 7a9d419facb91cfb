import { json } from "../../http/respond.ts";
import { type Route, signedIn, takes } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { ownAccount } from "../access.ts";
import { UserSettingsBody, UserSettingsResource, userSettingsResource } from "./resource.ts";

/** `/user/settings`: the caller's profile and display preferences. */
export function settingsRoutes({ identity }: Services): Route[] {
  const path = "/api/v1/user/settings";
  return [
    {
      method: "GET",
      path,
      surface: "api",
      access: ownAccount,
      doc: {
        id: "getUserSettings",
        tag: "user",
        summary: "Get the authenticated user's settings",
        answers: { 200: { description: "The settings.", schema: UserSettingsResource } },
      },
      handle: (call) => json(userSettingsResource(signedIn(call))),
    },
    {
      method: "PATCH",
      path,
      surface: "api",
      access: ownAccount,
      doc: {
        id: "updateUserSettings",
        tag: "user",
        summary: "Update the authenticated user's settings",
        answers: {
          200: { description: "All settings after the change.", schema: UserSettingsResource },
          422: { description: "A value is too long or not an address. Nothing was changed." },
        },
      },
      ...takes(UserSettingsBody, async (call, body) => {
        const user = await identity.edit(call.principal, signedIn(call), {
          fullName: body.full_name,
          website: body.website,
          description: body.description,
          location: body.location,
          pronouns: body.pronouns,
          language: body.language,
          theme: body.theme,
          diffViewStyle: body.diff_view_style,
          hideEmail: body.hide_email,
          hideActivity: body.hide_activity,
        });
        return json(userSettingsResource(user));
      }),
    },
  ];
}
