/** What happened, in the product's words. Consumers of the outbox read these; services only append them. */

/** One ref that a push, an edit or an API call changed. */
export interface RefMove {
  readonly name: string;
  readonly oldOid: string | null;
  readonly newOid: string | null;
}

export interface EventPayloads {
  "repo.created": { name: string };
  "repo.renamed": { from: string; to: string };
  "repo.edited": { fields: string[] };
  "repo.deleted": { name: string; ownerId: number };
  /** Refs moved, however it came about. */
  "refs.changed": { moves: RefMove[] };
  "collaborator.added": { userId: number; level: string };
  "collaborator.removed": { userId: number };
  "user.created": { login: string };
  "user.renamed": { from: string; to: string };
  "user.deleted": { login: string };
}

export type EventKind = keyof EventPayloads;

export type DomainEvent = {
  [K in EventKind]: {
    readonly id: number;
    readonly kind: K;
    readonly repoId: number | undefined;
    readonly actorId: number | undefined;
    readonly payload: EventPayloads[K];
    readonly createdAt: number;
  };
}[EventKind];
