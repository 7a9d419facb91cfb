import { decodeSegment } from "../../http/path.ts";
import type { Call } from "../../http/route.ts";

/** Path segments that registries parse themselves, and names that divide an owner's packages. */

/** The path below the registry's address, of `/*`. @throws BadRequest if a segment is not valid text */
export const pathParts = (call: Call): string[] =>
  (call.params["raw*"] ?? "")
    .split("/")
    .filter((part) => part !== "")
    .map(decodeSegment);

const WORD = /^[a-zA-Z0-9][a-zA-Z0-9.~+_-]{0,99}$/;
const MAX_PARTS = 10;

/** Whether it is a valid name of a distribution, component or branch, which appear in indices and URLs. */
export const isPlaceWord = (text: string): boolean => WORD.test(text);

/** The name of a group or repository with several parts. @returns undefined if it is invalid */
export const placeName = (parts: readonly string[]): string | undefined =>
  parts.length <= MAX_PARTS && parts.every(isPlaceWord) ? parts.join("/") : undefined;
