/**
 * Cuts characters off the ends of texts. A pattern such as `/\/+$/` begins again at every slash of a text: of a hundred
 * thousand slashes it makes minutes of work.
 */

/** The text without any of these characters at its end. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** The text without any of these characters at its beginning and end. */
export function trimOf(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text[start]!)) start++;
  return trimEndOf(text.slice(start), characters);
}
