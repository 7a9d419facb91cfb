import { decodeSegment } from "../../http/path.ts";
import type { Call } from "../../http/route.ts";

/** Parts of paths that registries read themselves, and names of places that packages of an owner are kept apart by. */

/** What stands behind a registry's address, of `/*`. @throws BadRequest a segment is no text */
export const pathParts = (call: Call): string[] =>
  (call.params["raw*"] ?? "")
    .split("/")
    .filter((part) => part !== "")
    .map(decodeSegment);

const WORD = /^[a-zA-Z0-9][a-zA-Z0-9.~+_-]{0,99}$/;
const MAX_PARTS = 10;

/** Whether it may be the name of a distribution, a component or a branch, which stand in indices and addresses. */
export const isPlaceWord = (text: string): boolean => WORD.test(text);

/** The name of a group or a repository of several parts. @returns undefined: it is none */
export const placeName = (parts: readonly string[]): string | undefined =>
  parts.length <= MAX_PARTS && parts.every(isPlaceWord) ? parts.join("/") : undefined;
