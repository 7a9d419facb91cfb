import { badTime } from "../kernel/errors.ts";

/** Days and times as the API accepts them for items (contract issues.md 0.5, 3.5, 3.7). */

const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
/** Clients send Go's zero time or the epoch for "none". */
const MAX_NONE = 0;

/** Milliseconds of an RFC 3339 time. @throws ValidationFailed */
function parseTime(given: string, field: string): number {
  const at = TIME.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(at)) throw badTime(field, given);
  return at;
}

/** The same; returns `undefined` for times that mean none. @throws ValidationFailed */
export function parseTimeOrNone(given: string, field: string): number | undefined {
  const at = parseTime(given, field);
  return at <= MAX_NONE ? undefined : at;
}

/**
 * The last second of the given time's day, in its own offset; `null` for times that mean none.
 * @throws ValidationFailed
 */
export function endOfGivenDay(given: string, field: string): number | null {
  if (parseTimeOrNone(given, field) === undefined) return null;
  const [, day = "", offset = "Z"] = TIME.exec(given) ?? [];
  return Date.parse(`${day}T23:59:59${offset}`);
}

/** The last second of a moment's day in UTC, as days are shown. */
export function endOfDay(at: number): number {
  return Date.parse(`${dayOf(at)}T23:59:59Z`);
}

/** `2026-04-01` */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
