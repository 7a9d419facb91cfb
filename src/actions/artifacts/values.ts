import { BadRequest } from "../../kernel/errors.ts";

const DAY_MS = 86_400_000;
const MAX_DAYS = 3_650;
const MAX_NAME = 255;
const MAX_PATH = 1_024;

/** The largest number that every client can read. */
const MAX_BYTES = Number.MAX_SAFE_INTEGER;

/** The name of an artifact. @throws BadRequest if it is too long, or no valid directory name */
export function artifactNameOf(given: string): string {
  if (given === "") throw new BadRequest("actions.artifact-unnamed", { field: "name" });
  const isBad =
    /[\\/:<>|*?"\u0000-\u001f\u007f]/.test(given) || given === "." || given === ".." || !given.isWellFormed();
  if (isBad || given.length > MAX_NAME) throw new BadRequest("actions.artifact-name", { field: "name" });
  return given;
}

/** The name and path of a file of the older protocol: `dist/sub/a.txt`. @throws BadRequest */
export function itemOf(given: string): { readonly name: string; readonly path: string } {
  // Clients on Windows use backslashes.
  const [name = "", ...rest] = given.replaceAll("\\", "/").split("/");
  const path = rest.join("/");
  const isBad = /[\u0000-\u001f\u007f]/.test(path) || !path.isWellFormed() || path.length > MAX_PATH;
  if (isBad || rest.length === 0 || rest.some((segment) => ["", ".", ".."].includes(segment)))
    throw new BadRequest("actions.artifact-path", { field: "itemPath" });
  return { name: artifactNameOf(name), path };
}

/** A part of a file of the older protocol: `bytes 0-99/250`. */
export interface SentRange {
  readonly start: number;
  readonly end: number;
  readonly total: number;
}

/** An empty file has the range `bytes 0--1/0`. @throws BadRequest if it is malformed */
export function sentRangeOf(header: string): SentRange {
  const [, from, to, of] = /^bytes (\d{1,15})-(-1|\d{1,15})\/(\d{1,15})$/.exec(header.trim()) ?? [];
  const range = { start: Number(from), end: Number(to), total: Number(of) };
  const isEmpty = range.start === 0 && range.end === -1 && range.total === 0;
  if (from === undefined || !(isEmpty || (range.end >= range.start && range.end < range.total)))
    throw new BadRequest("actions.artifact-range", { field: "Content-Range" });
  return range;
}

/** The expiry of an artifact kept for a number of days. @param days undefined if not given */
export function endAfterDays(now: number, days: number | undefined, standardDays: number): number {
  return now + Math.min(Math.max(Math.floor(days ?? standardDays), 1), MAX_DAYS) * DAY_MS;
}

/**
 * The expiry of an artifact kept until a given time, in whole days.
 * @param until RFC 3339; anything else counts as not given
 */
export function endAt(now: number, until: string, standardDays: number): number {
  const days = (Date.parse(until) - now) / DAY_MS;
  return endAfterDays(now, Number.isNaN(days) ? undefined : days, standardDays);
}

/** A length as clients send it: a number, or a string of digits. @throws BadRequest */
export function lengthOf(given: unknown, field: string): number {
  const length = typeof given === "string" && /^\d{1,16}$/.test(given) ? Number(given) : given;
  if (typeof length !== "number" || !Number.isSafeInteger(length) || length < 0 || length > MAX_BYTES)
    throw new BadRequest("actions.artifact-size", { field });
  return length;
}

/** The media type of an artifact's file, as given by its sender. */
export function mediaTypeOf(given: string): string {
  const isType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i.test(given);
  return isType ? given.toLowerCase() : ZIP;
}

const ZIP = "application/zip";

/** The download name of an artifact's file. */
export function fileNameOf({ mediaType, name }: { readonly mediaType: string; readonly name: string }): string {
  return mediaType !== ZIP || name.endsWith(".zip") ? name : `${name}.zip`;
}
