import { isDotGit } from "../git/object-checks/special-names.ts";
import { encodeName } from "../git/objects/names.ts";
import { isNewRefName } from "../git/refs/names.ts";
import { BadRequest, ValidationFailed } from "../kernel/errors.ts";
import type { RequestedTime } from "./edits/types.ts";

/** Values in requests about the content of repositories, converted for services. */

/**
 * @param label the API's name for the field in errors: `NewBranchName`, for the field `new_branch_name`
 * @throws ValidationFailed if no branch or tag may have that name
 */
export function checkNewRefName(name: string, label: string): void {
  if (!isNewRefName(name))
    throw new ValidationFailed("value.not-a-ref-name", { field: snakeCase(label), params: { name: label } });
}

function snakeCase(label: string): string {
  return label.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/**
 * A path inside a repository (contract git-content.md 2.3) in the form used in trees: without leading or trailing
 * slashes, empty for the root.
 * @throws BadRequest for a component that no tree may have
 */
export function readPath(given: string): string {
  const path = cleaned(given);
  if (path === undefined) throw new BadRequest("path.malformed", { params: { path: given } });
  return path;
}

/**
 * Like `readPath`, for a path to be written: also refuses anything that some checkout would treat as `.git` (security
 * rule E5).
 * @throws ValidationFailed
 */
export function writePath(given: string): string {
  const path = cleaned(given);
  const refuse = () => new ValidationFailed("path.malformed", { field: "path", params: { path: given } });
  if (path === undefined || path === "") throw refuse();
  for (const part of path.split("/")) {
    if (isDotGit(Buffer.from(encodeName(part)).toString("latin1"))) throw refuse();
    if (part.length > 255) throw refuse();
  }
  return path;
}

/** The limits of Linux, and deeper nesting than any tree has: anything beyond names nothing. */
export const MAX_PATH_CHARACTERS = 4096;
export const MAX_PATH_DEPTH = 512;

function cleaned(given: string): string | undefined {
  if (given.length > MAX_PATH_CHARACTERS || given.includes("\0")) return undefined;
  const parts: string[] = [];
  for (const part of given.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  if (parts.some((part) => part.toLowerCase() === ".git")) return undefined;
  if (parts.length > MAX_PATH_DEPTH) return undefined;
  const path = parts.join("/");
  // If it was not the root but cleans to it, it tried to leave the tree.
  return path === "" && given !== "" && given !== "." && given !== "/" ? undefined : path;
}

/** undefined if it is not RFC 3339, or before 1970, which commits cannot represent. */
export function parseRfc3339(text: string): RequestedTime | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|([+-])(\d\d):(\d\d))$/.exec(
    text,
  );
  // The runtime takes the 30th of February for the 1st of March.
  const isDay = match !== null && new Date(`${match[1]}T00:00:00Z`).toJSON()?.startsWith(match[1]!) === true;
  const milliseconds = isDay ? Date.parse(text.toUpperCase()) : Number.NaN;
  if (Number.isNaN(milliseconds) || milliseconds < 0) return undefined;
  const minutes = Number(match?.[3] ?? 0) * 60 + Number(match?.[4] ?? 0);
  return { timestamp: Math.floor(milliseconds / 1000), offsetMinutes: match?.[2] === "-" ? -minutes : minutes };
}
