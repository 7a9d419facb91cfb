import type { SeenRepo } from "../../src/repos/types.ts";
import type { RepoActionSource, WebServices } from "../area.ts";
import type { RepoAction } from "../layout/contributions.ts";
import { repoHref } from "../links.ts";
import { starsWords } from "./words/index.ts";

/** The star button for a viewer of the repository: stars it or removes the star. */
export function starButton(services: WebServices, seen: SeenRepo): RepoAction {
  const isStarred = services.stars.isFollowed(seen);
  return {
    id: "star",
    label: starsWords.label(isStarred ? "unstar" : "star"),
    icon: isStarred ? "star-fill" : "star",
    ...actionOf(seen, isStarred ? "unstar" : "star"),
    count: services.stars.count(seen),
    list: { href: hrefOf(seen, "stars"), label: starsWords.label("stargazers") },
  };
}

/** The same for watching. */
export function watchButton(services: WebServices, seen: SeenRepo): RepoAction {
  const isWatched = services.watches.isFollowed(seen);
  return {
    id: "watch",
    label: starsWords.label(isWatched ? "unwatch" : "watch"),
    icon: "eye",
    ...actionOf(seen, isWatched ? "unwatch" : "watch"),
    count: services.watches.count(seen),
    list: { href: hrefOf(seen, "watchers"), label: starsWords.label("watchers") },
  };
}

export const followButtons: readonly RepoActionSource[] = [
  { id: "watch", order: 10, of: watchButton },
  {
    id: "star",
    order: 20,
    of: (services, seen) => (services.config["repository.stars"] ? starButton(services, seen) : undefined),
  },
];

/** Visitors get no form, but a link to sign in. */
function actionOf(seen: SeenRepo, what: string): Pick<RepoAction, "action"> {
  return seen.principal.user ? { action: hrefOf(seen, `action/${what}`) } : {};
}

function hrefOf({ owner, repo }: SeenRepo, sub: string): string {
  return repoHref({ owner: owner.login, name: repo.name }, sub);
}
