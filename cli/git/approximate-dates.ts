import { parseGitDate } from "./dates.ts";

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
};

/**
 * A moment as `--since` and `--until` take it, in seconds since 1970: a date (see `parseGitDate`), a day at this time of
 * day (`2020-05-17`), `now`, `yesterday`, or `2 weeks ago` with blanks or dots. What is none of these is now, as git
 * takes it.
 */
export function approximateDate(text: string, now = new Date()): number {
  const exact = parseGitDate(text);
  if (exact) return exact.timestamp;
  const seconds = Math.floor(now.getTime() / 1000);
  const day = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text.trim());
  if (day) {
    const at = new Date(now);
    at.setFullYear(Number(day[1]), Number(day[2]) - 1, Number(day[3]));
    return Math.floor(at.getTime() / 1000);
  }
  if (/^\d{5,}$/.test(text.trim())) return Number(text.trim());
  if (text.trim().toLowerCase() === "yesterday") return seconds - 86_400;
  const ago = [
    ...text.toLowerCase().matchAll(/(\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten)[ ._]+([a-z]+?)s?\b/g),
  ];
  return ago.reduce((at, [, count, unit]) => before(at, countOf(count!), unit!), seconds);
}

const COUNTS = ["a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

function countOf(word: string): number {
  if (/^\d+$/.test(word)) return Number(word);
  return Math.max(1, COUNTS.indexOf(word));
}

function before(seconds: number, count: number, unit: string): number {
  const known = UNIT_SECONDS[unit];
  if (known !== undefined) return seconds - count * known;
  if (unit !== "month" && unit !== "year") return seconds;
  const at = new Date(seconds * 1000);
  at.setMonth(at.getMonth() - count * (unit === "year" ? 12 : 1));
  return Math.floor(at.getTime() / 1000);
}
