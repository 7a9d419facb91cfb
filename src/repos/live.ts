import type { Principal } from "../access/principal.ts";
import type { Outbox } from "../events/outbox.ts";
import type { DomainEvent } from "../events/types.ts";
import type { IdentityService } from "../identity/service.ts";
import type { LiveHub } from "../live/hub.ts";
import type { RepoService } from "./service.ts";

/** The topic for events in all repositories; each listener receives those it may read. */
export const ALL_REPOS = "repositories:all";

/** Tells pages that list repositories or accounts to refetch. */
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

/** Also true for one in the bin, which nobody can read. */
function owns(repos: RepoService, { user }: Principal, repoId: number): boolean {
  return user !== undefined && repos.byId(repoId)?.ownerId === user.id;
}

/** Whether this hides something everyone could see, so that people who no longer see it must be notified too. */
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
