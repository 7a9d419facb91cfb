import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import { diskTrouble } from "../kernel/disk.ts";
import { Conflict, NotFound, WritesStopped } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { RepoRegistration } from "../repos/creation/registration.ts";
import { codeFolderOf } from "../repos/folders/types.ts";
import type { RepoRemoval } from "../repos/removal.ts";
import type { RepoService } from "../repos/service.ts";
import type { Repo } from "../repos/types.ts";
import type { SeenFolder } from "./access.ts";

interface ToCreate {
  readonly owner: User;
  readonly name: string;
}

/** Someone else made a repository of that name in the same moment: the push is one to that, if its sender may. */
export class MadeMeanwhile extends NotFound {
  override name = "MadeMeanwhile";
  constructor() {
    super("git.repository-missing");
  }
}

/** Repositories that pushes make, and that go again when nothing comes of the push. */
export class PushCreation {
  constructor(
    private readonly repos: RepoService,
    private readonly registration: RepoRegistration,
    private readonly removal: RepoRemoval,
    private readonly newArePrivate: boolean,
    private readonly log: Log,
  ) {}

  /** @throws MadeMeanwhile, NotFound it could not be made, and trouble of the disk */
  async make(create: ToCreate, principal: Principal): Promise<SeenFolder> {
    if (!principal.user) throw new NotFound("git.repository-missing");
    let repo: Repo;
    try {
      repo = await this.registration.create(principal, {
        owner: create.owner,
        name: create.name,
        isPrivate: this.newArePrivate,
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

  /** The push is over, well or not. */
  end(repo: Repo, principal: Principal): void {
    try {
      this.removal.pushEnded(principal, repo);
    } catch (error) {
      this.log.warn("it could not be recorded that the push that made a repository is over", { repo: repo.id, error });
    }
  }

  /** At start and now and then: takes away what pushes made that came to nothing. */
  sweep(isPushed: (repoId: number) => boolean): void {
    this.removal.endPushes(isPushed);
  }
}
