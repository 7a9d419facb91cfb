import type { Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { createRepoPages } from "./create-routes.tsx";
import { repoSettingsPages } from "./settings-routes.tsx";

/** Creating a repository, and its settings. */
export function repoPages(services: WebServices): Route[] {
  return [...createRepoPages(services), ...repoSettingsPages(services)];
}
