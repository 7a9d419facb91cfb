import type { User } from "../access/user.ts";
import type { Links } from "../kernel/links.ts";
import type { Repo } from "../repos/types.ts";

/** Ids that name this site's actors to others: unlike names, they do not change. */

const root = ({ rootUrl }: Links) => `${rootUrl}api/v1/activitypub`;

export const siteActor = (links: Links) => `${root(links)}/actor`;
export const userActor = (links: Links, { id }: Pick<User, "id">) => `${root(links)}/user-id/${id}`;
export const repositoryActor = (links: Links, { id }: Pick<Repo, "id">) => `${root(links)}/repository-id/${id}`;

export const keyIdOf = (actor: string) => `${actor}#main-key`;
