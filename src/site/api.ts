import type { Route } from "../http/route.ts";
import type { Services } from "../services.ts";
import { nodeInfoRoutes } from "./nodeinfo/api.ts";
import { renderingRoutes } from "./rendering/api.ts";
import { settingsRoutes } from "./settings/api.ts";
import { templateRoutes } from "./templates/api.ts";

/** Information about the server itself. */
export function siteRoutes(services: Services): Route[] {
  return [
    ...settingsRoutes(services),
    ...templateRoutes(services),
    ...nodeInfoRoutes(services),
    ...renderingRoutes(services),
  ];
}
