import type { FileService } from "../../content/files/service.ts";
import type { RevisionService } from "../../content/revisions/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { CalledFile } from "./types.ts";

export interface CalledFileNeeds {
  readonly files: FileService;
  readonly repos: RepoService;
  readonly revisions: RevisionService;
  /** The site's own address, which may stand before `owner/repo`. */
  readonly root: string;
}

/** Whose call it is. */
export interface Caller {
  readonly repoId: number;
  /** Where the calling file was read. */
  readonly commit: string;
  /** Its code is a stranger's: it reaches public repositories alone. */
  readonly isOfFork: boolean;
}

/** Reads the file that `uses` names, with the rights of the run's repository. @throws NotFound; ValidationFailed no such form */
export function readCalled(needs: CalledFileNeeds, caller: Caller, uses: string): CalledFile {
  throw new Error(`${needs}${caller}${uses}`);
}
