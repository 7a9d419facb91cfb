import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { timeErrorWords } from "./error-words.ts";
import type { TimeService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly times: TimeService;
  }
}

/** Time tracking for issues and pull requests. */
export const timeArea: Area = {
  name: "time",
  errorWords: timeErrorWords,
  routes: async () => (await import("./api.ts")).timeRoutes,
  open: ({ access, clock, config, db, outbox }, { commitReferences, identity, issues, timeline }) => {
    const times = onDemand(
      () =>
        new (require("./service.ts") as typeof import("./service.ts")).TimeService({
          access,
          clock,
          db,
          identity,
          issues,
          timeline,
          isEnabled: config["time.enabled"],
        }),
    );
    outbox.react("issue.state-changed", ({ principal }, { issueId, isClosed }) => {
      if (isClosed && principal?.userId !== undefined) times.finishOn(issueId, principal.userId);
    });
    outbox.react("collaborator.removed", (_context, { userId }) => times.forgetUnlessSeen(userId));
    outbox.react("organization.rights-lost", (_context, { userId }) => {
      if (userId !== null) times.forgetUnlessSeen(userId);
    });
    commitReferences.bookWith((item, seconds, at) => times.bookCommit(item, seconds, at));
    return { services: { times } };
  },
};
