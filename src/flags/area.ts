import type { Area } from "../area.ts";
import { flagErrorWords } from "./error-words.ts";
import { FlagService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly flags: FlagService;
  }
}

/** Flags: labels that site administrators put on repositories. */
export const flagsArea: Area = {
  name: "flags",
  errorWords: flagErrorWords,
  routes: async () => (await import("./api.ts")).flagRoutes,
  open: ({ db }) => ({ services: { flags: new FlagService(db) } }),
};
