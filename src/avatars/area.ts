import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { avatarErrorWords } from "./error-words.ts";
import type { AvatarService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly avatars: AvatarService;
  }
}

/** Uploaded pictures of accounts and repositories. */
export const avatarsArea: Area = {
  name: "avatars",
  errorWords: avatarErrorWords,
  routes: async () => (await import("./api.ts")).avatarRoutes,
  open: ({ db, pool }, { blobs, identity, repos }) => ({
    services: {
      avatars: onDemand(
        () =>
          new (require("./service.ts") as typeof import("./service.ts")).AvatarService({
            db,
            blobs,
            identity,
            repos,
            pool,
          }),
      ),
    },
  }),
};
