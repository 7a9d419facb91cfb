import { parseGitDate } from "./dates.ts";

/**
 * A moment as `--since` and `--until` take it, in seconds since 1970: a date (see `parseGitDate`), or words in any order
 * that tell of one: `2 weeks ago`, `last friday`, `yesterday noon`, `Jan 5 2023`, `5pm`, `2020-05-17`. What is not told
 * is as it is now, and what is not understood is passed over, as in git.
 */
export function approximateDate(text: string, now = new Date()): number {
  const exact = /^\s*@?\d+\s*$/.test(text) ? undefined : parseGitDate(text);
  if (exact) return exact.timestamp;
  const compact = /^\s*(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})\s*$/.exec(text);
  if (compact) {
    const [year, month, ...rest] = compact.slice(1).map(Number);
    const [day, hour, minute, second] = rest;
    return Math.floor(new Date(year!, month! - 1, day!, hour!, minute!, second!).getTime() / 1000);
  }
  return new Telling(now).read(text);
}

const MONTHS = [
  ...["january", "february", "march", "april", "may", "june", "july"],
  ...["august", "september", "october", "november", "december"],
];
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const COUNTS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const UNIT_SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
};
const HOURS: Readonly<Record<string, number>> = { midnight: 0, noon: 12, tea: 17 };
const DAY_SECONDS = 86_400;
/** A date with slashes that lies further ahead is read the other way round. */
const FUTURE_SECONDS = 10 * DAY_SECONDS;

/** What has been told of a moment so far. */
class Telling {
  /** Undefined until they are told. */
  private year: number | undefined;
  private month: number | undefined;
  private day: number | undefined;
  private hour: number;
  private minute: number;
  private second: number;
  /** A number that no word has taken yet. */
  private count = 0;
  private isNever = false;
  /** Minutes west of UTC: what is told by the calendar keeps the summer or winter time of what it was told from. */
  private west: number;

  constructor(private readonly now: Date) {
    this.hour = now.getHours();
    this.minute = now.getMinutes();
    this.second = now.getSeconds();
    this.west = now.getTimezoneOffset();
  }

  read(text: string): number {
    for (let rest = text; rest !== ""; ) {
      const word = /^[A-Za-z]+/.exec(rest)?.[0];
      if (word !== undefined) this.word(word.toLowerCase());
      rest = rest.slice(word?.length ?? (/^\d/.test(rest) ? this.number(rest) : 1));
    }
    this.placeCount();
    return this.isNever ? 0 : Math.floor(this.moment().getTime() / 1000);
  }

  private word(word: string): void {
    const month = word.length < 3 ? -1 : MONTHS.findIndex((name) => name.startsWith(word));
    if (month >= 0) {
      this.month = month;
      return;
    }
    const hour = Object.hasOwn(HOURS, word) ? HOURS[word] : undefined;
    if (hour !== undefined) this.atLast(hour);
    else if (word === "am" || word === "pm") this.halfOfDay(word);
    else if (word === "yesterday") this.back(DAY_SECONDS);
    else if (word === "never") this.isNever = true;
    else if (this.count === 0) this.count = word === "last" ? 1 : Math.max(0, COUNTS.indexOf(word));
    else this.unit(word);
  }

