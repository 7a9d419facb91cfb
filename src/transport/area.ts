import type { Area } from "../area.ts";
import { eachOnDemand } from "../kernel/on-demand.ts";
import { transportErrorWords } from "./error-words.ts";

/** Fetches and pushes, and git over HTTP. */
export const transportArea: Area = {
  name: "transport",
  errorWords: transportErrorWords,
  routes: async () => (await import("./api.ts")).transportRoutes,
  open: (core, services) => {
    const opened = eachOnDemand(
      () => (require("./opening.ts") as typeof import("./opening.ts")).openTransport(core, services),
      { fetches: true, gitAccess: true, pushes: true, refsFor: true },
    );
    const sweep = () => {
      if (services.repoRemoval.hasPushes()) opened.pushes.sweep();
    };
    return { services: opened, recover: sweep, sweep };
  },
};
