import type { Area } from "../area.ts";
import { FollowService } from "./service.ts";
import { followerCount, starOrder, starredBy, starredCount } from "./store.ts";

declare module "../services.ts" {
  interface Services {
    readonly stars: FollowService;
    readonly watches: FollowService;
  }
}

/** Stars and watches: what people follow. */
export const starsArea: Area = {
  name: "stars",
  routes: async () => (await import("./api.ts")).starRoutes,
  open: ({ access, clock, db, outbox }, { identity, repos, repoSearch }) => {
    const parts = { access, clock, db, identity, outbox, repos };
    const stars = new FollowService("star", parts);
    const watches = new FollowService("watch", parts);
    repos.addCount("stars", followerCount("star"));
    repos.addCount("watchers", followerCount("watch"));
    identity.addCount("starredRepos", starredCount);
    repoSearch.addFilter({
      name: "starredBy",
      description: "Number of an account: what it starred.",
      condition: (user) => starredBy(user, access.accountCondition("starrer")),
    });
    repoSearch.addOrder({ name: "stars", key: starOrder });
    outbox.react("repo.created", ({ repoId, principal }) => {
      if (repoId !== undefined && principal?.userId !== undefined) watches.addCreator(repoId, principal.userId);
    });
    outbox.react("repo.hidden", ({ repoId }) => {
      if (repoId === undefined) return;
      stars.removeAll(repoId);
      watches.removeAll(repoId);
    });
    outbox.react("collaborator.removed", ({ repoId }, { userId }) => {
      if (repoId !== undefined) watches.removeUnlessSeen(repoId, userId);
    });
    return { services: { stars, watches } };
  },
};
