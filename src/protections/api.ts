import type { Route } from "../http/route.ts";
import type { Services } from "../services.ts";
import { branchProtectionRoutes } from "./branches/api.ts";
import { tagProtectionRoutes } from "./tags/api.ts";

/** Rules of branches and tags over REST. */
export function protectionRoutes(services: Services): Route[] {
  return [...branchProtectionRoutes(services), ...tagProtectionRoutes(services)];
}
