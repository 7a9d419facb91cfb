import { decodeName, encodeName } from "../objects/names.ts";
import type { Ref } from "./types.ts";

/** Prefixes of the full names of branches and tags. */
export const BRANCHES = "refs/heads/";
export const TAGS = "refs/tags/";

/**
 * Ref names as `git check-ref-format` accepts them (git-check-ref-format(1), rules 1 to 10).
 */

/**
 * Whether git would accept the name for a new ref. One-level names (`HEAD`, `main`) are rejected unless allowed.
 * Looks only at the characters; whether the ref may be pushed to is a separate question.
 */
export function isRefName(name: string, options: { readonly allowOneLevel?: boolean } = {}): boolean {
  if (name === "" || name === "@") return false;
  // Rules 4, 5, 10: control characters, space, ~ ^ : ? * [ \ and DEL.
  if (/[\x00-\x20\x7f~^:?*[\\]/.test(name)) return false;
  if (name.includes("..") || name.includes("@{") || name.endsWith(".")) return false;
  const components = name.split("/");
  if (components.length < 2 && !options.allowOneLevel) return false;
  return components.every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

/** Maximum length of a new branch or tag name in characters: a file with that name must fit any file system. */
const MAX_NEW_NAME = 255;

/**
 * Whether a form or an API call may create a branch or tag with this name: a name git accepts, except those that would
 * be taken for something else on a command line.
 */
export function isNewRefName(name: string): boolean {
  return (
    isRefName(name, { allowOneLevel: true }) &&
    name.length <= MAX_NEW_NAME &&
    name !== "HEAD" &&
    !name.startsWith("refs/") &&
    !name.startsWith("-")
  );
}

/**
 * Whether a push may update this ref: below `refs/`, with at least two more levels to create or move it
 * (`refs/x` may only be deleted), as in `git receive-pack`, which calls the refusal `funny refname`.
 */
export function isPushableRefName(name: string, deleting: boolean): boolean {
  return name.startsWith("refs/") && isRefName(name.slice("refs/".length), { allowOneLevel: deleting });
}

/** The full names a short name may stand for, in the order git tries them (gitrevisions(7), "refname"). */
export function expansionsOf(short: string): string[] {
  return [
    short,
    `refs/${short}`,
    `refs/tags/${short}`,
    `refs/heads/${short}`,
    `refs/remotes/${short}`,
    `refs/remotes/${short}/HEAD`,
  ];
}

/**
 * Converts a name to text that can be stored, shown and sent anywhere: each byte that is not valid UTF-8 becomes
 * `\\xHH`. This is unambiguous, as git allows no backslash in names.
 * @param name in the engine's form (objects/names.ts)
 */
export function refNameText(name: string): string {
  if (name.isWellFormed()) return name;
  return name.replace(/[\udc80-\udcff]/gu, (byte) => `\\x${(byte.charCodeAt(0) - 0xdc00).toString(16)}`);
}

/** The exact inverse of `refNameText`. */
export function refNameOf(text: string): string {
  if (!text.includes("\\")) return text;
  const single = text.replace(/\\x([89a-f][0-9a-f])/g, (_, byte) => String.fromCharCode(0xdc00 + parseInt(byte, 16)));
  // In hand-written text, adjacent bytes may form a valid character.
  return decodeName(encodeName(single));
}

/** Converts the names of refs or ref changes to text (`refNameText`). */
export function withTextNames<Named extends { readonly name: string }>(refs: readonly Named[]): Named[] {
  return refs.map((ref) => (ref.name.isWellFormed() ? ref : { ...ref, name: refNameText(ref.name) }));
}

/** Converts refs with text names to the engine's form, in byte order. */
export function withByteNames(refs: readonly Ref[]): Ref[] {
  if (!refs.some(({ name }) => name.includes("\\"))) return [...refs];
  return refs.map((ref) => ({ ...ref, name: refNameOf(ref.name) })).sort((a, b) => compareRefNames(a.name, b.name));
}

/** Compares names by their UTF-8 bytes, which is git's order; JavaScript's own differs beyond the basic plane. */
export function compareRefNames(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x === y) continue;
    // A byte that is not UTF-8 (objects/names.ts), or the second half of a surrogate pair.
    if (isLowSurrogate(x) || isLowSurrogate(y)) return Buffer.compare(encodeName(a), encodeName(b));
    // In UTF-8, surrogates sort after every other unit, because they stand for the highest code points.
    const high = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
    return high(x) - high(y);
  }
  return a.length - b.length;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
