import { readChecked } from "../../http/body.ts";
import { json } from "../../http/respond.ts";
import { type Access, type Route, signedIn } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { BODY_LIMIT } from "../body-limit.ts";
import { UserSettingsBody, UserSettingsResource, userSettingsResource } from "./resource.ts";

const own: Access = { who: "user", scopes: ["user"], publicOnly: "refused" };

/** `/user/settings`: what the caller says of himself and how pages look to him. */
export function settingsRoutes({ identity }: Services): Route[] {
  const path = "/api/v1/user/settings";
  return [
    {
      method: "GET",
      path,
      surface: "api",
      access: own,
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
      access: own,
      doc: {
        id: "updateUserSettings",
        tag: "user",
        summary: "Update the authenticated user's settings",
        body: UserSettingsBody,
        answers: {
          200: { description: "All settings after the change.", schema: UserSettingsResource },
          422: { description: "A value is too long or is no address. Nothing was changed." },
        },
      },
      handle: async (call) => {
        const body = await readChecked(UserSettingsBody, call, BODY_LIMIT);
        const user = await identity.edit(signedIn(call), {
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
      },
    },
  ];
}
