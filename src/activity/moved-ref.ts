/** The old and new commit of a pushed branch: the content of a push entry. */
export interface MovedRef {
  readonly old: string | null;
  readonly new: string;
}

/** Undefined for an entry of another kind. */
export function movedRefOf(content: string): MovedRef | undefined {
  try {
    const parsed: unknown = JSON.parse(content);
    if (typeof parsed !== "object" || parsed === null || !("new" in parsed) || typeof parsed.new !== "string")
      return undefined;
    return { old: "old" in parsed && typeof parsed.old === "string" ? parsed.old : null, new: parsed.new };
  } catch {
    return undefined;
  }
}
