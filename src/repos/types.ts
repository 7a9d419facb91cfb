import type { Decision, OpenedUnits } from "../access/decide.ts";
import type { Level, Unit } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { ObjectFormat } from "../git/objects/format.ts";

/** Settings of a repository that differ from the default; absent means default. */
export interface RepoSettings {
  /** Units switched off. */
  off?: Unit[];
  ignoreWhitespaceConflicts?: boolean;
  allowMergeCommits?: boolean;
  allowRebase?: boolean;
  allowRebaseExplicit?: boolean;
  allowSquash?: boolean;
  allowFastForwardOnly?: boolean;
  allowManualMerge?: boolean;
  autodetectManualMerge?: boolean;
  allowMergeUpdate?: boolean;
  allowRebaseUpdate?: boolean;
  defaultDeleteBranchAfterMerge?: boolean;
  defaultMergeStyle?: string;
  defaultUpdateStyle?: string;
  defaultAllowMaintainerEdit?: boolean;
  projectsMode?: string;
  internalTracker?: {
    enableTimeTracker: boolean;
    allowOnlyContributorsToTrackTime: boolean;
    enableIssueDependencies: boolean;
  };
  /** Words of commits close issues from whatever branch they are on. */
  closesFromAnyBranch?: boolean;
  externalTracker?: { url: string; format: string; style: string; regexpPattern: string };
  externalWiki?: { url: string };
  /** What may be read of it by those who may not read the rest. */
  opened?: OpenedUnits;
  /** Every account that reads the wiki may write it. */
  wikiForEveryone?: boolean;
  /** Whose good signatures count; absent: as the site says. */
  trustModel?: TrustModel;
}

/** Whose good signature counts: of who may write, of the committer, of a committer who may write. */
export const trustModels = ["collaborator", "committer", "collaboratorcommitter"] as const;
export type TrustModel = (typeof trustModels)[number];

export interface Repo {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly description: string;
  readonly website: string;
  /** The address of the uploaded picture; empty when there is none. */
  readonly avatar: string;
  readonly isPrivate: boolean;
  readonly isTemplate: boolean;
  /** What it was forked from; undefined also when that is gone. */
  readonly forkOf: number | undefined;
  /** It follows a repository elsewhere, and nothing else changes its content. */
  readonly isMirror: boolean;
  /** Where it was brought in from, without credentials; empty: it began here. */
  readonly originalUrl: string;
  readonly isArchived: boolean;
  readonly archivedAt: number | undefined;
  /** It was deleted, and can still be restored. */
  readonly isBinned: boolean;
  readonly isEmpty: boolean;
  readonly defaultBranch: string;
  /** How its objects are named; for ever. */
  readonly objectFormat: ObjectFormat;
  readonly sizeBytes: number;
  readonly primaryLanguage: string;
  /** Bytes by language of the default branch. */
  readonly languages: Readonly<Record<string, number>>;
  readonly licenses: readonly string[];
  /** The tip of the default branch whose history was counted last; empty: none yet. */
  readonly countedTip: string;
  /** Commits of that history. */
  readonly commitCount: number;
  readonly settings: RepoSettings;
  /** Changes with every change of a ref. */
  readonly refsVersion: number;
  readonly pushedAt: number | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A repository as one principal sees it: with its owner, who asks, and what they may do on it. */
export interface SeenRepo {
  readonly principal: Principal;
  readonly repo: Repo;
  readonly owner: User;
  readonly access: Decision;
}

/**
 * Numbers shown beside a repository: those of its resource, each counted by the area that owns what is counted
 * (`RepoService.addCount`) and 0 without one. An area adds further ones by declaration merging.
 */
export interface RepoCounts {
  readonly branches: number;
  readonly stars: number;
  readonly watchers: number;
  readonly forks: number;
  readonly openIssues: number;
  readonly openPulls: number;
  readonly releases: number;
  /** 1 while a transfer waits for its recipient's answer. */
  readonly pendingTransfers: number;
  /** Bytes of its large files. */
  readonly lfsBytes: number;
}

export type RepoCountName = keyof RepoCounts;

/** Words shown beside a repository, each list from the area that owns it (`RepoService.addList`), empty without one. */
export interface RepoLists {
  readonly topics: readonly string[];
  /** The default branch of its wiki, if that is stored. */
  readonly wikiBranches: readonly string[];
  /** Of a mirror: its interval, when its settings or a try changed it, when it was last brought up to date; milliseconds. */
  readonly mirrorTimes: readonly (number | null)[];
}

export type RepoListName = keyof RepoLists;

/** What areas say of a repository in lists and resources. */
export type RepoSummary = RepoCounts & RepoLists;

export const emptySummary: RepoSummary = {
  branches: 0,
  stars: 0,
  watchers: 0,
  forks: 0,
  openIssues: 0,
  openPulls: 0,
  releases: 0,
  pendingTransfers: 0,
  lfsBytes: 0,
  topics: [],
  wikiBranches: [],
  mirrorTimes: [],
};

export interface Collaborator {
  readonly user: User;
  readonly level: Level;
  readonly createdAt: number;
}
