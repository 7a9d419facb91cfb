import { Failure } from "../../kernel/errors.ts";

/** Failures that concern a single file: links on other forges may point anywhere. */
const ONLY_THAT_FILE: ReadonlySet<string> = new Set([
  "remote.not-found",
  "remote.forbidden",
  "remote.forbidden-host",
  "remote.unresolved",
  "remote.bad-url",
  "remote.too-large",
]);

/** Whether an import continues without a file: its kind or name is not allowed here, or it is gone there. */
export function isOnlyThatFile({ code, status }: Failure): boolean {
  return status === 400 || code === "attachment.forbidden-type" || ONLY_THAT_FILE.has(code);
}

/** @returns undefined: the value is not valid here @throws anything but a refusal of the value */
export function takenOrNot<T>(take: () => T): T | undefined {
  try {
    return take();
  } catch (error) {
    if (error instanceof Failure && (error.status === 422 || error.status === 409)) return undefined;
    throw error;
  }
}
