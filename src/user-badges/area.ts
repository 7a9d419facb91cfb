import type { Area } from "../area.ts";
import { badgeErrorWords } from "./error-words.ts";
import { UserBadges } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly userBadges: UserBadges;
  }
}

/** Badges for people. */
export const userBadgesArea: Area = {
  name: "user-badges",
  errorWords: badgeErrorWords,
  routes: async () => (await import("./api.ts")).badgeRoutes,
  open: ({ db }) => ({ services: { userBadges: new UserBadges(db) } }),
};
