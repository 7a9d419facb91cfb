import type { Route } from "../http/route.ts";
import type { Services } from "../services.ts";
import { deployKeyRoutes } from "./deploy/api.ts";
import { gpgKeyRoutes } from "./gpg/api.ts";
import { sshKeyRoutes } from "./ssh/api.ts";

/** Keys over REST. */
export function keyRoutes(services: Services): Route[] {
  return [...sshKeyRoutes(services), ...gpgKeyRoutes(services), ...deployKeyRoutes(services)];
}
