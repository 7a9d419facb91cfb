import type { Access, Call } from "../http/route.ts";
import { seenOrganization } from "../organizations/subject.ts";
import { seenRepo } from "../repos/subject.ts";
import { actionsOfAccount, actionsOfOrganization, actionsOfRepo } from "./access.ts";
import { homeOfOrganization, homeOfRepo, ownHome } from "./homes.ts";
import type { ActionsHome } from "./types.ts";

/** Where the API serves the Actions settings of one kind of home, and who has access. */
export interface ActionsPlace {
  readonly path: string;
  readonly tag: string;
  /** Used in operation names. */
  readonly word: "Repo" | "Org" | "User";
  readonly what: string;
  readonly access: Access;
  home(call: Call): ActionsHome;
}

export const repoPlace: ActionsPlace = {
  path: "/api/v1/repos/:owner/:repo/actions",
  tag: "repository",
  word: "Repo",
  what: "a repository",
  access: actionsOfRepo,
  home: (call) => homeOfRepo(seenRepo(call)),
};
export const organizationPlace: ActionsPlace = {
  path: "/api/v1/orgs/:org/actions",
  tag: "organization",
  word: "Org",
  what: "an organization",
  access: actionsOfOrganization,
  home: (call) => homeOfOrganization(seenOrganization(call)),
};
export const accountPlace: ActionsPlace = {
  path: "/api/v1/user/actions",
  tag: "user",
  word: "User",
  what: "the authenticated user",
  access: actionsOfAccount,
  home: ({ principal }) => ownHome(principal),
};
