import type { Area } from "../area.ts";
import { Health } from "./health.ts";
import { TextRendering } from "./rendering/service.ts";
import { SetupLink } from "./setup.ts";

declare module "../services.ts" {
  interface Services {
    readonly health: Health;
    readonly setup: SetupLink;
    readonly textRendering: TextRendering;
  }
}

/** What the server says of itself. */
export const siteArea: Area = {
  name: "site",
  routes: async () => (await import("./api.ts")).siteRoutes,
  open: ({ db, links, secret }, { markup, references, storage }) => ({
    services: {
      health: new Health(db),
      setup: new SetupLink(secret, links),
      textRendering: new TextRendering(markup, references, storage),
    },
  }),
};
