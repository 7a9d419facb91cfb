/**
 * Trims characters off the ends of texts. A pattern such as `/\/+$/` starts again at every slash: on a hundred thousand
 * slashes it takes minutes.
 */

/** The text without any of these characters at its end. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** The text without any of these characters at its start and end. */
export function trimOf(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text[start]!)) start++;
  return trimEndOf(text.slice(start), characters);
}
