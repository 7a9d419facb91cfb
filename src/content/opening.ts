import type { Core } from "../core.ts";
import type { Services } from "../services.ts";
import { BlameService } from "./blame/service.ts";
import { RenamedBranches } from "./branches/renamed-store.ts";
import { BranchService } from "./branches/service.ts";
import { CommitService } from "./commits/service.ts";
import { ForkNetwork } from "./compare/network.ts";
import { CompareService } from "./compare/service.ts";
import { LargeFileEdits } from "./edits/large-files.ts";
import { EditService } from "./edits/service.ts";
import { FileService } from "./files/service.ts";
import { GitDataService } from "./git/service.ts";
import { GraphService } from "./graph/service.ts";
import { HistoryService } from "./history/service.ts";
import { RuledRefs } from "./refs/ruled.ts";
import { RefListService } from "./refs/service.ts";
import { ReplayService } from "./replays/service.ts";
import { RevisionService } from "./revisions/service.ts";
import { CommitSigning } from "./signing/service.ts";
import { TagService } from "./tags/service.ts";

declare module "../services.ts" {
  interface Services {
    readonly revisions: RevisionService;
    readonly files: FileService;
    readonly history: HistoryService;
    readonly blame: BlameService;
    readonly commits: CommitService;
    readonly branches: BranchService;
    readonly tags: TagService;
    readonly refLists: RefListService;
    readonly edits: EditService;
    readonly replays: ReplayService;
    readonly commitSigning: CommitSigning;
    readonly gitData: GitDataService;
    readonly compare: CompareService;
    readonly graph: GraphService;
  }
}

export function openContent({ caches, clock, db, links, outbox, pool }: Core, services: Services) {
  const {
    blobs,
    branchProtections,
    identity,
    lfs,
    lfsUploads,
    pushRules,
    reachability,
    refs,
    repos,
    signatures,
    signing,
    storage,
  } = services;
  const { tagProtections } = services;
  const renamed = new RenamedBranches(db);
  const ruled = new RuledRefs(repos, refs, pushRules);
  const history = new HistoryService(storage, pool, caches);
  const revisions = new RevisionService(refs, storage, reachability, renamed, history);
  const commits = new CommitService(storage, identity, links);
  const files = new FileService(storage, pool);
  const refLists = new RefListService(refs, storage, history, pool, caches);
  const commitSigning = new CommitSigning({ signing, signatures, commits, history, identity, links });
  return {
    revisions,
    history,
    commits,
    files,
    refLists,
    blame: new BlameService(files, storage, pool, caches),
    compare: new CompareService(revisions, history, new ForkNetwork(repos, identity), storage, pool),
    graph: new GraphService(storage, pool, caches),
    gitData: new GitDataService(refs, storage, files, history, pool, caches),
    branches: new BranchService({
      history,
      lists: refLists,
      outbox,
      protections: branchProtections,
      refs,
      renamed,
      repos,
      revisions,
      ruled,
      storage,
    }),
    tags: new TagService(refs, ruled, tagProtections, storage, commits, revisions, links, clock, refLists),
    commitSigning,
    replays: new ReplayService(refs, ruled, storage, pool, links, clock, commitSigning, caches),
    edits: new EditService({
      clock,
      commits,
      history,
      largeFiles: new LargeFileEdits({ blobs, files, lfs, lfsUploads }),
      links,
      pool,
      refs,
      repos,
      ruled,
      signing: commitSigning,
      storage,
    }),
  };
}
