import { ValidationFailed } from "../kernel/errors.ts";

/** Values of milestones, checked by `MilestoneService` (contract issues.md 14). */

export const MAX_MILESTONE_TITLE = 255;
const MAX_DESCRIPTION = 65_535;
/** Per repository. */
export const MAX_MILESTONES = 10_000;

const DAY_MS = 86_400_000;

/** @throws ValidationFailed blank, too long, or with control characters */
export function checkMilestoneTitle(title: string): string {
  const trimmed = title.trim();
  const failed = (code: string) => new ValidationFailed(code, { field: "title", params: { name: "Title" } });
  if (trimmed === "") throw failed("value.required");
  if (trimmed.length > MAX_MILESTONE_TITLE) throw failed("value.too-long");
  if (/\p{Cc}/u.test(trimmed)) throw failed("milestone.bad-title");
  return trimmed;
}

/** @throws ValidationFailed too long */
export function checkMilestoneDescription(description: string): string {
  if (description.length <= MAX_DESCRIPTION) return description;
  throw new ValidationFailed("value.too-long", { field: "description", params: { name: "Description" } });
}

/** The last second of the time's day in UTC, the server's time zone, in milliseconds. */
export function endOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS + DAY_MS - 1000;
}
