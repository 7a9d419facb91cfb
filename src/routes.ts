import type { Route } from "./http/route.ts";
import { identityRoutes } from "./identity/api.ts";
import type { Services } from "./services.ts";
import { siteRoutes } from "./site/api.ts";
import { transportRoutes } from "./transport/api.ts";

/** Every way in, from every area. The server serves these and nothing else. */
export function allRoutes(services: Services): Route[] {
  return [...siteRoutes(services), ...identityRoutes(services), ...transportRoutes(services)];
}
