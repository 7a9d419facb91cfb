import type { Principal } from "../access/principal.ts";
import type { Outbox } from "../events/outbox.ts";
import type { DomainEvent } from "../events/types.ts";
import type { IdentityService } from "../identity/service.ts";
import type { LiveHub } from "../live/hub.ts";
import type { RepoService } from "./service.ts";

/** The topic of what happens in all repositories, of which each listener is told what they may read. */
export const ALL_REPOS = "repositories:all";

/** Tells pages with lists of repositories or accounts that they are to be fetched again. */
export function tellLists(
  { live, outbox }: { readonly live: LiveHub; readonly outbox: Outbox },
  identity: IdentityService,
  repos: RepoService,
): void {
  live.declareTopic("repositories", (principal, _id, unit, repoId) =>
    repoId === undefined ? true : repos.mayRead(principal, repoId, unit) || owns(repos, principal, repoId),
  );
  outbox.listen((event) => {
    if (!live.hasListeners(ALL_REPOS)) return;
    const { id, kind, repoId, unit } = event;
    const message = { event: kind, data: String(id) };
    if (repoId !== undefined && !wasOpen(identity, repos, event)) live.publish(ALL_REPOS, { ...message, repoId, unit });
    else if (repoId !== undefined || isOfOpenAccount(identity, event)) live.publish(ALL_REPOS, message);
  });
}

/** Also one that is in the bin, which nobody reads. */
function owns(repos: RepoService, { user }: Principal, repoId: number): boolean {
  return user !== undefined && repos.byId(repoId)?.ownerId === user.id;
}

/** Something that everyone saw is gone, which those who do not see it any more are to be told. */
function wasOpen(identity: IdentityService, repos: RepoService, { kind, repoId = 0 }: DomainEvent): boolean {
  const isGone = kind === "repo.hidden" || kind === "repo.deleted";
  const repo = isGone ? repos.byId(repoId) : undefined;
  if (!repo || (kind === "repo.deleted" && repo.isPrivate)) return false;
  return identity.byId(repo.ownerId)?.visibility === "public";
}

function isOfOpenAccount(identity: IdentityService, { kind, ownerId }: DomainEvent): boolean {
  if (ownerId === undefined || (kind !== "user.created" && kind !== "user.renamed")) return false;
  return identity.byId(ownerId)?.visibility === "public";
}
