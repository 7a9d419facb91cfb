import type { Decision, OpenedUnits } from "../access/decide.ts";
import type { Level, Unit } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { ObjectFormat } from "../git/objects/format.ts";

/** Settings of a repository that differ from the defaults. */
export interface RepoSettings {
  /** Disabled units. */
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
  /** Closing keywords work in commits on any branch, not only the default one. */
  closesFromAnyBranch?: boolean;
  externalTracker?: { url: string; format: string; style: string; regexpPattern: string };
  externalWiki?: { url: string };
  /** What people without other access may read. */
  opened?: OpenedUnits;
  /** Every account that can read the wiki may edit it. */
  wikiForEveryone?: boolean;
  /** Whose valid signatures count as trusted; absent: the site's default. */
  trustModel?: TrustModel;
}

/**
 * Whose valid signatures count: collaborators with write access, the committer, or a committer who has write access.
 */
export const trustModels = ["collaborator", "committer", "collaboratorcommitter"] as const;
export type TrustModel = (typeof trustModels)[number];

export interface Repo {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly description: string;
  readonly website: string;
  /** Address of the uploaded avatar; empty if there is none. */
  readonly avatar: string;
  readonly isPrivate: boolean;
  readonly isTemplate: boolean;
  /** The repository it was forked from; also undefined if that has been deleted. */
  readonly forkOf: number | undefined;
  /** Mirrors a repository elsewhere; nothing else changes its content. */
  readonly isMirror: boolean;
  /** Where it was imported from, without credentials; empty if it was created here. */
  readonly originalUrl: string;
  readonly isArchived: boolean;
  readonly archivedAt: number | undefined;
  /** Deleted, but still restorable. */
  readonly isBinned: boolean;
  readonly isEmpty: boolean;
  readonly defaultBranch: string;
  /** The object hash; never changes. */
  readonly objectFormat: ObjectFormat;
  readonly sizeBytes: number;
  readonly primaryLanguage: string;
  /** Bytes per language on the default branch. */
  readonly languages: Readonly<Record<string, number>>;
  readonly licenses: readonly string[];
  /** The default branch tip whose history was last counted; empty if none was. */
  readonly countedTip: string;
  /** Number of commits in that history. */
  readonly commitCount: number;
  readonly settings: RepoSettings;
  /** Increases with every ref change. */
  readonly refsVersion: number;
  readonly pushedAt: number | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A repository as one principal sees it, with its owner and the principal's access. */
export interface SeenRepo {
  readonly principal: Principal;
  readonly repo: Repo;
  readonly owner: User;
  readonly access: Decision;
}

/**
 * Counts shown beside a repository. Each comes from the area that owns the counted things (`RepoService.addCount`) and
 * is 0 if no area does. Areas add more by declaration merging.
 */
export interface RepoCounts {
  readonly branches: number;
  readonly stars: number;
  readonly watchers: number;
  readonly forks: number;
  readonly openIssues: number;
  readonly openPulls: number;
  readonly releases: number;
  /** 1 while a transfer awaits the recipient's answer. */
  readonly pendingTransfers: number;
  /** Bytes of LFS objects. */
  readonly lfsBytes: number;
}

export type RepoCountName = keyof RepoCounts;

/**
 * Texts shown beside a repository. Each list comes from the area that owns it (`RepoService.addList`), empty if no area
 * does.
 */
export interface RepoLists {
  readonly topics: readonly string[];
  /** The default branch of the wiki, if the wiki exists. */
  readonly wikiBranches: readonly string[];
  /** For a mirror: interval, last settings change or sync attempt, and last successful sync; all in milliseconds. */
  readonly mirrorTimes: readonly (number | null)[];
}

export type RepoListName = keyof RepoLists;

/** Counts and lists that areas contribute to a repository's lists and resources. */
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
