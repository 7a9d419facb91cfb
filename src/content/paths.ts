import { isDotGit } from "../git/objects/fsck/special-names.ts";
import { encodeName } from "../git/objects/names.ts";
import { BadRequest, ValidationFailed } from "../kernel/errors.ts";

/** Paths inside a repository as requests give them (contract git-content.md 2.3). */

/**
 * The path as trees have it: without slashes at the ends, empty for the root.
 * @throws BadRequest a component no tree may have
 */
export function readPath(given: string): string {
  const path = cleaned(given);
  if (path === undefined) throw new BadRequest("path.malformed", { params: { path: given } });
  return path;
}

/**
 * The same for a path that is about to be written: also refused is whatever some checkout would take for `.git`
 * (security rule E5).
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

/** The limits of Linux, and more folders in folders than any tree has: what is beyond names nothing. */
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
  // What was not the root and cleans to it tried to leave the tree.
  return path === "" && given !== "" && given !== "." && given !== "/" ? undefined : path;
}

/** A path in an address: every byte but the harmless ones is escaped, slashes stay. Also for names that are no UTF-8. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/");
}

function encodeSegment(segment: string): string {
  if (/^[A-Za-z0-9._~-]*$/.test(segment)) return segment;
  let text = "";
  for (const byte of encodeName(segment)) {
    const character = String.fromCharCode(byte);
    text += /[A-Za-z0-9._~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}
