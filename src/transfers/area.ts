import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { transferErrorWords } from "./error-words.ts";
import type { TransferService } from "./service.ts";
import { offeredRepos, pendingCount } from "./store.ts";

declare module "../services.ts" {
  interface Services {
    readonly transfers: TransferService;
  }
}

/** Pending transfers of repositories to another owner. */
export const transfersArea: Area = {
  name: "transfers",
  errorWords: transferErrorWords,
  routes: async () => (await import("./api.ts")).transferRoutes,
  open: ({ access, clock, db, outbox }, { blocks, collaborators, identity, organizations, quotas, repos, teams }) => {
    access.addGrants(offeredRepos);
    repos.addCount("pendingTransfers", pendingCount);
    const parts = { db, outbox, clock, identity, blocks, repos, collaborators, organizations, quotas, teams };
    const transfers = onDemand(
      () => new (require("./service.ts") as typeof import("./service.ts")).TransferService(parts),
    );
    outbox.react("account.blocked", ({ ownerId }, { userId }) => {
      if (ownerId !== undefined) transfers.forgetBetween(ownerId, userId);
    });
    return { services: { transfers } };
  },
};
