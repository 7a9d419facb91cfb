import type { Unit } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";

/**
 * Domain events, in the product's terms. Services append them; consumers and live pages read them.
 *
 * The area that owns a kind declares it, so that this file need not change when an area is added:
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

/** Who caused it, as stored: no session, no secret, no scope. */
export interface StoredPrincipal {
  readonly userId: number | undefined;
  /** How they authenticated; undefined in events of versions that did not record it. */
  readonly via: Principal["via"] | undefined;
  readonly tokenId: number | undefined;
  /** The request's address, for reactions; it is not stored with the event. */
  readonly address?: string | undefined;
}

/** The fields of every event besides its payload. */
export interface Envelope {
  /** Increases in commit order. */
  readonly id: number;
  /** The version of the payload's shape: 1, increased by the area that owns the kind with each change. */
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly principal: StoredPrincipal;
  /** The account or organization that owns the repository, or that the event is about. */
  readonly ownerId: number | undefined;
  readonly repoId: number | undefined;
  /** The unit that recipients must be able to read; undefined: the repository as a whole. */
  readonly unit: Unit | undefined;
}

export type EventOf<K extends EventKind> = Envelope & { readonly kind: K; readonly payload: EventPayloads[K] };

/** Any event, discriminated by `kind`. */
export type DomainEvent = { [K in EventKind]: EventOf<K> }[EventKind];

/** The context a service supplies when it appends an event. */
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
