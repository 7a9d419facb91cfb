import type { Area } from "../area.ts";
import { FollowService } from "./service.ts";
import { followerCount, starOrder, starredBy, starredCount } from "./store.ts";
import { forgetUnseenWatches } from "./unseen.ts";
import { WatchService } from "./watches.ts";

declare module "../services.ts" {
  interface Services {
    readonly stars: FollowService;
    readonly watches: WatchService;
  }
}

/** Stars and watches of repositories. */
export const starsArea: Area = {
  name: "stars",
  errorWords: { "stars.disabled": "Stars are disabled." },
  routes: async () => (await import("./api.ts")).starRoutes,
  open: ({ access, clock, config, db, jobs, outbox }, { blocks, identity, repos, repoSearch }) => {
    const parts = { access, blocks, clock, db, identity, outbox, repos, repoSearch };
    const stars = new FollowService("star", parts);
    const watches = new WatchService("watch", parts);
    repos.addCount("stars", followerCount("star"));
    repos.addCount("watchers", followerCount("watch"));
    identity.addCount("starredRepos", starredCount);
    repoSearch.addFilter({
      name: "starredBy",
      description: "Number of an account; only repositories it starred.",
      condition: (user) => starredBy(user, access.accountCondition("starrer")),
    });
    repoSearch.addOrder({ name: "stars", key: starOrder, isTold: true });
    outbox.react("repo.created", ({ repoId, principal }) => {
      if (config["watch.new_repositories"] && repoId !== undefined && principal?.userId !== undefined)
        watches.addCreator(repoId, principal.userId);
    });
    outbox.react("refs.changed", ({ repoId, principal }) => {
      if (config["watch.on_push"] && repoId !== undefined && principal?.userId !== undefined)
        watches.addAuto(repoId, principal.userId);
    });
    const forgetLater = (ownerId: number) =>
      jobs.enqueue("watches.forget-unseen", { ownerId }, { uniqueKey: `watches.forget-unseen ${ownerId}` });
    outbox.react("repo.transferred", ({ repoId, ownerId, principal }) => {
      if (repoId === undefined || ownerId === undefined) return;
      if (principal?.userId !== undefined) watches.addCreator(repoId, principal.userId);
      forgetLater(ownerId);
    });
    for (const gone of ["repo.hidden", "repo.deleted"] as const)
      outbox.react(gone, ({ repoId }) => {
        if (repoId === undefined) return;
        stars.removeAll(repoId);
        watches.removeAll(repoId);
      });
    outbox.react("collaborator.removed", ({ repoId }, { userId }) => {
      if (repoId !== undefined) watches.removeUnlessSeen(repoId, userId);
    });
    outbox.react("account.blocked", ({ ownerId }, { userId }) => {
      if (ownerId === undefined) return;
      for (const follows of [stars, watches]) {
        follows.removeFromOwner(ownerId, userId);
        follows.removeFromOwner(userId, ownerId);
      }
    });
    forgetUnseenWatches(jobs, watches);
    outbox.react("organization.rights-lost", ({ ownerId }, { userId }) => {
      if (ownerId === undefined) return;
      if (userId !== null) watches.removeUnseenFromOwner(ownerId, userId);
      else forgetLater(ownerId);
    });
    return { services: { stars, watches } };
  },
};
