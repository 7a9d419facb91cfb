import { pageRoutes } from "../web/routes.ts";
import { contentRoutes } from "./content/api.ts";
import type { Route } from "./http/route.ts";
import { identityRoutes } from "./identity/api.ts";
import { repoRoutes } from "./repos/api.ts";
import type { Services } from "./services.ts";
import { siteRoutes } from "./site/api.ts";

/** Every way in, from every area. The server serves these and nothing else. */
export function allRoutes(services: Services): Route[] {
  return [
    ...siteRoutes(services),
    ...identityRoutes(services),
    ...repoRoutes(services),
    ...contentRoutes(services),
    ...pageRoutes(services),
  ];
}
