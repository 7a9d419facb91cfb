/** When schedules run (contract actions.md 4). */

const MINUTE_MS = 60_000;
const descriptors: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};
const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: MINUTE_MS, s: 1_000, ms: 1 };
const MAX_CHARACTERS = 200;

/**
 * The next time a schedule is due, in whole minutes.
 * @param written five fields or a word such as `@daily` or `@every 1h30m`; UTC unless preceded by `TZ=Europe/Berlin `
 * @param now milliseconds since 1970
 * @returns undefined if it cannot be parsed or never comes
 */
export async function nextTime(written: string, now: number): Promise<number | undefined> {
  if (written.length > MAX_CHARACTERS) return undefined;
  const [, zone = "UTC", spec = ""] = /^(?:(?:CRON_)?TZ=(\S+)\s+)?(.*)$/s.exec(written.trim()) ?? [];
  if (spec.startsWith("@every ")) return nextInterval(spec.slice("@every ".length).trim(), now);
  const fields = descriptors[spec] ?? spec;
  if (fields.split(/\s+/).length !== 5) return undefined;
  const { Cron } = await import("croner");
  try {
    return new Cron(fields, { paused: true, timezone: zone }).nextRun(new Date(now))?.getTime();
  } catch {
    return undefined;
  }
}

/** At most once a minute. */
function nextInterval(duration: string, now: number): number | undefined {
  const parts = duration.split(/(?<=[a-z])(?=\d)/).map((part) => /^(\d{1,9}(?:\.\d{1,9})?)(h|ms|m|s)$/.exec(part));
  let ms = 0;
  for (const part of parts) {
    const [, count, unit = ""] = part ?? [];
    if (count === undefined) return undefined;
    ms += Number(count) * (unitMs[unit] ?? 0);
  }
  const next = now + Math.max(ms, MINUTE_MS);
  return Number.isSafeInteger(Math.floor(next)) ? Math.floor(next / MINUTE_MS) * MINUTE_MS : undefined;
}
