import type { Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { branchRulePages } from "./branch-routes.tsx";
import { tagRulePages } from "./tag-routes.tsx";

/** Branch and tag settings: the default branch, and who may change what. */
export function protectionPages(services: WebServices): Route[] {
  return [...branchRulePages(services), ...tagRulePages(services)];
}
