/** The current time in milliseconds since 1970, UTC. Passed in, so that tests can control it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/**
 * Monotonic milliseconds, unaffected by changes to the system clock: for timeouts, limits and anything else that ends
 * with the process. With the system clock, setting it back by years would make a timeout last for years.
 */
export const steadyClock: Clock = () => performance.now();

/** RFC 3339 in UTC with whole seconds, the API's format for Hearth's own timestamps. */
export function rfc3339(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** The value for a time that does not apply. */
export const ZERO_TIME = "0001-01-01T00:00:00Z";

/** The value for a time that was never set. */
export const EPOCH_TIME = "1970-01-01T00:00:00Z";

/** RFC 3339 in a commit's own time zone: `2017-03-19T16:47:59-04:00`. */
export function rfc3339In(seconds: number, offsetMinutes: number): string {
  if (offsetMinutes === 0) return rfc3339(seconds * 1000);
  const local = new Date((seconds + offsetMinutes * 60) * 1000).toISOString().slice(0, 19);
  const size = Math.abs(offsetMinutes);
  const zone = `${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
  return `${local}${offsetMinutes < 0 ? "-" : "+"}${zone}`;
}
