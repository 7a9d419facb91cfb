import type { Route } from "../http/route.ts";
import type { Services } from "../services.ts";
import { issueRoutes } from "./api.ts";
import { commentRoutes } from "./comments/api.ts";
import { timelineRoutes } from "./timeline/api.ts";

/** All of REST about issues, and about what is said under them. */
export function routesOfItems(services: Services): Route[] {
  return [...issueRoutes(services), ...commentRoutes(services), ...timelineRoutes(services)];
}
