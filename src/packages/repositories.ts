import { atLeast } from "../access/levels.ts";
import type { Database } from "../db/database.ts";
import { BadRequest, Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import * as store from "./repositories-store.ts";
import type { Package, PackageVersion, SeenPackages } from "./types.ts";
import { requireWrite } from "./viewer.ts";

/** Links packages to repositories (contract packages.md 2.4 and 5). */
export class PackageRepositories {
  constructor(private readonly parts: { readonly db: Database; readonly repos: RepoService }) {}

  /**
   * Links a package to a repository of its owner.
   * @throws NotFound; BadRequest if it is already linked; Forbidden without write access to the repository's packages
   */
  link(seen: SeenPackages, found: Package, repoName: string): void {
    requireWrite(seen, found);
    const repo = this.repoNamed(seen, repoName);
    if (!repo) throw new NotFound("packages.link-missing", { field: "repo_name" });
    this.linkTo(found, repo);
  }

  /**
   * Sets the linked repository; empty: none.
   * @throws ValidationFailed if it does not exist; otherwise as `link` and `unlink`
   */
  set(seen: SeenPackages, found: Package, repoName: string): void {
    requireWrite(seen, found);
    const repo = repoName === "" ? undefined : this.repoNamed(seen, repoName);
    if (repoName !== "" && !repo) throw new ValidationFailed("packages.link-missing", { field: "repo_name" });
    this.parts.db.transaction(() => {
      if (this.repoOf(found)) this.unlink(seen, found);
      if (repo) this.linkTo({ ...found, repoId: undefined }, repo);
    });
  }

  /** @throws BadRequest if it is not linked; Forbidden if the caller neither is nor administers the owner */
  unlink(seen: SeenPackages, found: Package): void {
    const { db } = this.parts;
    requireWrite(seen, found);
    const repo = this.repoOf(found);
    if (!repo) throw new BadRequest("packages.not-linked");
    if (!atLeast(seen.level, "admin")) throw new Forbidden("packages.link-refused");
    store.setRepo(db, found.id, null);
  }

  /** Links a package to a repository that its metadata names. Joins the running transaction. */
  linkPublished(found: Package, { repo }: SeenRepo): void {
    store.setRepo(this.parts.db, found.id, repo.id);
  }

  /** The repositories of packages, as far as the principal may see them, by ID. */
  of({ principal }: Pick<SeenPackages, "principal">, versions: readonly PackageVersion[]): Map<number, SeenRepo> {
    const ids = [...new Set(versions.flatMap((version) => version.package.repoId ?? []))];
    if (ids.length === 0) return new Map();
    return new Map(this.parts.repos.seeEach(principal, ids).map((each) => [each.repo.id, each]));
  }

  /** Unlinks the packages of a repository that moved to another owner. Joins the running transaction. */
  unlinkAll(repoId: number): void {
    store.unlinkAll(this.parts.db, repoId);
  }

  /** A repository of the same owner that the principal may see. */
  private repoNamed({ owner, principal }: SeenPackages, name: string): SeenRepo | undefined {
    const { repos } = this.parts;
    const repo = repos.find(owner, name);
    return repo && repos.seeById(principal, repo.id);
  }

  private linkTo(found: Package, { access, repo }: SeenRepo): void {
    const { db } = this.parts;
    if (!atLeast(access.on("packages"), "write")) throw new Forbidden("packages.link-refused");
    db.transaction(() => {
      if (this.repoOf(found)) throw new BadRequest("packages.linked");
      store.setRepo(db, found.id, repo.id);
    });
  }

  /** A repository in the bin counts as none. */
  private repoOf({ repoId }: Package) {
    const repo = repoId === undefined ? undefined : this.parts.repos.byId(repoId);
    return repo?.isBinned ? undefined : repo;
  }
}
