/** Shorter texts contain no trigram. */
const MIN_CHARACTERS = 3;

/** Whether a trigram index (FTS5) can find the text as a substring. */
export function hasTrigrams(text: string): boolean {
  return [...text].length >= MIN_CHARACTERS && !text.includes("\0");
}

/**
 * An FTS5 query for rows that contain the text in one of the columns. It finds all of them and more, because it ignores
 * letter case in every script.
 */
export function trigramQuery(text: string, columns: readonly string[]): string {
  return `{${columns.join(" ")}} : "${text.replaceAll('"', '""')}"`;
}
