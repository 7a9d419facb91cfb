import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { federationErrorWords } from "./error-words.ts";
import type { IncomingSignatures } from "./incoming.ts";
import type { ActorKeys } from "./keys.ts";
import type { FederationService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly actorKeys: ActorKeys;
    readonly federation: FederationService;
    readonly incomingSignatures: IncomingSignatures;
  }
}

/** WebFinger and ActivityPub, through which other servers find and message actors here. */
export const federationArea: Area = {
  name: "federation",
  errorWords: federationErrorWords,
  routes: async () => (await import("./api.ts")).federationRoutes,
  open: ({ caches, clock, config, db, links, log, outbound, secrets }, { identity, repos }) => {
    const actorKeys = onDemand(
      () => new (require("./keys.ts") as typeof import("./keys.ts")).ActorKeys(db, clock, secrets),
    );
    const maxBytes = config["federation.max_mib"] * 2 ** 20;
    const remoteKeys = onDemand(
      () =>
        new (require("./remote-keys.ts") as typeof import("./remote-keys.ts")).RemoteKeys({
          caches,
          clock,
          keys: actorKeys,
          links,
          log,
          maxBytes,
          outbound,
        }),
    );
    return {
      services: {
        actorKeys,
        federation: onDemand(
          () =>
            new (require("./service.ts") as typeof import("./service.ts")).FederationService({
              db,
              identity,
              links,
              repos,
            }),
        ),
        incomingSignatures: onDemand(
          () => new (require("./incoming.ts") as typeof import("./incoming.ts")).IncomingSignatures(remoteKeys, clock),
        ),
      },
    };
  },
};
