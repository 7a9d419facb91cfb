import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import type { InsightsService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly insights: InsightsService;
  }
}

/** Contributors and commit activity of repositories. */
export const insightsArea: Area = {
  name: "insights",
  open: ({ caches, clock, config, pool }, { files, history, storage }) => ({
    services: {
      insights: onDemand(
        () =>
          new (require("./service.ts") as typeof import("./service.ts")).InsightsService(config.data, {
            caches,
            clock,
            files,
            history,
            pool,
            storage,
          }),
      ),
    },
  }),
};
