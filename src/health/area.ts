import type { Area } from "../area.ts";
import { Health } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly health: Health;
  }
}

/** Whether the server is well, for probes: an area of its own, which loads no schemas for the first answer. */
export const healthArea: Area = {
  name: "health",
  routes: async () => (await import("./api.ts")).healthRoutes,
  open: ({ db }) => ({ services: { health: new Health(db) } }),
};
