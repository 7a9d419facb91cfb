import type { Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { deployKeyPages } from "./deploy-routes.tsx";
import { ownKeyPages } from "./own-routes.tsx";

/** Keys of the own account and of a repository. */
export function keyPages(services: WebServices): Route[] {
  return [...ownKeyPages(services), ...deployKeyPages(services)];
}
