import type { Principal } from "../access/principal.ts";
import type { RefResult } from "../git/refs/types.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import { asCode } from "../repos/folders/types.ts";
import { keepsWiki } from "../repos/settings/defaults.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { RefSelection } from "./selection.ts";
import type { Fetched, FetchInto, RemoteRequest, RemoteService } from "./service.ts";
import { findWiki } from "./wiki.ts";

export interface BringParts {
  readonly folders: GitFolders;
  readonly remotes: RemoteService;
}

export interface BringRequest extends RemoteRequest, Pick<FetchInto, "prune" | "told"> {
  readonly principal: Principal;
  readonly hasWiki: boolean;
}

/** Branches, tags and notes, but not the refs other servers generate, which mean nothing here. */
const EVERYTHING: RefSelection = { tags: true, others: true };

/** Updates a repository, and its wiki if requested, to the state elsewhere. @throws Failure */
export async function bringRepository(parts: BringParts, seen: SeenRepo, request: BringRequest): Promise<Fetched> {
  const { hasWiki, ...fetch } = request;
  const fetched = await parts.remotes.fetch({ ...fetch, repo: seen.repo, select: EVERYTHING });
  requireAll(fetched.results);
  if (hasWiki && keepsWiki(seen.repo.settings)) await bringWiki(parts, seen, request);
  return fetched;
}

async function bringWiki({ folders, remotes }: BringParts, seen: SeenRepo, request: BringRequest): Promise<void> {
  const found = await findWiki(remotes, request);
  // A wiki that is empty or has another object format cannot be stored here.
  const { repo } = seen;
  if (!found || found.listing.refs.length === 0 || found.listing.format !== repo.objectFormat) return;
  const branch = found.listing.head?.replace("refs/heads/", "") ?? "main";
  const folder = await folders.begin(repo, "wiki", branch);
  const fetched = await remotes.fetch({
    ...request,
    address: found.address,
    repo: asCode(seen, folder).repo,
    select: EVERYTHING,
  });
  requireAll(fetched.results);
}

/** @throws ValidationFailed a ref could not be updated */
function requireAll(results: readonly RefResult[]): void {
  const refused = results.find(({ ok }) => !ok);
  if (refused) throw new ValidationFailed("remote.ref-refused", { params: { name: refused.name } });
}
