import type { Route } from "../http/route.ts";
import type { Services } from "../services.ts";
import { changeRoutes } from "./changes/api.ts";
import { itemRoutes } from "./items-api.ts";
import { mergeRoutes } from "./merge/api.ts";
import { queueRoutes } from "./queue/api.ts";
import { reviewRoutes } from "./review/api.ts";
import { commentRoutes } from "./review/comments-api.ts";
import { requestRoutes } from "./review/requests-api.ts";

/** Pull requests over REST (contract pulls.md 3). */
export function pullRoutes(services: Services): Route[] {
  return [
    ...itemRoutes(services),
    ...changeRoutes(services),
    ...mergeRoutes(services),
    ...queueRoutes(services),
    ...reviewRoutes(services),
    ...commentRoutes(services),
    ...requestRoutes(services),
  ];
}
