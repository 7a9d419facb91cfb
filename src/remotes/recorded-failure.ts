import { Failure, type FailureParams } from "../kernel/errors.ts";

/** A failure with another server, as stored with what it concerns: by code, so that each edge finds the words. */
export interface RecordedFailure {
  readonly code: string;
  readonly params: FailureParams;
}

/** Serialized for a column. Internal failures reveal no details. */
export function recordFailure(error: unknown): string {
  const { code, params } = error instanceof Failure ? error : new Failure(500, "remote.failed-here");
  return JSON.stringify({ code, params } satisfies RecordedFailure);
}

/** @param text as `recordFailure` wrote it; empty: none */
export function recordedFailure(text: string): Failure | undefined {
  if (text === "") return undefined;
  // Written by `recordFailure` in this shape.
  const { code, params } = JSON.parse(text) as RecordedFailure;
  return new Failure(422, code, { params });
}
