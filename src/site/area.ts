import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import type { TextRendering } from "./rendering/service.ts";
import { SetupLink } from "./setup.ts";

declare module "../services.ts" {
  interface Services {
    readonly setup: SetupLink;
    readonly textRendering: TextRendering;
  }
}

/** Information about the server itself. */
export const siteArea: Area = {
  name: "site",
  routes: async () => (await import("./api.ts")).siteRoutes,
  open: ({ links, secret }, { markup, references, storage }) => ({
    services: {
      setup: new SetupLink(secret, links),
      textRendering: onDemand(
        () =>
          new (require("./rendering/service.ts") as typeof import("./rendering/service.ts")).TextRendering(
            markup,
            references,
            storage,
          ),
      ),
    },
  }),
};
