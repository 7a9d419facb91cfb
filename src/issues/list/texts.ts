/** Words that are looked for in titles, bodies and comments, in the language of the index of trigrams. */

/** The trigram that stands for a repository in `issue_texts`; the migration has the same rule in SQL. */
export function placeOf(repoId: number): string {
  const digits = [Math.floor(repoId / 400_000_000), Math.floor(repoId / 20_000), repoId];
  return String.fromCodePoint(...digits.map((digit) => 0x4e00 + (digit % 20_000)));
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Shorter words have no trigram of their own. */
export const SHORT_WORD = 3;

/**
 * What to ask the index for texts that contain every word; undefined: a short word begins no trigram there is, so no
 * text has it.
 * @param beginning the trigrams that begin with a short word
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
