/** Shorter texts have no trigram to be found by. */
const MIN_CHARACTERS = 3;

/** Whether an index of trigrams (FTS5) can find the text as a part of others. */
export function hasTrigrams(text: string): boolean {
  return [...text].length >= MIN_CHARACTERS && !text.includes("\0");
}

/**
 * A query of FTS5 for rows with the text as a part of some columns. It finds all of them, and more: letter case of every
 * script counts nothing there.
 */
export function trigramQuery(text: string, columns: readonly string[]): string {
  return `{${columns.join(" ")}} : "${text.replaceAll('"', '""')}"`;
}
