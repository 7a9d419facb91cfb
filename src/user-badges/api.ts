import { Type } from "@sinclair/typebox";
import { administersAccounts } from "../admin/access.ts";
import { text, whole } from "../http/fields.ts";
import { counted, noContent } from "../http/respond.ts";
import { type Route, takes } from "../http/route.ts";
import { namedUser } from "../identity/named-user.ts";
import type { Services } from "../services.ts";

const BadgeResource = Type.Object(
  {
    id: whole("Number of the badge."),
    slug: text("Its name in addresses."),
    description: text("Description of the badge."),
    image_url: text("Address of its picture; empty if none."),
  },
  { $id: "Badge", description: "A badge given to people." },
);

const UserBadgesBody = Type.Object(
  {
    badge_slugs: Type.Optional(
      Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100, description: "Slugs of the badges." }),
    ),
  },
  { $id: "UserBadgeOption", description: "Badges to give or take away." },
);

/** `/admin/users/{username}/badges` (contract identity.md 15.1). */
export function badgeRoutes({ identity, userBadges }: Services): Route[] {
  const route = { path: "/api/v1/admin/users/:username/badges", surface: "api", access: administersAccounts } as const;
  const before = { before: (call: Parameters<Route["handle"]>[0]) => namedUser(call, identity) };
  const missing = { 404: { description: "There is no such account, or no such badge. Nothing was changed." } };
  return [
    {
      ...route,
      method: "GET",
      doc: {
        id: "adminListUserBadges",
        tag: "admin",
        summary: "List a user's badges",
        answers: { 200: { description: "By slug.", schema: Type.Array(BadgeResource) }, ...missing },
      },
      handle: (call) => {
        const badges = userBadges.of(namedUser(call, identity));
        const shown = badges.map(({ id, slug, description, imageUrl }) => ({
          id,
          slug,
          description,
          image_url: imageUrl,
        }));
        return counted(shown, badges.length);
      },
    },
    {
      ...route,
      method: "POST",
      doc: {
        id: "adminAddUserBadges",
        tag: "admin",
        summary: "Give badges to a user",
        answers: { 204: { description: "The user has these badges." }, ...missing },
      },
      ...takes(
        UserBadgesBody,
        (call, body) => {
          userBadges.give(call.principal, namedUser(call, identity), body.badge_slugs ?? []);
          return noContent();
        },
        before,
      ),
    },
    {
      ...route,
      method: "DELETE",
      doc: {
        id: "adminDeleteUserBadges",
        tag: "admin",
        summary: "Take badges away from a user",
        answers: { 204: { description: "The user no longer has these badges." }, ...missing },
      },
      ...takes(
        UserBadgesBody,
        (call, body) => {
          userBadges.take(call.principal, namedUser(call, identity), body.badge_slugs ?? []);
          return noContent();
        },
        before,
      ),
    },
  ];
}
