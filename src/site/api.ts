import { json } from "../http/respond.ts";
import type { Access, Route } from "../http/route.ts";
import type { Services } from "../services.ts";
import { API_VERSION } from "../version.ts";
import { nodeInfoRoutes } from "./nodeinfo/api.ts";
import { renderingRoutes } from "./rendering/api.ts";
import { VersionResource } from "./resource.ts";
import { settingsRoutes } from "./settings/api.ts";
import { templateRoutes } from "./templates/api.ts";

const open: Access = { who: "anyone", scopes: [], publicOnly: "filtered" };

/** What the server says of itself. */
export function siteRoutes(services: Services): Route[] {
  return [
    ...aboutRoutes(),
    ...settingsRoutes(services),
    ...templateRoutes(services),
    ...nodeInfoRoutes(services),
    ...renderingRoutes(services),
  ];
}

function aboutRoutes(): Route[] {
  const version = { version: API_VERSION };
  return [
    {
      method: "GET",
      path: "/api/v1/version",
      surface: "api",
      access: open,
      doc: {
        id: "getVersion",
        tag: "miscellaneous",
        summary: "Get the server's version",
        answers: { 200: { description: "The version.", schema: VersionResource } },
      },
      handle: () => json(version),
    },
  ];
}
