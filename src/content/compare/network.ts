import { atLeast } from "../../access/levels.ts";
import type { IdentityService } from "../../identity/service.ts";
import { BadRequest, NotFound } from "../../kernel/errors.ts";
import type { RepoService } from "../../repos/service.ts";
import type { Repo, SeenRepo } from "../../repos/types.ts";

/** Repositories above one are looked for so far up (contract git-content.md 7.5). */
const MAX_STEPS = 10;

/** Finds the repositories that belong to the same network of forks. */
export class ForkNetwork {
  constructor(
    private readonly repos: RepoService,
    private readonly identity: Pick<IdentityService, "byLogin">,
  ) {}

  /**
   * The repository that `owner` or `owner/repository` means beside this one, with code that whoever asks may read.
   * @throws BadRequest the owner has none that may be seen; NotFound there is none of that name, or it is no relative
   */
  find(seen: SeenRepo, place: string): SeenRepo {
    const [ownerName = "", name] = place.split("/", 2);
    const owner = this.identity.byLogin(ownerName);
    const above = this.upwards(seen.repo);
    let found: Repo | undefined;
    if (owner && name !== undefined) {
      const named = this.repos.find(owner, name);
      const root = above.at(-1)?.id;
      found = named && this.upwards(named).at(-1)?.id === root ? named : undefined;
    } else if (owner) {
      found = above[0]?.ownerId === owner.id ? above[0] : undefined;
      for (const each of above) {
        found ??= this.repos.forkOf(each.id, owner.id) ?? (each.ownerId === owner.id ? each : undefined);
      }
    }
    const visible = found && this.repos.seeById(seen.principal, found.id);
    if (visible && atLeast(visible.access.on("code"), "read")) return visible;
    if (name === undefined) throw new BadRequest("compare.no-fork", { params: { owner: ownerName } });
    throw new NotFound("object.missing", { params: { id: place } });
  }

  /** A repository and those above it, the root last. */
  private upwards(repo: Repo): Repo[] {
    const found = [repo];
    for (let step = 0; step < MAX_STEPS; step++) {
      const above = found.at(-1)?.forkOf;
      const next = above === undefined ? undefined : this.repos.byId(above);
      if (!next) break;
      found.push(next);
    }
    return found;
  }
}
