import { Failure, type FailureParams } from "../kernel/errors.ts";

/** Why something with another server failed, as it is kept beside what it was about: by its code, so that each edge words it. */
export interface RecordedFailure {
  readonly code: string;
  readonly params: FailureParams;
}

/** As text for a column. Failures of our own making say nothing of the inside. */
export function recordFailure(error: unknown): string {
  const { code, params } = error instanceof Failure ? error : new Failure(500, "remote.failed-here");
  return JSON.stringify({ code, params } satisfies RecordedFailure);
}

/** @param text as `recordFailure` wrote it; empty: none */
export function recordedFailure(text: string): Failure | undefined {
  if (text === "") return undefined;
  // Written by `recordFailure`, in this shape.
  const { code, params } = JSON.parse(text) as RecordedFailure;
  return new Failure(422, code, { params });
}
