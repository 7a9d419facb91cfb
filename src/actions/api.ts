import { disabled } from "../http/disabled.ts";
import type { Route } from "../http/route.ts";
import type { Services } from "../services.ts";
import { artifactRoutes } from "./artifacts/api.ts";
import { newerArtifactRoutes } from "./artifacts/newer-routes.ts";
import { olderArtifactRoutes } from "./artifacts/older-routes.ts";
import { accountPlace, organizationPlace, repoPlace } from "./places.ts";
import { runnerRoutes, siteRunnerRoutes } from "./runners/api.ts";
import { protocolRoutes } from "./runners/protocol/routes.ts";
import { runReadingRoutes } from "./runs/api.ts";
import { runChangingRoutes } from "./runs/changing-api.ts";
import { secretRoutes } from "./secrets/api.ts";
import { summaryRoutes } from "./summaries/routes.ts";
import { variableRoutes } from "./variables/api.ts";
import { workflowRoutes } from "./workflows/api.ts";

/** Actions over REST (contract actions.md 8). */
export function actionsRoutes(services: Services): Route[] {
  const places = [repoPlace, organizationPlace, accountPlace].flatMap((place) => [
    ...variableRoutes(services, place),
    ...secretRoutes(services, place),
    ...runnerRoutes(services, place),
  ]);
  const routes = [
    ...places,
    ...siteRunnerRoutes(services),
    ...workflowRoutes(services),
    ...runReadingRoutes(services),
    ...runChangingRoutes(services),
    ...artifactRoutes(services),
    ...olderArtifactRoutes(services),
    ...newerArtifactRoutes(services),
    ...summaryRoutes(services),
    ...protocolRoutes(services),
  ];
  return services.config["actions.enabled"] ? routes : disabled(routes);
}
