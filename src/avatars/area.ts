import type { Area } from "../area.ts";
import { avatarErrorWords } from "./error-words.ts";
import { AvatarService } from "./service.ts";

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
    services: { avatars: new AvatarService({ db, blobs, identity, repos, pool }) },
  }),
};
