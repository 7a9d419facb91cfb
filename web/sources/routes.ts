import type { Route } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { adminSourcePages } from "./admin-routes.tsx";
import { assignPages } from "./assign-routes.tsx";
import { linkedPages } from "./linked-routes.tsx";
import { newcomerPages } from "./newcomer-routes.tsx";
import { providerPages } from "./provider-routes.ts";

/** Signing in with external sources, and managing those. */
export function sourcePages(services: WebServices): Route[] {
  return [
    ...providerPages(services),
    ...newcomerPages(services),
    ...linkedPages(services),
    ...adminSourcePages(services),
    ...assignPages(services),
  ];
}
