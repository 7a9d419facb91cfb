import type { Database } from "../db/database.ts";
import type { Links } from "../identity/resource.ts";
import type { IdentityService } from "../identity/service.ts";
import type { CacheBudget } from "../kernel/cache.ts";
import type { Clock } from "../kernel/clock.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { WorkerPool } from "../workers/pool.ts";
import { RenamedBranches } from "./branches/renamed-store.ts";
import { BranchService } from "./branches/service.ts";
import { CommitService } from "./commits/service.ts";
import { CompareService } from "./compare/service.ts";
import { EditService } from "./edits/service.ts";
import { FileService } from "./files/service.ts";
import { GitDataService } from "./git/service.ts";
import { HistoryService } from "./history/service.ts";
import { RevisionService } from "./revisions/service.ts";
import { TagService } from "./tags/service.ts";

/** What repositories hold. */
export interface ContentServices {
  readonly revisions: RevisionService;
  readonly files: FileService;
  readonly history: HistoryService;
  readonly commits: CommitService;
  readonly branches: BranchService;
  readonly tags: TagService;
  readonly edits: EditService;
  readonly gitData: GitDataService;
  readonly compare: CompareService;
}

export interface ContentNeeds {
  readonly db: Database;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly storage: RepoStorage;
  readonly pool: WorkerPool;
  readonly identity: IdentityService;
  readonly links: Links;
  readonly clock: Clock;
  readonly caches: CacheBudget;
}

/** Wires the services of this area; called by the composition root alone. */
export function openContent(needs: ContentNeeds): ContentServices {
  const { db, refs, repos, storage, pool, identity, links, clock, caches } = needs;
  const renamed = new RenamedBranches(db);
  const revisions = new RevisionService(refs, storage, renamed);
  const history = new HistoryService(storage, pool, caches);
  const commits = new CommitService(storage, identity, links);
  const files = new FileService(storage);
  return {
    revisions,
    history,
    commits,
    files,
    compare: new CompareService(revisions, history),
    gitData: new GitDataService(refs, storage, files, history, pool, caches),
    branches: new BranchService(db, refs, repos, storage, revisions, history, renamed, caches),
    tags: new TagService(refs, storage, commits, revisions, links, clock, caches),
    edits: new EditService(repos, refs, storage, pool, links, clock),
  };
}
