import type { Route } from "../http/route.ts";
import type { Services } from "../services.ts";
import { applicationRoutes } from "./applications/api.ts";
import { providerRoutes } from "./provider-api.ts";

export function oauth2Routes(services: Services): Route[] {
  return [...applicationRoutes(services), ...providerRoutes(services)];
}
