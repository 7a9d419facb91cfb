import { describe, expect, test } from "bun:test";
import { nextTime } from "../../src/actions/schedules/times.ts";

const now = Date.parse("2026-03-28T10:20:30Z");
const at = async (written: string) => {
  const next = await nextTime(written, now);
  return next === undefined ? undefined : new Date(next).toISOString();
};

describe("a schedule is next due", () => {
  for (const [written, next] of [
    ["0 3 * * *", "2026-03-29T03:00:00.000Z"],
    ["*/15 * * * *", "2026-03-28T10:30:00.000Z"],
    ["0 12 * * MON-FRI", "2026-03-30T12:00:00.000Z"],
    ["0 0 1,15 * *", "2026-04-01T00:00:00.000Z"],
    ["0 0 1 JAN *", "2027-01-01T00:00:00.000Z"],
    // Either of the two, as ever.
    ["0 0 13 * FRI", "2026-04-03T00:00:00.000Z"],
    ["@yearly", "2027-01-01T00:00:00.000Z"],
    ["@annually", "2027-01-01T00:00:00.000Z"],
    ["@monthly", "2026-04-01T00:00:00.000Z"],
    ["@weekly", "2026-03-29T00:00:00.000Z"],
    ["@daily", "2026-03-29T00:00:00.000Z"],
    ["@midnight", "2026-03-29T00:00:00.000Z"],
    ["@hourly", "2026-03-28T11:00:00.000Z"],
    ["@every 1m", "2026-03-28T10:21:00.000Z"],
    ["@every 1h30m", "2026-03-28T11:50:00.000Z"],
    ["@every 1s", "2026-03-28T10:21:00.000Z"],
    ["TZ=Europe/Berlin 30 12 * * *", "2026-03-28T11:30:00.000Z"],
    ["CRON_TZ=America/New_York 0 9 * * *", "2026-03-28T13:00:00.000Z"],
    ["  0  3 * * *  ", "2026-03-29T03:00:00.000Z"],
  ] as const)
    test(written, async () => expect(await at(written)).toBe(next));

  for (const written of [
    "",
    "nonsense",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "0 0 30 2 *",
    "@never",
    "@every",
    "@every soon",
    "@every 1e9h",
    "@every 99999999999999999999h",
    "TZ=Nowhere/Land 0 3 * * *",
    "TZ=UTC",
    "0 3 * * *".padEnd(1_000, "*"),
  ])
    test(`never: ${written.slice(0, 40)}`, async () => expect(await at(written)).toBeUndefined());
});
