import type { SeenOrganization } from "../organizations/types.ts";
import type { SeenRepo } from "../repos/types.ts";

/** A word that sorts items; of a repository, or of an organization for all of its repositories. */
export interface Label {
  readonly id: number;
  /** The repository whose it is; undefined: an organization's. */
  readonly repoId: number | undefined;
  /** The organization whose it is; undefined: a repository's. */
  readonly ownerId: number | undefined;
  readonly name: string;
  /** Six lower-case hexadecimal digits. */
  readonly color: string;
  readonly description: string;
  /** An item has at most one label of its scope. */
  readonly isExclusive: boolean;
  /** Among the labels of its scope; 0: none. */
  readonly exclusiveOrder: number;
  readonly archivedAt: number | undefined;
  readonly openItems: number;
  readonly closedItems: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What has labels of its own, as one principal sees it. */
export type LabelHome = SeenRepo | SeenOrganization;

export const labelOrders = ["name", "reversealphabetically", "leastissues", "mostissues"] as const;
export type LabelOrder = (typeof labelOrders)[number];

/** What someone says of a label; absent: as it is, or as it is by itself. */
export interface LabelEdit {
  readonly name?: string | undefined;
  readonly color?: string | undefined;
  readonly description?: string | undefined;
  readonly isExclusive?: boolean | undefined;
  readonly exclusiveOrder?: number | undefined;
  readonly isArchived?: boolean | undefined;
}

export interface NewLabel extends LabelEdit {
  readonly name: string;
  readonly color: string;
}

/** What stands before the last slash of an exclusive label's name; undefined: it excludes no other. */
export function scopeOf({ name, isExclusive }: Pick<Label, "name" | "isExclusive">): string | undefined {
  const slash = name.lastIndexOf("/");
  return isExclusive && slash > 0 && slash < name.length - 1 ? name.slice(0, slash) : undefined;
}
