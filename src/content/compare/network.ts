import { atLeast } from "../../access/levels.ts";
import type { IdentityService } from "../../identity/service.ts";
import { BadRequest, NotFound } from "../../kernel/errors.ts";
import type { RepoService } from "../../repos/service.ts";
import type { Repo, SeenRepo } from "../../repos/types.ts";

/** Finds the repositories of the same fork network (contract git-content.md 7.5). */
export class ForkNetwork {
  constructor(
    private readonly repos: RepoService,
    private readonly identity: Pick<IdentityService, "byLogin" | "sees">,
  ) {}

  /**
   * The repository that `owner` or `owner/repository` refers to in relation to this one, with code the caller may read.
   * @throws BadRequest if the owner has none that is visible; NotFound if no such account is visible, or there is no
   *   relative of that name
   */
  find(seen: SeenRepo, place: string): SeenRepo {
    const [ownerName = "", name] = place.split("/", 2);
    const owner = this.identity.byLogin(ownerName);
    let found: Repo | undefined;
    if (owner && name !== undefined) {
      const named = this.repos.find(owner, name);
      found = named && this.repos.familyRoot(named) === this.repos.familyRoot(seen.repo) ? named : undefined;
    } else if (owner) found = this.repos.relativeOf(seen.repo, owner);
    const visible = found && this.repos.seeById(seen.principal, found.id);
    if (visible && atLeast(visible.access.on("code"), "read")) return visible;
    if (name !== undefined) throw new NotFound("object.missing", { params: { id: place } });
    if (!owner || !this.identity.sees(seen.principal, owner)) throw new NotFound();
    throw new BadRequest("compare.no-fork", { params: { owner: ownerName } });
  }
}
