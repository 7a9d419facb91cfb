/** Queries for words in titles, bodies and comments, in the syntax of the trigram index. */

/** The trigram that stands for a repository in `issue_texts`; the migration has the same rule in SQL. */
export function placeOf(repoId: number): string {
  const digits = [Math.floor(repoId / 400_000_000), Math.floor(repoId / 20_000), repoId];
  return String.fromCodePoint(...digits.map((digit) => 0x4e00 + (digit % 20_000)));
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Words shorter than this contain no trigram. */
export const SHORT_WORD = 3;

/**
 * The index query for texts that contain every word; undefined if a short word begins no existing trigram, so no text
 * has it.
 * @param beginning returns the trigrams that begin with a short word
 */
export function textQuery(
  words: readonly string[],
  repoId: number | undefined,
  beginning: (word: string) => readonly string[],
): string | undefined {
  const parts: string[] = [];
  for (const word of words) {
    if ([...word].length >= SHORT_WORD) parts.push(`words:${quoted(word)}`);
    else {
      const trigrams = beginning(word);
      if (trigrams.length === 0) return undefined;
      parts.push(`(${trigrams.map((trigram) => `words:${quoted(trigram)}`).join(" OR ")})`);
    }
  }
  return [...(repoId === undefined ? [] : [`place:${quoted(placeOf(repoId))}`]), ...parts].join(" AND ");
}
