import { BinaryReader } from "@bufbuild/protobuf/wire";
import { BadRequest } from "../../../kernel/errors.ts";

/**
 * A message of a few megabytes may have millions of parts, each of them an object once decoded. Their number is
 * therefore bounded before decoding.
 */

/** Log rows per message; the runner sends the rest again, since they are not acknowledged. */
const MAX_ROWS = 20_000;
const MAX_OUTPUTS = 2_000;
const MAX_STEPS = 10_000;

/** Truncates an `UpdateLogRequest` to its first rows, dropping what follows: the flag that these are all. */
export function firstRows(message: Uint8Array): Uint8Array {
  const end = startOf(message, 3, MAX_ROWS);
  return end === undefined ? message : message.subarray(0, end);
}

/** @throws BadRequest if an `UpdateTaskRequest` has more entries than any job */
export function boundedReport(message: Uint8Array): Uint8Array {
  const states = partsOf(message, 1);
  const hasTooMany = startOf(message, 2, MAX_OUTPUTS) ?? states.some((state) => startOf(state, 5, MAX_STEPS));
  if (hasTooMany) throw new BadRequest("actions.bad-message");
  return message;
}

/** Where occurrence `after` + 1 of the field starts; undefined if there are fewer. @throws Error if not protobuf */
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

/** @throws BadRequest if a singular field occurs more than once */
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
