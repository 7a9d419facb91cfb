import type { SecretBox } from "../../secrets/box.ts";
import { Secret } from "../../secrets/secret.ts";
import type { Attempt } from "./client.ts";

/** State that a browser carries while it is at a provider. */
export interface RoundTrip extends Attempt {
  readonly sourceId: number;
  /** A checked path of this site. */
  readonly target: string | undefined;
}

const PLACE = "cookie: sign-in source";
const MINUTES = 15;

/**
 * Sign-ins in progress at a provider. The browser carries the sealed state, so that visitors cost no memory; the
 * cookie ties the answer to the browser that started the sign-in.
 */
export class RoundTrips {
  constructor(
    private readonly box: SecretBox,
    private readonly clock: () => number,
  ) {}

  /** @returns the value for the browser's cookie */
  begin(trip: RoundTrip): string {
    const until = this.clock() + MINUTES * 60_000;
    return this.box.seal(PLACE, new Secret(JSON.stringify({ ...trip, until })));
  }

  /** undefined: not issued here, or too old. */
  find(cookie: string | undefined): RoundTrip | undefined {
    if (!cookie || cookie.length > 4_000) return undefined;
    let read: RoundTrip & { readonly until: number };
    try {
      read = JSON.parse(this.box.open(PLACE, cookie).reveal());
    } catch {
      return undefined;
    }
    return read.until > this.clock() ? read : undefined;
  }
}
