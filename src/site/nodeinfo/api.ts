import { disabled } from "../../http/disabled.ts";
import { json } from "../../http/respond.ts";
import type { Access, Route } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { HEARTH_VERSION } from "../../version.ts";
import { NodeInfoResource } from "./resource.ts";

const open: Access = { who: "anyone", scopes: [], publicOnly: "filtered" };
const DAY_MS = 86_400_000;

/** NodeInfo 2.1: public information for other servers (contract identity.md 16.3). */
export function nodeInfoRoutes(services: Services): Route[] {
  const routes = routesOf(services);
  return services.config["federation.enabled"] ? routes : disabled(routes);
}

function routesOf({ accountCreation, clock, config, identity, links }: Services): Route[] {
  return [
    {
      method: "GET",
      path: "/.well-known/nodeinfo",
      surface: "open",
      access: open,
      handle: () =>
        json({
          links: [{ href: `${links.rootUrl}api/v1/nodeinfo`, rel: "http://nodeinfo.diaspora.software/ns/schema/2.1" }],
        }),
    },
    {
      method: "GET",
      path: "/api/v1/nodeinfo",
      surface: "api",
      access: open,
      doc: {
        id: "getNodeInfo",
        tag: "miscellaneous",
        summary: "Get NodeInfo",
        answers: { 200: { description: "The description.", schema: NodeInfoResource } },
      },
      handle: () => {
        const now = clock();
        return json(
          {
            version: "2.1",
            software: { name: "hearth", version: HEARTH_VERSION, repository: "", homepage: "" },
            protocols: ["activitypub"],
            services: { inbound: [], outbound: ["rss2.0"] },
            openRegistrations: accountCreation.isRegistrationOpen(),
            usage: {
              users: config["federation.share_statistics"]
                ? {
                    total: identity.countPeople(),
                    activeHalfyear: identity.countPeople(now - 180 * DAY_MS),
                    activeMonth: identity.countPeople(now - 30 * DAY_MS),
                  }
                : {},
              localPosts: 0,
              localComments: 0,
            },
            metadata: {},
          },
          200,
          { "cache-control": "public, max-age=180" },
        );
      },
    },
  ];
}
