import type { Area } from "../area.ts";
import { eachOnDemand, whenMade } from "../kernel/on-demand.ts";
import { sourceErrorWords } from "./error-words.ts";

/** Sign-in other than by a local password. */
export const sourcesArea: Area = {
  name: "sources",
  errorWords: sourceErrorWords,
  open: (core, services) => {
    const { jobs, outbox, schedules } = core;
    const { accountPasswords, authenticator, twoFactor } = services;
    const { passwords, proxy, sync, ...opened } = eachOnDemand(
      () => (require("./opening.ts") as typeof import("./opening.ts")).openSources(core, services),
      {
        newcomers: true,
        oauth2Client: true,
        outsideAccounts: true,
        passwords: true,
        proxy: true,
        roundTrips: true,
        sources: true,
        sync: true,
      },
    );
    outbox.react("user.source-changed", (_, { userId, from }) => opened.outsideAccounts.leave(userId, from));
    accountPasswords.askElsewhere(passwords);
    whenMade(twoFactor, (made) => made.exempt((user) => opened.sources.ofPassword(user)?.skipsSecondFactor === true));
    authenticator.believeProxies((said, address) => proxy.find(said, address));
    jobs.handle("sources.synchronize", {
      parse: () => ({}),
      run: (_, job) => sync.run(job),
      maxTries: 2,
      timeLimitMs: 3_600_000,
    });
    schedules.add({ name: "sync_external_users", cron: "@daily", kind: "sources.synchronize", payload: {} });
    return { services: opened };
  },
};
