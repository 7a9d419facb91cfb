import { Failure } from "../../kernel/errors.ts";

/** @returns undefined: it is none that could be kept here @throws what is no refusal of a value */
export function takenOrNot<T>(take: () => T): T | undefined {
  try {
    return take();
  } catch (error) {
    if (error instanceof Failure && (error.status === 422 || error.status === 409)) return undefined;
    throw error;
  }
}
