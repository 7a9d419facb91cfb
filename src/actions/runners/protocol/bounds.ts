import { BinaryReader } from "@bufbuild/protobuf/wire";
import { BadRequest } from "../../../kernel/errors.ts";

/**
 * A message of a few megabytes may have millions of parts, each of them an object once it is decoded. What is read of one is
 * bounded before.
 */

/** Rows of a log in one message; the runner sends the others again, since they are not acknowledged. */
const MAX_ROWS = 20_000;
const MAX_OUTPUTS = 2_000;
const MAX_STEPS = 10_000;

/** The beginning of an `UpdateLogRequest`: what stands behind its rows, that these are all, goes with those that are cut off. */
export function firstRows(message: Uint8Array): Uint8Array {
  const end = startOf(message, 3, MAX_ROWS);
  return end === undefined ? message : message.subarray(0, end);
}

/** @throws BadRequest an `UpdateTaskRequest` with more than any job has */
export function boundedReport(message: Uint8Array): Uint8Array {
  const states = partsOf(message, 1);
  const hasTooMany = startOf(message, 2, MAX_OUTPUTS) ?? states.some((state) => startOf(state, 5, MAX_STEPS));
  if (hasTooMany) throw new BadRequest("actions.bad-message");
  return message;
}

/** Where the field stands for the time after so many; undefined: it stands there less often. @throws Error not protobuf */
function startOf(message: Uint8Array, field: number, after: number): number | undefined {
  const reader = new BinaryReader(message);
  for (let count = 0; reader.pos < reader.len; ) {
    const start = reader.pos;
    const [number, type] = reader.tag();
    if (number === field && ++count > after) return start;
    reader.skip(type, number);
  }
  return undefined;
}

/** @throws BadRequest more than one, where one belongs */
function partsOf(message: Uint8Array, field: number): Uint8Array[] {
  if (startOf(message, field, 1) !== undefined) throw new BadRequest("actions.bad-message");
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number === field) return type === 2 ? [reader.bytes()] : [];
    reader.skip(type, number);
  }
  return [];
}
