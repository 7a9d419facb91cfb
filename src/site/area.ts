import type { Area } from "../area.ts";
import { TextRendering } from "./rendering/service.ts";
import { SetupLink } from "./setup.ts";

declare module "../services.ts" {
  interface Services {
    readonly setup: SetupLink;
    readonly textRendering: TextRendering;
  }
}

/** What the server says of itself. */
export const siteArea: Area = {
  name: "site",
  routes: async () => (await import("./api.ts")).siteRoutes,
  open: ({ links, secret }, { markup, references, storage }) => ({
    services: {
      setup: new SetupLink(secret, links),
      textRendering: new TextRendering(markup, references, storage),
    },
  }),
};
