import { RE2JS } from "re2js";

export interface CleanupMatchInput {
  /** Patterns of a cleanup rule; empty if none. */
  readonly keepPattern: string;
  readonly removePattern: string;
  readonly subjects: readonly string[];
}

/** Whether each subject may be deleted; or the pattern that is invalid. */
export type CleanupMatch = { readonly goes: readonly boolean[] } | { readonly bad: "keepPattern" | "removePattern" };

/** Each pattern must match the whole subject, ignoring letter case, in linear time whatever it contains. */
export function run({ keepPattern, removePattern, subjects }: CleanupMatchInput): CleanupMatch {
  const keep = matcherOf(keepPattern);
  if (keep === "bad") return { bad: "keepPattern" };
  const remove = matcherOf(removePattern);
  if (remove === "bad") return { bad: "removePattern" };
  return { goes: subjects.map((subject) => !(keep?.matches(subject) ?? false) && (remove?.matches(subject) ?? true)) };
}

function matcherOf(pattern: string): RE2JS | "bad" | undefined {
  if (pattern === "") return undefined;
  try {
    return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
  } catch {
    return "bad";
  }
}
