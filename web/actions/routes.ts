import type { Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { generalPages } from "./general-routes.tsx";
import { ownedPlaces, sitePlace } from "./places.ts";
import { runnerPages } from "./runner-routes.tsx";
import { secretPages } from "./secret-routes.tsx";
import { variablePages } from "./variable-routes.tsx";

/** The Actions settings pages (contract web.md 1.4, actions.md 9.5). */
export function actionsPages(services: WebServices): Route[] {
  return [
    ...ownedPlaces.flatMap((place) => [...generalPages(services, place), ...secretPages(services, place)]),
    ...[...ownedPlaces, sitePlace].flatMap((place) => [
      ...runnerPages(services, place),
      ...variablePages(services, place),
    ]),
  ];
}
