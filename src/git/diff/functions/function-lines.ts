/**
 * Which lines of a file stand for the part of it that follows: a function's head, a chapter's title. Answers what is
 * shown of the line behind the second `@@` of a hunk; undefined when it is no such line.
 * @param line without its newline, one character a byte
 */
export type FunctionLines = (line: string) => string | undefined;

/** What the lines of a language look like. */
export interface LanguageRules {
  /** Lines that are none, whatever else they look like. */
  readonly never?: RegExp;
  /** The first of them that fits decides; what is shown is its group `shown`, or else all that it matches. */
  readonly takes: readonly RegExp[];
}

/** The lines that some rules take. */
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
