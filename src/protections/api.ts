import type { Route } from "../http/route.ts";
import type { Services } from "../services.ts";
import { branchProtectionRoutes } from "./branches/api.ts";
import { pushLimitRoutes } from "./pushes/api.ts";
import { tagProtectionRoutes } from "./tags/api.ts";

/** Rules for branches, tags and pushes over REST. */
export function protectionRoutes(services: Services): Route[] {
  return [...branchProtectionRoutes(services), ...tagProtectionRoutes(services), ...pushLimitRoutes(services)];
}