  private unit(word: string): void {
    const unit = word.replace(/s$/, "");
    const seconds = Object.hasOwn(UNIT_SECONDS, unit) ? UNIT_SECONDS[unit] : undefined;
    if (seconds !== undefined) this.back(this.taken() * seconds);
    else if (unit === "month" || unit === "year") this.monthsBack(this.taken() * (unit === "year" ? 12 : 1));
    else this.weekday(word.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(unit)));
  }

  /** That many of a weekday before today. */
  private weekday(wanted: number): void {
    if (wanted < 0) return;
    const ago = (this.moment().getDay() - wanted + 7) % 7 || 7;
    this.back((ago + 7 * (this.taken() - 1)) * DAY_SECONDS);
  }

  private taken(): number {
    const { count } = this;
    this.count = 0;
    return count;
  }

  /** The last time it was that hour. */
  private atLast(hour: number): void {
    this.placeCount();
    if (this.hour < hour) this.back(DAY_SECONDS);
    this.clock(hour, 0, 0);
  }

  private halfOfDay(half: "am" | "pm"): void {
    const later = half === "pm" ? 12 : 0;
    const count = this.taken();
    if (count === 0) this.hour = (this.hour % 12) + later;
    else this.clock((count % 12) + later, 0, 0);
  }

  private clock(hour: number, minute: number, second: number): void {
    this.hour = hour;
    this.minute = minute;
    this.second = second;
  }

  private back(seconds: number): void {
    this.set(new Date(this.moment().getTime() - seconds * 1000));
  }

  private monthsBack(count: number): void {
    const at = this.moment();
    this.set(at);
    // A day that the month does not have stays for a month that is told after it.
    const months = at.getFullYear() * 12 + at.getMonth() - count;
    this.year = Math.floor(months / 12);
    this.month = months % 12;
  }

  private set(at: Date): void {
    this.year = at.getFullYear();
    this.month = at.getMonth();
    this.day = at.getDate();
    this.clock(at.getHours(), at.getMinutes(), at.getSeconds());
    this.west = at.getTimezoneOffset();
  }

  /** What was told, and the rest of now; a month that is still to come is last year's. */
  private moment(): Date {
    const month = this.month ?? this.now.getMonth();
    const year = this.year ?? this.now.getFullYear() - (month > this.now.getMonth() ? 1 : 0);
    const day = this.day ?? this.now.getDate();
    return new Date(Date.UTC(year, month, day, this.hour, this.minute + this.west, this.second));
  }

  /** Reads what begins with a digit; answers how much of it. */
  private number(rest: string): number {
    const time = /^(\d{1,2}):(\d{2})(?::(\d{2}))?/.exec(rest);
    if (time) {
      this.clock(Number(time[1]), Number(time[2]), Number(time[3] ?? 0));
      return time[0].length;
    }
    const date = /^(\d+)([-/.])(\d+)(?:\2(\d+))?/.exec(rest);
    const year = date?.[4] === undefined ? undefined : Number(date[4]);
    if (date && this.date(Number(date[1]), Number(date[3]), year, date[2]!)) return date[0].length;
    const digits = /^\d+/.exec(rest)![0];
    this.placeCount();
    if (digits.length >= 9) this.set(new Date(Number(digits) * 1000));
    else this.count = Number(digits);
    return digits.length;
  }

  private date(first: number, second: number, third: number | undefined, sign: string): boolean {
    if (first >= 70)
      return third !== undefined && (this.calendar(first, second, third) || this.calendar(first, third, second));
    const year = third ?? this.now.getFullYear();
    const american = () => this.calendar(year, first, second, true);
    const european = () => this.calendar(year, second, first, true);
    return sign === "." ? european() || american() : american() || european();
  }

  /** False when there is no such day, or it must not be one to come. */
  private calendar(yearTold: number, month: number, day: number, past = false): boolean {
    const year = fullYear(yearTold);
    if (year === undefined || month < 1 || month > 12 || day < 1 || day > 31) return false;
    const at = new Date(Date.UTC(year, month - 1, day, this.hour, this.minute + this.west, this.second));
    if (past && at.getTime() > this.now.getTime() + FUTURE_SECONDS * 1000) return false;
    this.year = year;
    this.month = month - 1;
    this.day = day;
    return true;
  }

  /** A number no word took is a day, a month or a year, whichever is not told yet. */
  private placeCount(): void {
    const count = this.taken();
    if (count === 0) return;
    if (this.day === undefined && count < 32) this.day = count;
    else if (this.month === undefined && count < 13) this.month = count - 1;
    else if (this.year === undefined) this.year = fullYear(count);
  }
}

function fullYear(told: number): number | undefined {
  if (told >= 1970 && told < 2100) return told;
  if (told >= 70 && told < 100) return 1900 + told;
  return told < 38 ? 2000 + told : undefined;
}
