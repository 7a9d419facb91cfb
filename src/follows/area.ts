import type { Area } from "../area.ts";
import { AccountFollows } from "./service.ts";
import { countOf, followsMe } from "./store.ts";

declare module "../services.ts" {
  interface Services {
    readonly follows: AccountFollows;
  }
}

/** Accounts following each other. */
export const followsArea: Area = {
  name: "follows",
  routes: async () => (await import("./api.ts")).followRoutes,
  open: ({ access, clock, db, outbox }, { blocks, identity }) => {
    const follows = new AccountFollows({ access, blocks, clock, db, identity, outbox });
    identity.addCount("followers", countOf.followers);
    identity.addCount("following", countOf.following);
    identity.addAcquaintance(followsMe);
    outbox.react("account.blocked", ({ ownerId }, { userId }) => {
      if (ownerId !== undefined) follows.separate(ownerId, userId);
    });
    return { services: { follows } };
  },
};
