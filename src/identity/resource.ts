import { type Static, Type } from "@sinclair/typebox";
import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import { text, time, whole, yesNo } from "../http/fields.ts";
import { EPOCH_TIME, rfc3339, ZERO_TIME } from "../kernel/clock.ts";
import type { Links } from "../kernel/links.ts";
import type { Services } from "../services.ts";
import { noReplyEmail } from "./git-identity.ts";
import { noUserCounts, type UserCounts } from "./types.ts";

export const UserResource = Type.Object(
  {
    id: whole("Number of the account; never used again."),
    login: text("Name of the account in its own letter case."),
    login_name: text("Name at the external sign-in source; empty for local accounts and for other viewers."),
    source_id: whole("Sign-in source; 0 is local."),
    full_name: text("Name of the person."),
    email: text("E-mail address, or a placeholder if the account hides it from the viewer."),
    avatar_url: text("Address of the picture."),
    html_url: text("The account's page."),
    language: text("Language of the pages, such as en-US; shown to the account itself and to administrators."),
    is_admin: yesNo("Whether it is a site administrator; shown to the account itself and to administrators."),
    last_login: time("Last sign-in; shown to the account itself and to administrators."),
    created: time("When the account was created."),
    restricted: yesNo("Whether it sees only what it has been given access to."),
    active: yesNo("Whether it is active; shown to the account itself and to administrators."),
    prohibit_login: yesNo("Whether signing in is forbidden; shown to the account itself and to administrators."),
    location: text("The user's location."),
    pronouns: text("The user's pronouns."),
    website: text("The person's website."),
    description: text("The user's biography."),
    visibility: text("Who can see the account: public, limited or private."),
    followers_count: whole("Number of followers."),
    following_count: whole("Number of accounts it follows."),
    starred_repos_count: whole("Number of repositories it starred."),
    username: text("The same as login, for older clients."),
  },
  { $id: "User", description: "An account." },
);
export type UserResource = Static<typeof UserResource>;

export const UserSearchResource = Type.Object(
  {
    data: Type.Array(UserResource, { description: "The accounts." }),
    ok: yesNo("Whether the search succeeded."),
  },
  { $id: "UserSearchResults", description: "The result of an account search." },
);

/** Accounts as `viewer` may see them, with counts read in one query. */
export function userResources(
  { identity, links }: Pick<Services, "identity" | "links">,
  viewer: Principal,
  users: readonly User[],
): UserResource[] {
  if (users.length === 0) return [];
  const counts = identity.counts(users.map((user) => user.id));
  return users.map((user) => userResource(user, viewer, links, counts.get(user.id)));
}

/** An account as `viewer` may see it (contract identity.md 8.2 and 8.3). @param counts absent: none are shown */
export function userResource(
  user: User,
  viewer: Principal,
  links: Links,
  counts: UserCounts = noUserCounts,
): UserResource {
  const full = viewer.user !== undefined && (viewer.user.id === user.id || viewer.user.isAdmin);
  return {
    id: user.id,
    login: user.login,
    login_name: full ? user.loginName : "",
    source_id: full ? user.sourceId : 0,
    full_name: user.fullName,
    email: shownEmail(user, viewer, links),
    avatar_url: `${links.rootUrl}avatars/${user.avatar || user.login.toLowerCase()}`,
    html_url: `${links.rootUrl}${user.login}`,
    language: full ? user.language : "",
    is_admin: full && user.isAdmin,
    last_login: full ? (user.lastLoginAt === undefined ? EPOCH_TIME : rfc3339(user.lastLoginAt)) : ZERO_TIME,
    created: rfc3339(user.createdAt),
    restricted: user.isRestricted,
    active: full && user.isActive,
    prohibit_login: full && user.prohibitLogin,
    location: user.location,
    pronouns: user.pronouns,
    website: user.website,
    description: user.description,
    visibility: user.visibility,
    followers_count: counts.followers,
    following_count: counts.following,
    starred_repos_count: counts.starredRepos,
    username: user.login,
  };
}

function shownEmail(user: User, viewer: Principal, links: Links): string {
  // A public-only token sees what everyone sees (security rule B3).
  const own = (viewer.user?.id === user.id || viewer.user?.isAdmin === true) && !viewer.scope?.publicOnly;
  return viewer.user && (!user.hideEmail || own) ? user.email : noReplyEmail(user, links);
}
