import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { SeenRepo } from "../repos/types.ts";

export const projectTemplates = ["none", "kanban", "triage"] as const;
export type ProjectTemplate = (typeof projectTemplates)[number];

export const cardTypes = ["text", "images"] as const;
export type CardType = (typeof cardTypes)[number];

/** A board: issues and pull requests as cards in columns. */
export interface Project {
  readonly id: number;
  /** The repository it belongs to; undefined: an account's board. */
  readonly repoId: number | undefined;
  /** The account it belongs to; undefined: a repository's board. */
  readonly ownerId: number | undefined;
  readonly creatorId: number | undefined;
  readonly title: string;
  readonly description: string;
  readonly template: ProjectTemplate;
  readonly cardType: CardType;
  readonly closedAt: number | undefined;
  /** Counts of all its cards, including those the viewer may not read. */
  readonly openItems: number;
  readonly closedItems: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface ProjectColumn {
  readonly id: number;
  readonly projectId: number;
  readonly title: string;
  /** `#` and six hexadecimal digits; empty: none. */
  readonly color: string;
  readonly sorting: number;
  /** New cards are added here. */
  readonly isDefault: boolean;
  /** Count of all its cards, including those the viewer may not read. */
  readonly cards: number;
}

/** An item's position on a board. */
export interface ProjectCard {
  readonly projectId: number;
  readonly issueId: number;
  readonly columnId: number;
  readonly sorting: number;
}

/** An account with boards for all its repositories, as one principal sees it. */
export interface SeenOwner {
  readonly principal: Principal;
  readonly owner: User;
  readonly mayWrite: boolean;
}

/** The owner of boards, as one principal sees it. */
export type ProjectHome = SeenRepo | SeenOwner;

/** A board as one principal sees it. */
export interface SeenProject {
  readonly home: ProjectHome;
  readonly project: Project;
}

export const projectOrders = [
  "newest",
  "oldest",
  "recentupdate",
  "leastupdate",
  "alphabetically",
  "reversealphabetically",
] as const;
export type ProjectOrder = (typeof projectOrders)[number];

export interface ProjectFilter {
  readonly state: "open" | "closed" | "all";
  /** Part of the title, case-insensitive; empty: any. */
  readonly text: string;
  readonly order: ProjectOrder;
}

/** A requested change of a board; absent fields are left unchanged. */
export interface ProjectEdit {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly cardType?: CardType | undefined;
}

export interface ColumnEdit {
  readonly title?: string | undefined;
  readonly color?: string | undefined;
}

/** Which cards a board shows. */
export interface CardFilter {
  /** Cards must have all of these labels. */
  readonly labelIds: readonly number[];
  readonly assigneeId?: number | undefined;
  /** -1: none. */
  readonly milestoneId?: number | undefined;
}

/** A card's new position in its column. */
export interface CardPlace {
  readonly issueId: number;
  readonly sorting: number;
}

export function isRepoHome(home: ProjectHome): home is SeenRepo {
  return "repo" in home;
}
