import type { Area } from "../area.ts";
import { Health } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly health: Health;
  }
}

/** Health probes: a separate area, so that the first answer loads no others. */
export const healthArea: Area = {
  name: "health",
  routes: async () => (await import("./api.ts")).healthRoutes,
  open: ({ db }) => ({ services: { health: new Health(db) } }),
};
