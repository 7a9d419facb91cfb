/** The present in milliseconds since 1970, UTC. Passed in, so that a test can hold it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/**
 * Milliseconds that only go on, however the system's clock is set: for waits, limits and whatever else ends with the
 * process. A limit that looks at a clock which is put back by years would last for years.
 */
export const steadyClock: Clock = () => performance.now();

/** RFC 3339 in UTC with whole seconds, as the API shows times of its own records. */
export function rfc3339(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** A time that does not apply at all. */
export const ZERO_TIME = "0001-01-01T00:00:00Z";

/** A time that was never set. */
export const EPOCH_TIME = "1970-01-01T00:00:00Z";

/** RFC 3339 in the zone a commit was made in: `2017-03-19T16:47:59-04:00`. */
export function rfc3339In(seconds: number, offsetMinutes: number): string {
  if (offsetMinutes === 0) return rfc3339(seconds * 1000);
  const local = new Date((seconds + offsetMinutes * 60) * 1000).toISOString().slice(0, 19);
  const size = Math.abs(offsetMinutes);
  const zone = `${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
  return `${local}${offsetMinutes < 0 ? "-" : "+"}${zone}`;
}
