import type { Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { deployKeyPages } from "./deploy-routes.tsx";
import { ownKeyPages } from "./own-routes.tsx";

/** Keys of the user's own account and of repositories. */
export function keyPages(services: WebServices): Route[] {
  return [...ownKeyPages(services), ...deployKeyPages(services)];
}
