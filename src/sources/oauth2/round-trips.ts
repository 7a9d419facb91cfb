import type { SecretBox } from "../../secrets/box.ts";
import { Secret } from "../../secrets/secret.ts";
import type { Attempt } from "./client.ts";

/** What a browser carries while it is at a provider. */
export interface RoundTrip extends Attempt {
  readonly sourceId: number;
  /** A checked path of this site. */
  readonly target: string | undefined;
}

const PLACE = "cookie: sign-in source";
const MINUTES = 15;

/**
 * Sign-ins that are at a provider. The browser carries what is needed, sealed, so that visitors cost no memory; that it is
 * this browser's is what ties the answer to the one who asked.
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

  /** undefined: it is none of ours, or too old. */
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
