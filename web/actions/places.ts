import {
  actionsOfAccount,
  actionsOfOrganization,
  actionsOfSite,
  actionsPagesOfRepo,
} from "../../src/actions/access.ts";
import { homeOfOrganization, homeOfRepo, homeOfSite, ownHome } from "../../src/actions/homes.ts";
import type { ActionsHome } from "../../src/actions/types.ts";
import type { Access, Call } from "../../src/http/route.ts";
import { seenOrganization } from "../../src/organizations/subject.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { type PlaceOf, settingsPlaces } from "../settings-place.tsx";

/** A kind of place whose settings have Actions pages, and who may access them. */
export interface ActionsPagePlace {
  readonly kind: PlaceOf["kind"];
  readonly access: Access;
  home(call: Call): ActionsHome;
}

export const ownedPlaces: readonly ActionsPagePlace[] = [
  { kind: "repository", access: actionsPagesOfRepo, home: (call) => homeOfRepo(seenRepo(call)) },
  { kind: "organization", access: actionsOfOrganization, home: (call) => homeOfOrganization(seenOrganization(call)) },
  { kind: "account", access: actionsOfAccount, home: ({ principal }) => ownHome(principal) },
];

export const sitePlace: ActionsPagePlace = {
  kind: "site",
  access: actionsOfSite,
  home: ({ principal }) => homeOfSite(principal, "write"),
};

/** The parts of Actions settings. */
export type ActionsPart = "general" | "runners" | "secrets" | "variables";

export const subOf = (part: ActionsPart) => `actions/${part}`;

/** The path of a part's list, as a route pattern. */
export const routeOf = ({ kind }: ActionsPagePlace, part: ActionsPart) => `${settingsPlaces[kind].path}/${subOf(part)}`;

/** The concrete path for a request. */
export const hrefOf = ({ kind }: ActionsPagePlace, part: ActionsPart, call: Call) =>
  `${settingsPlaces[kind].base(call)}/${subOf(part)}`;
