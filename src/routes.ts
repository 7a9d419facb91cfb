import { adminRoutes } from "./admin/api.ts";
import type { Route } from "./http/route.ts";
import { identityRoutes } from "./identity/api.ts";
import type { Services } from "./services.ts";
import { siteRoutes } from "./site/api.ts";
import { swaggerRoutes } from "./site/swagger/api.ts";

/** Every way in, from every area. The server serves these and nothing else. */
export function allRoutes(services: Services): Route[] {
  const routes: Route[] = [
    ...siteRoutes(services),
    ...swaggerRoutes(services, () => routes),
    ...identityRoutes(services),
    ...adminRoutes(services),
  ];
  return routes;
}
