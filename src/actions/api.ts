import type { Route } from "../http/route.ts";
import type { Services } from "../services.ts";
import { accountPlace, organizationPlace, repoPlace } from "./places.ts";
import { secretRoutes } from "./secrets/api.ts";
import { variableRoutes } from "./variables/api.ts";

/** Actions over REST (contract actions.md 8). */
export function actionsRoutes(services: Services): Route[] {
  return [repoPlace, organizationPlace, accountPlace].flatMap((place) => [
    ...variableRoutes(services, place),
    ...secretRoutes(services, place),
  ]);
}
