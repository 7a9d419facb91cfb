import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import { diskTrouble } from "../kernel/disk.ts";
import { Conflict, NotFound, WritesStopped } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { RepoRegistration } from "../repos/creation/registration.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import { codeFolderOf } from "../repos/folders/types.ts";
import type { RepoRemoval } from "../repos/removal.ts";
import type { RepoService } from "../repos/service.ts";
import type { Repo } from "../repos/types.ts";
import type { NewFolder, SeenFolder } from "./access.ts";

interface ToCreate {
  readonly owner: User;
  readonly name: string;
}

/** A repository of that name was created concurrently: the push goes there, if its sender may. */
export class MadeMeanwhile extends NotFound {
  override name = "MadeMeanwhile";
  constructor() {
    super("git.repository-missing");
  }
}

/** Creates repositories for pushes, deleting them if the push fails, and further git directories of repositories. */
export class PushCreation {
  constructor(
    private readonly repos: RepoService,
    private readonly registration: RepoRegistration,
    private readonly removal: RepoRemoval,
    private readonly folders: GitFolders,
    private readonly options: { readonly newArePrivate: boolean; readonly defaultBranch: string },
    private readonly log: Log,
  ) {}

  /** @throws MadeMeanwhile, NotFound it could not be created, and disk errors */
  async make(create: ToCreate, principal: Principal): Promise<SeenFolder> {
    if (!principal.user) throw new NotFound("git.repository-missing");
    let repo: Repo;
    try {
      repo = await this.registration.create(principal, {
        owner: create.owner,
        name: create.name,
        isPrivate: this.options.newArePrivate,
        awaitsPush: true,
      });
    } catch (error) {
      if (diskTrouble(error) !== undefined || error instanceof WritesStopped) throw error;
      if (error instanceof Conflict) throw new MadeMeanwhile();
      throw new NotFound("git.repository-missing");
    }
    const seen = this.repos.seeById(principal, repo.id);
    if (!seen) throw new NotFound("git.repository-missing");
    return { seen, folder: codeFolderOf(seen.repo) };
  }

  /** Creates the further git directory that is pushed to; it stays, empty, if the push fails. */
  async begin({ seen, begins }: NewFolder): Promise<SeenFolder> {
    return { seen, folder: await this.folders.begin(seen.repo, begins, this.options.defaultBranch) };
  }

  /** Called after the push, successful or not. */
  end(repo: Repo, principal: Principal): void {
    try {
      this.removal.pushEnded(principal, repo);
    } catch (error) {
      this.log.warn("it could not be recorded that the push that made a repository is over", { repo: repo.id, error });
    }
  }

  /** At startup and periodically: deletes repositories created for pushes that failed. */
  sweep(isPushed: (repoId: number) => boolean): void {
    this.removal.endPushes(isPushed);
  }
}
