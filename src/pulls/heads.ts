import { atLeast } from "../access/levels.ts";
import type { RevisionService } from "../content/revisions/service.ts";
import type { ForkService } from "../forks/service.ts";
import type { Oid } from "../git/objects/types.ts";
import { BRANCHES } from "../git/refs/names.ts";
import type { IdentityService } from "../identity/service.ts";
import { BadRequest, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { Repo, SeenRepo } from "../repos/types.ts";
import { parseHead } from "./values.ts";

/** A branch of some repository. */
export interface HeadBranch {
  readonly seen: SeenRepo;
  readonly branch: string;
}

/** The sources of pull requests: branches of the repository itself or of a relative in its fork network. */
export class PullHeads {
  constructor(
    private readonly identity: IdentityService,
    private readonly repos: RepoService,
    private readonly forks: ForkService,
    private readonly refs: RefService,
    private readonly revisions: RevisionService,
  ) {}

  /**
   * Resolves the head named when searching for a pull request: for `owner:`, the repository has the base's name.
   * @throws NotFound if there is no such repository, or none visible to the principal
   */
  named(base: SeenRepo, text: string): { readonly repo: Repo; readonly branch: string } {
    const { owner, repo, branch } = parseHead(text);
    if (owner === undefined) return { repo: base.repo, branch };
    return { repo: this.seenRepo(base, owner, repo ?? base.repo.name).repo, branch };
  }

  /**
   * Resolves the head named when creating a pull request: for `owner:`, that account's repository in the fork network.
   * @throws NotFound if there is no such account or repository, or its code may not be read; BadRequest if the account
   *   has none in the fork network
   */
  requested(base: SeenRepo, text: string): HeadBranch {
    const { owner, repo, branch } = parseHead(text);
    if (owner === undefined) return { seen: base, branch };
    const seen = repo === undefined ? this.relative(base, owner) : this.seenRepo(base, owner, repo);
    if (!this.forks.areRelated(base.repo, seen.repo)) throw noFork(owner);
    if (!atLeast(seen.access.on("code"), "read")) throw new NotFound("pull.head-not-readable");
    return { seen, branch };
  }

  /**
   * The tip of a branch.
   * @throws NotFound if there is nothing of that name; ValidationFailed if it is a tag or a commit
   */
  async tip(seen: SeenRepo, branch: string): Promise<Oid> {
    const found = this.refs.find(seen.repo.id, BRANCHES + branch)?.oid;
    if (found !== undefined) return found;
    const other = branch === "" ? undefined : await this.revisions.settled(() => this.revisions.named(seen, branch));
    if (other && other.kind !== "branch") throw new ValidationFailed("pull.not-branches");
    throw new NotFound("pull.no-such-ref", { params: { name: branch } });
  }

  private relative(base: SeenRepo, ownerName: string): SeenRepo {
    const owner = this.identity.byLogin(ownerName);
    if (!owner || (owner.id !== base.owner.id && !this.identity.sees(base.principal, owner))) throw new NotFound();
    const found = this.forks.relativeBy(base, owner);
    if (found) return found;
    throw found === null ? new NotFound("pull.head-not-readable") : noFork(ownerName);
  }

  private seenRepo({ principal }: SeenRepo, owner: string, name: string): SeenRepo {
    const key = `${owner}/${name}`.toLowerCase();
    const found = this.repos.seeNamed(principal, [[owner.toLowerCase(), name.toLowerCase()]]).get(key);
    if (!found) throw new NotFound();
    return found;
  }
}

const noFork = (owner: string) => new BadRequest("pull.no-fork", { params: { owner } });
