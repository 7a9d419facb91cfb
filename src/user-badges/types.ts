/** A badge for administrators to give to people. */
export interface NewBadge {
  /** Its name in addresses: letters, digits, hyphens. */
  readonly slug: string;
  readonly description: string;
  /** A http or https address; empty: none. */
  readonly imageUrl: string;
}

export interface Badge extends NewBadge {
  readonly id: number;
}
