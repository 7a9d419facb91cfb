import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { LfsObjects } from "./service.ts";
import { objectsAfter, reposWithObjects } from "./store.ts";

/** A large file that cannot be fetched. */
export interface LfsProblem {
  /** The repository and the object. */
  readonly subject: string;
  readonly code: string;
  readonly canFix: false;
}

const BATCH = 500;

/**
 * Checks that the large files of repositories exist, for `hearth doctor`; their content is checked with all other
 * blobs.
 */
export class LfsInspector {
  constructor(
    private readonly db: Database,
    private readonly identity: IdentityService,
    private readonly objects: LfsObjects,
    private readonly repos: RepoService,
  ) {}

  /** @returns the number of objects, counted per repository, and those whose bytes are missing */
  inspect(): { readonly objects: number; readonly problems: LfsProblem[] } {
    const problems: LfsProblem[] = [];
    let objects = 0;
    for (const repoId of inBatches(
      (after) => reposWithObjects(this.db, after, BATCH),
      (id) => id,
    ))
      for (const object of inBatches(
        (after) => objectsAfter(this.db, repoId, after, BATCH),
        ({ id }) => id,
      )) {
        objects++;
        if (this.objects.isStored(object)) continue;
        const subject = `${this.nameOf(repoId)} ${object.oid}`;
        problems.push({ subject, code: "lfs.content-missing", canFix: false });
      }
    return { objects, problems };
  }

  private nameOf(repoId: number): string {
    const repo = this.repos.byId(repoId);
    return `${(repo && this.identity.byId(repo.ownerId)?.login) ?? ""}/${repo?.name ?? repoId}`;
  }
}

function* inBatches<Item>(read: (after: number) => Item[], idOf: (item: Item) => number): Generator<Item> {
  for (let after = 0; ; ) {
    const some = read(after);
    yield* some;
    const last = some.at(-1);
    if (last === undefined || some.length < BATCH) return;
    after = idOf(last);
  }
}
