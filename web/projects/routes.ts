import type { Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { boardPages } from "./board-routes.tsx";
import { itemProjectPages } from "./item-routes.ts";
import { projectListPages } from "./list-routes.tsx";

/** Boards of repositories and accounts. */
export function projectPages(services: WebServices): Route[] {
  return [...projectListPages(services), ...boardPages(services), ...itemProjectPages(services)];
}
