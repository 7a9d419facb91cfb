import { ValidationFailed } from "../../kernel/errors.ts";
import { objectOf } from "../../kernel/json.ts";
import type { ForgePerson } from "./types.ts";

/** Parses other servers' responses: whatever they send, the result has the requested type. */

export const MAX_TITLE = 255;
export const MAX_TEXT = 65_535;
const MAX_REF = 255;
const MAX_PATH = 4_096;
const MAX_HUNK = 20_000;
/** Per item; also the limit for reactions to one thing. */
export const MAX_COMMENTS = 5_000;

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Truncated to that many characters, without characters that are invalid in texts. */
export function cutText(value: unknown, maxCharacters: number): string {
  if (typeof value !== "string") return "";
  const text = value.slice(0, maxCharacters).replaceAll("\0", "");
  return text.isWellFormed() ? text : text.toWellFormed();
}

export function wholeOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

const LATEST = Date.UTC(2200, 0);

/** Milliseconds since 1970; undefined if it is not a plausible time. */
export function timeOf(value: unknown): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return at > 0 && at < LATEST ? at : undefined;
}

/** Times of creation and last change. */
export function timesOf(
  created: unknown,
  updated: unknown,
): { readonly createdAt: number; readonly updatedAt: number } {
  const createdAt = timeOf(created) ?? 0;
  return { createdAt, updatedAt: timeOf(updated) ?? createdAt };
}

/** A branch or tag; empty: not certainly a valid name (contract repositories.md 9.4). */
export function refOf(value: unknown): string {
  const ref = cutText(value, MAX_REF);
  const isPlain = /^[\p{L}\p{N}_.#@+=,%!()-]+(?:\/[\p{L}\p{N}_.#@+=,%!()-]+)*$/u.test(ref);
  const isBad = ref.includes("..") || ref.includes("@{") || ref === "@" || ref.startsWith("-");
  return isPlain && !isBad && !/(?:^|\/)\.|\.(?:lock)?(?:\/|$)/.test(ref) ? ref : "";
}

/** An object id; empty: not a valid one. */
export function oidOf(value: unknown): string {
  return typeof value === "string" && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value) ? value : "";
}

/** A normalized path from the root; empty: nothing is left of it. */
export function pathOf(value: unknown): string {
  const parts = cutText(value, MAX_PATH).split("/");
  return parts.filter((part) => part !== "" && part !== "." && part !== "..").join("/");
}

export const hunkOf = (value: unknown): string => cutText(value, MAX_HUNK);

export function colorOf(value: unknown): string {
  const color = cutText(value, 7).replace(/^#?/, "#");
  return /^#[0-9a-f]{6}$/i.test(color) ? color : "#ededed";
}

/** @param nameMember the member with their login name */
export function personOf(value: unknown, nameMember: "login" | "username"): ForgePerson {
  const user = objectOf(value);
  return { name: cutText(user[nameMember], MAX_TITLE) || "ghost", id: wholeOf(user["id"]) };
}

/** All entries of a list that should be finite. @throws ValidationFailed it is too long */
export async function allOf<T>(pages: AsyncIterable<readonly T[]>, number: number): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages) {
    found.push(...page);
    if (found.length > MAX_COMMENTS)
      throw new ValidationFailed("import.too-many-comments", { params: { number, max: MAX_COMMENTS } });
  }
  return found;
}
