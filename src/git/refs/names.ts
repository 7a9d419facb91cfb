import { decodeName, encodeName } from "../objects/names.ts";
import type { Ref } from "./types.ts";

/** What the full names of branches and of tags begin with. */
export const BRANCHES = "refs/heads/";
export const TAGS = "refs/tags/";

/**
 * Ref names as `git check-ref-format` accepts them (git-check-ref-format(1), rules 1 to 10).
 */

/**
 * Whether the name is one git would create. One-level names (`HEAD`, `main`) are refused unless allowed.
 * A name is decided by its characters alone; whether it may be pushed to is another question.
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

/** The longest name of a branch or tag made here, in characters: files of that name must fit every disk. */
const MAX_NEW_NAME = 255;

/**
 * Whether a branch or tag made by a form or an API call may be called so: what git would create, without the names that
 * would be taken for something else on a command line.
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
 * Whether a push may name this ref: below `refs/`, with at least two levels after it when it is created or moved
 * (`refs/x` may only be deleted), as `git receive-pack` has it; the refusal is called `funny refname`.
 */
export function isPushableRefName(name: string, deleting: boolean): boolean {
  return name.startsWith("refs/") && isRefName(name.slice("refs/".length), { allowOneLevel: deleting });
}

/** Full names a short one may stand for, in the order git tries them (gitrevisions(7), "refname"). */
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
 * A name as text that can be stored, shown and sent anywhere: each byte that is no part of UTF-8 is written `\\xHH`.
 * No other name is written so, as git allows none with a backslash.
 * @param name as the engine has it (objects/names.ts)
 */
export function refNameText(name: string): string {
  if (name.isWellFormed()) return name;
  return name.replace(/[\udc80-\udcff]/gu, (byte) => `\\x${(byte.charCodeAt(0) - 0xdc00).toString(16)}`);
}

/** The name that `refNameText` wrote so; undoes it exactly. */
export function refNameOf(text: string): string {
  if (!text.includes("\\")) return text;
  const single = text.replace(/\\x([89a-f][0-9a-f])/g, (_, byte) => String.fromCharCode(0xdc00 + parseInt(byte, 16)));
  // Bytes side by side may be a character after all, written by hand.
  return decodeName(encodeName(single));
}

/** Refs, or what is to be done to them, with their names as text. */
export function withTextNames<Named extends { readonly name: string }>(refs: readonly Named[]): Named[] {
  return refs.map((ref) => (ref.name.isWellFormed() ? ref : { ...ref, name: refNameText(ref.name) }));
}

/** Refs whose names are text, as the engine has them: in byte order. */
export function withByteNames(refs: readonly Ref[]): Ref[] {
  if (!refs.some(({ name }) => name.includes("\\"))) return [...refs];
  return refs.map((ref) => ({ ...ref, name: refNameOf(ref.name) })).sort((a, b) => compareRefNames(a.name, b.name));
}

/** Byte order of the names' UTF-8, which is git's order; JavaScript's own differs beyond the basic plane. */
export function compareRefNames(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x === y) continue;
    // A byte that is no UTF-8 (objects/names.ts), or the second half of a pair.
    if (isLowSurrogate(x) || isLowSurrogate(y)) return Buffer.compare(encodeName(a), encodeName(b));
    // Surrogates sort after every other unit in UTF-8, as the code points they stand for are the highest.
    const high = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
    return high(x) - high(y);
  }
  return a.length - b.length;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
