import type { Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { adoptionPages } from "./adoption-routes.tsx";
import { binPages } from "./bin-routes.tsx";
import { createRepoPages } from "./create-routes.tsx";
import { publicAccessPages } from "./public-access-routes.tsx";
import { repoSettingsPages } from "./settings-routes.tsx";

/** Creating a repository, and its settings. */
export function repoPages(services: WebServices): Route[] {
  return [
    ...createRepoPages(services),
    ...repoSettingsPages(services),
    ...publicAccessPages(services),
    ...binPages(services),
    ...adoptionPages(services),
  ];
}
