import type { Area } from "../area.ts";
import { SetupLink } from "./setup.ts";

declare module "../services.ts" {
  interface Services {
    readonly setup: SetupLink;
  }
}

/** What the server says of itself. */
export const siteArea: Area = {
  name: "site",
  routes: async () => (await import("./api.ts")).siteRoutes,
  open: ({ links, secret }) => ({ services: { setup: new SetupLink(secret, links) } }),
};
