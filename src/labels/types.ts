import type { SeenOrganization } from "../organizations/types.ts";
import type { SeenRepo } from "../repos/types.ts";

/** A label for categorizing items, of one repository, or of an organization for all its repositories. */
export interface Label {
  readonly id: number;
  /** The repository it belongs to; undefined: an organization's label. */
  readonly repoId: number | undefined;
  /** The organization it belongs to; undefined: a repository's label. */
  readonly ownerId: number | undefined;
  readonly name: string;
  /** Six lower-case hexadecimal digits. */
  readonly color: string;
  readonly description: string;
  /** An item has at most one label of its scope. */
  readonly isExclusive: boolean;
  /** Position among the labels of its scope; 0: none. */
  readonly exclusiveOrder: number;
  readonly archivedAt: number | undefined;
  readonly openItems: number;
  readonly closedItems: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The owner of labels, as one principal sees it. */
export type LabelHome = SeenRepo | SeenOrganization;

export const labelOrders = ["name", "reversealphabetically", "leastissues", "mostissues"] as const;
export type LabelOrder = (typeof labelOrders)[number];

/** The fields of a new or changed label; absent ones keep their value, or get the default. */
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

/** The part of an exclusive label's name before the last slash; undefined if it excludes no other labels. */
export function scopeOf({ name, isExclusive }: Pick<Label, "name" | "isExclusive">): string | undefined {
  const slash = name.lastIndexOf("/");
  return isExclusive && slash > 0 && slash < name.length - 1 ? name.slice(0, slash) : undefined;
}
