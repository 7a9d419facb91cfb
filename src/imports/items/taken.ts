import { Failure } from "../../kernel/errors.ts";

/** What is wrong with a single file: links of other forges lead anywhere. */
const ONLY_THAT_FILE: ReadonlySet<string> = new Set([
  "remote.not-found",
  "remote.forbidden",
  "remote.forbidden-host",
  "remote.unresolved",
  "remote.bad-url",
  "remote.too-large",
]);

/** Whether an import goes on without a file: its kind or name is not taken here, or it is gone there. */
export function isOnlyThatFile({ code, status }: Failure): boolean {
  return status === 400 || code === "attachment.forbidden-type" || ONLY_THAT_FILE.has(code);
}

/** @returns undefined: it is none that could be kept here @throws what is no refusal of a value */
export function takenOrNot<T>(take: () => T): T | undefined {
  try {
    return take();
  } catch (error) {
    if (error instanceof Failure && (error.status === 422 || error.status === 409)) return undefined;
    throw error;
  }
}
