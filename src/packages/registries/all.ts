import type { Route } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { containerRoutes } from "./container/routes.ts";
import { genericRoutes } from "./generic/routes.ts";
import { npmRoutes } from "./npm/routes.ts";

/** The routes of every registry there is; what they read and write packages with is loaded by the first that needs it. */
export function registryRoutes(services: Services): Route[] {
  if (!services.config["packages.enabled"]) return [];
  return [genericRoutes, containerRoutes, npmRoutes].flatMap((routes) => routes(services));
}
