/** One path segment, escaped. A lone surrogate (from a name that is no Unicode) becomes U+FFFD and does not throw. */
export function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** A path or a ref: segments escaped, slashes kept, a plus written so that both readings of it give a plus. */
export function segments(path: string): string {
  return path.split("/").map(segment).join("/");
}

/** What was escaped, as it reads; as it is when it is not well-formed. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
