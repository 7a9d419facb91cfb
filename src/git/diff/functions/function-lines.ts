/**
 * Recognizes the lines that introduce a section of a file: a function's head, a chapter's title. Returns the part of
 * the line shown after the second `@@` of a hunk header; undefined if it is not such a line.
 * @param line without its newline, one character per byte
 */
export type FunctionLines = (line: string) => string | undefined;

/** The function lines of a language. */
export interface LanguageRules {
  /** Lines that never count, even if they match `takes`. */
  readonly never?: RegExp;
  /** The first pattern that matches decides; its group `shown` is shown, or the whole match if there is none. */
  readonly takes: readonly RegExp[];
}

/** The function lines that the rules accept. */
export function linesOf({ never, takes }: LanguageRules): FunctionLines {
  return (line) => {
    if (never?.test(line)) return undefined;
    for (const pattern of takes) {
      const found = pattern.exec(line);
      if (found) return found.groups?.["shown"] ?? found[0];
    }
    return undefined;
  };
}
