import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { remoteErrorWords } from "./error-words.ts";
import type { RemoteService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly remotes: RemoteService;
  }
}

/** A million refs with long names. */
const MAX_ADVERTISED_BYTES = 256 * 2 ** 20;

/** Repositories on other servers: the basis of areas that fetch from them or push to them. */
export const remotesArea: Area = {
  name: "remotes",
  errorWords: remoteErrorWords,
  open: ({ config, outbound, pool }, { refs, storage }) => ({
    services: {
      remotes: onDemand(
        () =>
          new (require("./service.ts") as typeof import("./service.ts")).RemoteService(outbound, refs, storage, pool, {
            limits: {
              timeoutMs: config["git.remote_timeout_minutes"] * 60_000,
              idleMs: config["git.remote_idle_seconds"] * 1_000,
              maxAdvertisedBytes: MAX_ADVERTISED_BYTES,
            },
            accepted: config["git.accept_zero_padded_modes"] ? ["zeroPaddedFilemode"] : [],
            pack: {
              packBytes: config["git.max_push_mib"] * 2 ** 20,
              objectBytes: config["git.max_object_mib"] * 2 ** 20,
              objects: config["git.max_objects"],
            },
          }),
      ),
    },
  }),
};
