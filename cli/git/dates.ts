/** Seconds since 1970, and minutes east of UTC. */
export interface GitDate {
  readonly timestamp: number;
  readonly offsetMinutes: number;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * Parses a date as allowed in `GIT_AUTHOR_DATE` (git-commit, "Date formats"): git's own (`@1700000000 +0100`), RFC 2822
 * (`Thu, 07 Apr 2005 22:13:13 +0200`), ISO 8601 (`2005-04-07T22:13:13+02:00`), the output format of log, and dates with
 * slashes or dots. Without a zone, it is in the machine's time zone.
 * Undefined for everything else.
 */
export function parseGitDate(text: string): GitDate | undefined {
  const raw = /^@?(\d+)(?: ([+-]\d{4}))?$/.exec(text.trim());
  // Without `@`, git takes fewer than nine digits for another kind of date.
  if (raw && (text.trim().startsWith("@") || raw[1]!.length >= 9))
    return { timestamp: Number(raw[1]), offsetMinutes: zoneMinutes(raw[2] ?? "+0000") };
  const iso =
    /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})[T ](\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?$/.exec(
      text.trim(),
    );
  if (iso) return dateOf(iso[1]!, Number(iso[2]), iso[3]!, [iso[4]!, iso[5]!, iso[6] ?? "0"], iso[7]);
  const mail =
    /^(?:[A-Za-z]{3},?\s+)?(\d{1,2})\s+([A-Za-z]{3})\s+(\d{4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(Z|GMT|UTC|[+-]\d{4})?$/.exec(
      text.trim(),
    );
  if (mail) {
    const month = MONTHS.indexOf(mail[2]!.toLowerCase()) + 1;
    return dateOf(mail[3]!, month, mail[1]!, [mail[4]!, mail[5]!, mail[6] ?? "0"], mail[7]);
  }
  const shown =
    /^(?:[A-Za-z]{3}\s+)?([A-Za-z]{3})\s+(\d{1,2})\s+(\d{1,2}):(\d{2}):(\d{2})\s+(\d{4})(?:\s+([+-]\d{4}))?$/.exec(
      text.trim(),
    );
  if (shown) {
    const month = MONTHS.indexOf(shown[1]!.toLowerCase()) + 1;
    return dateOf(shown[6]!, month, shown[2]!, [shown[3]!, shown[4]!, shown[5]!], shown[7]);
  }
  const short = /^(\d{1,2})([/.])(\d{1,2})\2(\d{4})[T ](\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([+-]\d{4}))?$/.exec(
    text.trim(),
  );
  if (!short) return undefined;
  // With slashes it is American: the month comes first.
  const [month, day] = short[2] === "/" ? [short[1]!, short[3]!] : [short[3]!, short[1]!];
  return dateOf(short[4]!, Number(month), day, [short[5]!, short[6]!, short[7] ?? "0"], short[8]);
}

function dateOf(
  year: string,
  month: number,
  day: string,
  [hour, minute, second]: readonly [string, string, string],
  zone: string | undefined,
): GitDate | undefined {
  const parts = [Number(year), month - 1, Number(day), Number(hour), Number(minute), Number(second)] as const;
  if (month < 1 || month > 12 || parts[2] < 1 || parts[2] > 31 || parts[3] > 24 || parts[4] > 59 || parts[5] > 60)
    return undefined;
  const offsetMinutes = zone === undefined ? -new Date(...parts).getTimezoneOffset() : zoneMinutes(zone);
  const timestamp = Date.UTC(...parts) / 1000 - offsetMinutes * 60;
  // As in git: no date before 1970, and none after 2099.
  return timestamp < 0 || parts[0] > 2099 ? undefined : { timestamp, offsetMinutes };
}

function zoneMinutes(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  const east = Number(hours) * 60 + Number(minutes);
  return sign === "-" && east > 0 ? -east : east;
}
