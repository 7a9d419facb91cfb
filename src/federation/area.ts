import type { Area } from "../area.ts";
import { federationErrorWords } from "./error-words.ts";
import { IncomingSignatures } from "./incoming.ts";
import { ActorKeys } from "./keys.ts";
import { RemoteKeys } from "./remote-keys.ts";
import { FederationService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly actorKeys: ActorKeys;
    readonly federation: FederationService;
    readonly incomingSignatures: IncomingSignatures;
  }
}

/** How other servers find who is here, and write to them: WebFinger and ActivityPub. */
export const federationArea: Area = {
  name: "federation",
  errorWords: federationErrorWords,
  routes: async () => (await import("./api.ts")).federationRoutes,
  open: ({ caches, clock, config, db, links, log, outbound, secrets }, { identity, repos }) => {
    const actorKeys = new ActorKeys(db, clock, secrets);
    const maxBytes = config["federation.max_mib"] * 2 ** 20;
    const remoteKeys = new RemoteKeys({ caches, clock, keys: actorKeys, links, log, maxBytes, outbound });
    return {
      services: {
        actorKeys,
        federation: new FederationService({ db, identity, links, repos }),
        incomingSignatures: new IncomingSignatures(remoteKeys, clock),
      },
    };
  },
};
