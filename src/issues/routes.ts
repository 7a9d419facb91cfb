import type { Route } from "../http/route.ts";
import * as reader from "../references/reader.ts";
import type { Services } from "../services.ts";
import { issueRoutes } from "./api.ts";
import { assigneeRoutes } from "./assignees/api.ts";
import { attachmentRoutes } from "./attachments/api.ts";
import { commentRoutes } from "./comments/api.ts";
import { dependencyRoutes } from "./dependencies/api.ts";
import { labellingRoutes } from "./labelling-api.ts";
import { itemListRoutes } from "./list/api.ts";
import { lockRoutes } from "./locks-api.ts";
import { pinRoutes } from "./pins/api.ts";
import { reactionRoutes } from "./reactions/api.ts";
import { timelineRoutes } from "./timeline/api.ts";
import { itemWatchRoutes } from "./watches/api.ts";

/** All REST routes for issues and what is posted under them. */
export function routesOfItems(services: Services): Route[] {
  services.itemReferences.readWith(reader);
  return [
    ...issueRoutes(services),
    ...itemListRoutes(services),
    ...labellingRoutes(services),
    ...assigneeRoutes(services),
    ...lockRoutes(services),
    ...pinRoutes(services),
    ...dependencyRoutes(services),
    ...itemWatchRoutes(services),
    ...commentRoutes(services),
    ...timelineRoutes(services),
    ...reactionRoutes(services),
    ...attachmentRoutes(services),
  ];
}
