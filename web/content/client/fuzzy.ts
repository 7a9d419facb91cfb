/** How well a path matches what was typed, and which of its letters do. */
export interface Match {
  readonly points: number;
  readonly letters: readonly number[];
}

const WORD_ENDS = "/_-. ";

/**
 * Matches when all letters occur in order. A substring of the name scores best, then a substring of the path; otherwise
 * consecutive letters, word starts and letters in the name score higher.
 * @param wanted in lower case, without spaces
 */
export function match(path: string, wanted: string): Match | undefined {
  const text = path.toLowerCase();
  const name = text.lastIndexOf("/") + 1;
  const inName = text.indexOf(wanted, name);
  const whole = inName >= 0 ? inName : text.indexOf(wanted);
  if (whole >= 0) {
    const isWord = whole === 0 || WORD_ENDS.includes(text[whole - 1] ?? "");
    const points = wanted.length * 7 + (inName >= 0 ? 20 : 0) + (isWord ? 5 : 0) - path.length / 100;
    return { points, letters: Array.from(wanted, (_, at) => whole + at) };
  }
  let at = 0;
  let points = 0;
  let last = -2;
  const letters: number[] = [];
  for (const letter of wanted) {
    const hit = text.indexOf(letter, at);
    if (hit < 0) return undefined;
    points += hit === last + 1 ? 5 : 1;
    if (hit === 0 || WORD_ENDS.includes(text[hit - 1] ?? "")) points += 3;
    if (hit >= name) points += 2;
    letters.push(hit);
    last = hit;
    at = hit + 1;
  }
  return { points: points - path.length / 100, letters };
}

/** The best matches, best first. */
export function best<T>(all: readonly T[], textOf: (each: T) => string, typed: string, max: number) {
  const wanted = typed.toLowerCase().replace(/\s+/g, "");
  if (wanted === "") return [];
  const found: { readonly entry: T; readonly match: Match }[] = [];
  for (const entry of all) {
    const fits = match(textOf(entry), wanted);
    if (fits) found.push({ entry, match: fits });
  }
  return found.sort((a, b) => b.match.points - a.match.points).slice(0, max);
}
