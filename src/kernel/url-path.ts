/**
 * Escapes one path segment. A lone surrogate (from a name that is not valid Unicode) becomes U+FFFD instead of
 * throwing.
 */
export function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Escapes a path or ref: slashes are kept, and a plus is escaped so that every decoder reads it as a plus. */
export function segments(path: string): string {
  return path.split("/").map(segment).join("/");
}

/** Decodes percent-escapes; returns the text unchanged if they are malformed. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
