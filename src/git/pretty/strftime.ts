import { type ClockTime, MONTHS, WEEKDAYS, zoneMinutes } from "./calendar.ts";
import { signedZone } from "./dates.ts";

/** A value and its padding: with `0` or a space, to `width` characters. */
type Field = readonly [value: number, width: number, fill: "0" | " "];

/**
 * `strftime` of the C locale, with the flags and widths of glibc (`%-d`, `%_H`, `%^a`, `%5Y`). Unknown conversions
 * are left unchanged.
 * @param zoneName the value of `%Z`
 */
export function strftime(pattern: string, time: ClockTime, zoneName: string): string {
  return pattern.replace(
    /%([-_0^#]*)(\d{0,4})[EO]?([a-zA-Z%+])/g,
    (whole, flags: string, width: string, sign: string) => {
      const found = expand(sign, time, zoneName);
      if (found === undefined) return whole;
      let text: string;
      if (typeof found === "string")
        text = width === "" ? found : found.padStart(Number(width), flags.includes("0") ? "0" : " ");
      else {
        const [value, usual, usualFill] = found;
        const fill = flags.includes("_") ? " " : flags.includes("0") ? "0" : usualFill;
        const digits = String(Math.abs(value));
        const places = flags.includes("-") ? 0 : width === "" ? usual : Number(width);
        text = value < 0 ? `-${digits.padStart(places - 1, fill)}` : digits.padStart(places, fill);
      }
      return flags.includes("^") ? text.toUpperCase() : text;
    },
  );
}

function expand(sign: string, time: ClockTime, zoneName: string): string | Field | undefined {
  const { year, month, day, hour, minute, second, weekday, yearDay } = time;
  const again = (pattern: string) => strftime(pattern, time, zoneName);
  const week = isoWeek(time);
  switch (sign) {
    case "a":
      return WEEKDAYS[weekday]!.slice(0, 3);
    case "A":
      return WEEKDAYS[weekday]!;
    case "b":
    case "h":
      return MONTHS[month]!.slice(0, 3);
    case "B":
      return MONTHS[month]!;
    case "c":
      return again("%a %b %e %H:%M:%S %Y");
    case "C":
      return [Math.floor(year / 100), 2, "0"];
    case "d":
      return [day, 2, "0"];
    case "D":
    case "x":
      return again("%m/%d/%y");
    case "e":
      return [day, 2, " "];
    case "F":
      return again("%Y-%m-%d");
    case "g":
      return [((week.year % 100) + 100) % 100, 2, "0"];
    case "G":
      return [week.year, 0, "0"];
    case "H":
      return [hour, 2, "0"];
    case "I":
      return [hour % 12 === 0 ? 12 : hour % 12, 2, "0"];
    case "j":
      return [yearDay + 1, 3, "0"];
    case "k":
      return [hour, 2, " "];
    case "l":
      return [hour % 12 === 0 ? 12 : hour % 12, 2, " "];
    case "m":
      return [month + 1, 2, "0"];
    case "M":
      return [minute, 2, "0"];
    case "n":
      return "\n";
    case "p":
      return hour < 12 ? "AM" : "PM";
    case "P":
      return hour < 12 ? "am" : "pm";
    case "r":
      return again("%I:%M:%S %p");
    case "R":
      return again("%H:%M");
    case "s":
      return String(time.clockSeconds - zoneMinutes(time.zone) * 60);
    case "S":
      return [second, 2, "0"];
    case "t":
      return "\t";
    case "T":
    case "X":
      return again("%H:%M:%S");
    case "u":
      return [weekday === 0 ? 7 : weekday, 1, "0"];
    case "U":
      return [Math.floor((yearDay + 7 - weekday) / 7), 2, "0"];
    case "V":
      return [week.week, 2, "0"];
    case "w":
      return [weekday, 1, "0"];
    case "W":
      return [Math.floor((yearDay + 7 - ((weekday + 6) % 7)) / 7), 2, "0"];
    case "y":
      return [((year % 100) + 100) % 100, 2, "0"];
    case "Y":
      return [year, 0, "0"];
    case "z":
      return signedZone(time.zone);
    case "Z":
      return zoneName;
    case "%":
      return "%";
    default:
      return undefined;
  }
}

/** ISO 8601: a week belongs to the year that contains its Thursday. */
function isoWeek({ year, yearDay, weekday }: ClockTime): { year: number; week: number } {
  const thursday = yearDay + 3 - ((weekday + 6) % 7);
  if (thursday < 0) {
    const before = daysOf(year - 1);
    return { year: year - 1, week: Math.floor((thursday + before) / 7) + 1 };
  }
  if (thursday >= daysOf(year)) return { year: year + 1, week: 1 };
  return { year, week: Math.floor(thursday / 7) + 1 };
}

function daysOf(year: number): number {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 366 : 365;
}
