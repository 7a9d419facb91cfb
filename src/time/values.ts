import { ValidationFailed } from "../kernel/errors.ts";
import { parseEstimate } from "./duration.ts";

/** Values of tracked times, checked by `TimeService` (contract issues.md 15). */

/** About thirty years: more is a mistake, and sums stay safe integers. */
export const MAX_SECONDS = 1_000_000_000;

/** @throws ValidationFailed zero, negative, or more than anyone can have spent */
export function checkSeconds(seconds: number): number {
  if (seconds === 0) throw new ValidationFailed("value.required", { field: "time", params: { name: "Time" } });
  if (!Number.isSafeInteger(seconds) || seconds < 0 || seconds > MAX_SECONDS)
    throw new ValidationFailed("time.bad-amount", { field: "time" });
  return seconds;
}

/** Seconds of an estimate; 0: none. @throws ValidationFailed */
export function checkEstimate(text: string): number {
  const seconds = parseEstimate(text);
  if (seconds === undefined || seconds > MAX_SECONDS)
    throw new ValidationFailed("time.bad-estimate", { field: "time_estimate" });
  return seconds;
}
