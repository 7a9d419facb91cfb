import { pageRoutes } from "../web/routes.ts";
import { areas } from "./areas.ts";
import type { Route } from "./http/route.ts";
import type { Services } from "./services.ts";
import { swaggerRoutes } from "./site/swagger/api.ts";

/** Every way in, from every area. The server serves these and nothing else. */
export function allRoutes(services: Services): Route[] {
  const routes: Route[] = [
    ...areas.flatMap((area) => area.routes?.(services) ?? []),
    ...swaggerRoutes(services, () => routes),
    ...pageRoutes(services),
  ];
  return routes;
}
