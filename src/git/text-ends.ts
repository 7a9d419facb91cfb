/**
 * Trims characters off the ends of strings in linear time. A regular expression such as `/\/+$/` restarts at every
 * slash of a string: a hundred thousand slashes take it minutes.
 */

/** The string with any of these characters removed from its end. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** The string with any of these characters removed from both ends. */
export function trimOf(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text[start]!)) start++;
  return trimEndOf(text.slice(start), characters);
}
