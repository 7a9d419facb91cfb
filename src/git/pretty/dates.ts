import { GitError } from "../errors.ts";
import { type ClockTime, clockTime, MONTHS, WEEKDAYS } from "./calendar.ts";
import { strftime } from "./strftime.ts";

type DateKind = "default" | "iso" | "iso-strict" | "rfc" | "short" | "unix" | "raw" | "human" | "relative" | "format";

/** How to format dates (`--date=`, git-log(1)). */
export interface DateStyle {
  readonly kind: DateKind;
  /** Use the reader's time zone instead of the author's. */
  readonly local: boolean;
  /** The strftime pattern of `format:`. */
  readonly pattern?: string;
}

/** The reader's clock. */
export interface Clock {
  /** Seconds since 1970. */
  readonly now: number;
  /** The reader's zone at a moment: hours times 100 plus minutes east of UTC. */
  zoneAt(seconds: number): number;
  /** The zone's name at a moment, for `%Z`. */
  zoneNameAt?(seconds: number): string;
}

/** An invalid value for `--date=`. */
export class UnknownDateFormat extends GitError {
  override name = "UnknownDateFormat";
}

export const DEFAULT_DATES: DateStyle = { kind: "default", local: false };

const KINDS: Readonly<Record<string, DateKind>> = {
  default: "default",
  iso: "iso",
  iso8601: "iso",
  "iso-strict": "iso-strict",
  "iso8601-strict": "iso-strict",
  rfc: "rfc",
  rfc2822: "rfc",
  short: "short",
  unix: "unix",
  raw: "raw",
  human: "human",
  relative: "relative",
};

/** @throws UnknownDateFormat */
export function parseDateStyle(text: string): DateStyle {
  // "auto:x" means x on a terminal, and we never write to one.
  if (text.startsWith("auto:")) return DEFAULT_DATES;
  if (text === "local") return { kind: "default", local: true };
  const own = /^format(-local)?:(.*)$/s.exec(text);
  if (own) return { kind: "format", local: own[1] !== undefined, pattern: own[2]! };
  const local = text.endsWith("-local");
  const name = local ? text.slice(0, -"-local".length) : text;
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (!kind) throw new UnknownDateFormat(`unknown date format ${text}`);
  return { kind, local };
}

/** The clock of this process. */
export function systemClock(): Clock {
  return {
    now: Math.floor(Date.now() / 1000),
    zoneAt: systemZone,
    zoneNameAt: (seconds) =>
      new Intl.DateTimeFormat("en-US", { timeZoneName: "short" })
        .formatToParts(new Date(seconds * 1000))
        .find((part) => part.type === "timeZoneName")?.value ?? "",
  };
}

function systemZone(seconds: number): number {
  const minutes = -new Date(seconds * 1000).getTimezoneOffset();
  if (Number.isNaN(minutes)) return 0;
  const size = Math.abs(minutes);
  const zone = Math.floor(size / 60) * 100 + (size % 60);
  return minutes < 0 ? -zone : zone;
}

/**
 * Formats a date as git does.
 * @param seconds since 1970
 * @param zone the author's: hours times 100 plus minutes east of UTC
 */
export function formatDate(seconds: number, zone: number, style: DateStyle, clock: Clock): string {
  if (style.kind === "unix") return String(seconds);
  if (style.kind === "relative") return relativeDate(seconds, clock.now);
  const shown = style.local ? clock.zoneAt(seconds) : zone;
  if (style.kind === "raw") return `${seconds} ${signedZone(shown)}`;
  const time = clockTime(seconds, shown);
  switch (style.kind) {
    case "short":
      return day(time);
    case "iso":
      return `${day(time)} ${hours(time)} ${signedZone(time.zone)}`;
    case "iso-strict": {
      const text = signedZone(time.zone);
      return `${day(time)}T${hours(time)}${text.slice(0, -2)}:${text.slice(-2)}`;
    }
    case "rfc":
      return `${weekday(time)}, ${time.day} ${month(time)} ${time.year} ${hours(time)} ${signedZone(time.zone)}`;
    case "format":
      return strftime(style.pattern ?? "", time, style.local ? (clock.zoneNameAt?.(seconds) ?? "") : "");
    case "human":
      return humanDate(seconds, time, style.local, clock);
    default: {
      const text = `${weekday(time)} ${month(time)} ${time.day} ${hours(time)} ${time.year}`;
      return style.local ? text : `${text} ${signedZone(time.zone)}`;
    }
  }
}

/** `+0100` */
export function signedZone(zone: number): string {
  return `${zone < 0 ? "-" : "+"}${String(Math.abs(zone)).padStart(4, "0")}`;
}

const two = (value: number) => String(value).padStart(2, "0");
const day = (time: ClockTime) => `${String(time.year).padStart(4, "0")}-${two(time.month + 1)}-${two(time.day)}`;
const hours = (time: ClockTime) => `${two(time.hour)}:${two(time.minute)}:${two(time.second)}`;
const weekday = (time: ClockTime) => WEEKDAYS[time.weekday]!.slice(0, 3);
const month = (time: ClockTime) => MONTHS[time.month]!.slice(0, 3);

/** Relative for today, with the weekday this week, with the day this year, without the time if older. */
function humanDate(seconds: number, time: ClockTime, local: boolean, clock: Clock): string {
  const zoneNow = clock.zoneAt(clock.now);
  const now = clockTime(clock.now, zoneNow);
  const sameYear = time.year === now.year;
  const sameMonth = sameYear && time.month === now.month;
  if (sameMonth && time.day === now.day) return relativeDate(seconds, clock.now);
  const lately = sameMonth && time.day < now.day && time.day + 5 > now.day;
  const date = lately ? "" : ` ${month(time)} ${time.day}`;
  if (!sameYear) return `${month(time)} ${time.day} ${time.year}`;
  const zone = local || time.zone === zoneNow || !lately ? "" : ` ${signedZone(time.zone)}`;
  return `${weekday(time)}${date} ${two(time.hour)}:${two(time.minute)}${zone}`;
}

/** `3 weeks ago`, rounded as git does. */
function relativeDate(seconds: number, now: number): string {
  if (now < seconds) return "in the future";
  const ago = (count: number, unit: string) => `${plural(count, unit)} ago`;
  let length = now - seconds;
  if (length < 90) return ago(length, "second");
  length = Math.floor((length + 30) / 60);
  if (length < 90) return ago(length, "minute");
  length = Math.floor((length + 30) / 60);
  if (length < 36) return ago(length, "hour");
  const days = Math.floor((length + 12) / 24);
  if (days < 14) return ago(days, "day");
  if (days < 70) return ago(Math.floor((days + 3) / 7), "week");
  if (days < 365) return ago(Math.floor((days + 15) / 30), "month");
  if (days >= 1825) return ago(Math.floor((days + 183) / 365), "year");
  const months = Math.floor((days * 24 + 365) / 730);
  const years = plural(Math.floor(months / 12), "year");
  return months % 12 === 0 ? `${years} ago` : `${years}, ${plural(months % 12, "month")} ago`;
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
