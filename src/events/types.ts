import type { Unit } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";

/**
 * What happened, in the product's words. Services append events; consumers and live pages read them.
 *
 * The area that owns a kind declares it, so that none of this changes when an area is added:
 *
 *     declare module "../events/types.ts" {
 *       interface EventPayloads {
 *         "release.published": { releaseId: number };
 *       }
 *     }
 *
 * A payload holds ids and plain data, never a secret: it stays in the database for `retention.events_days`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: areas add their kinds to it
export interface EventPayloads {}

export type EventKind = keyof EventPayloads;

/** Who did it, as it is stored: no session, no secret, no scope. */
export interface StoredPrincipal {
  readonly userId: number | undefined;
  /** How they came in; undefined in events of versions that did not record it. */
  readonly via: Principal["via"] | undefined;
  readonly tokenId: number | undefined;
  /** Where the request came from, for reactions; it is not stored with the event. */
  readonly address?: string | undefined;
}

/** What every event says besides its payload. */
export interface Envelope {
  /** Rises in the order of the commits. */
  readonly id: number;
  /** Of the payload's shape: 1, and one more each time the area that owns the kind changes it. */
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly principal: StoredPrincipal;
  /** The account or organization that has the repository, or that it is about. */
  readonly ownerId: number | undefined;
  readonly repoId: number | undefined;
  /** The unit of the repository that one must be allowed to read to hear of it; undefined: the repository as such. */
  readonly unit: Unit | undefined;
}

export type EventOf<K extends EventKind> = Envelope & { readonly kind: K; readonly payload: EventPayloads[K] };

/** Any event, told apart by `kind`. */
export type DomainEvent = { [K in EventKind]: EventOf<K> }[EventKind];

/** What a service knows of an event it appends. */
export interface EventContext {
  readonly principal?: StoredPrincipal;
  readonly ownerId?: number;
  readonly repoId?: number;
  readonly unit?: Unit;
}

/** A principal in storable form. */
export function storedPrincipal({
  user,
  via,
  tokenId,
  address,
}: Pick<Principal, "user" | "via" | "tokenId" | "address">): StoredPrincipal {
  return { userId: user?.id, via, tokenId, address };
}
