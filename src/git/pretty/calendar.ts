/** A moment in local time, in the proleptic Gregorian calendar. */
export interface ClockTime {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 0 is the first of January. */
  readonly yearDay: number;
  /** Local time in seconds since the start of 1970. */
  readonly clockSeconds: number;
  /** Hours times 100 plus minutes east of UTC: -330. */
  readonly zone: number;
}

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

const DAY_SECONDS = 86_400;
/** Years beyond 31 bits do not exist in C. */
const LARGEST_SECONDS = 2 ** 31 * 365.2425 * DAY_SECONDS;

/** Local time in the zone at a moment; 1970 in UTC when the year is out of range. */
export function clockTime(seconds: number, zone: number): ClockTime {
  const clockSeconds = seconds + zoneMinutes(zone) * 60;
  if (!(Math.abs(clockSeconds) < LARGEST_SECONDS)) return clockTime(0, 0);
  const days = Math.floor(clockSeconds / DAY_SECONDS);
  const inDay = clockSeconds - days * DAY_SECONDS;
  const { year, month, day } = dateOfDay(days);
  return {
    year,
    month,
    day,
    hour: Math.floor(inDay / 3600),
    minute: Math.floor(inDay / 60) % 60,
    second: inDay % 60,
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - dayOfDate(year),
    clockSeconds,
    zone,
  };
}

export function zoneMinutes(zone: number): number {
  const size = Math.abs(zone);
  const minutes = Math.floor(size / 100) * 60 + (size % 100);
  return zone < 0 ? -minutes : minutes;
}

/** Counts in eras of 400 years that begin on the first of March, so that a leap day is the last day of its year. */
function dateOfDay(days: number): { year: number; month: number; day: number } {
  const fromEra = days + 719_468;
  const era = Math.floor(fromEra / 146_097);
  const dayOfEra = fromEra - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = (fromMarch + 2) % 12;
  return {
    year: yearOfEra + era * 400 + (month < 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

/** The first day of a year, counted from 1970. */
function dayOfDate(year: number): number {
  const before = year - 1;
  return before * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) - 719_162;
}
