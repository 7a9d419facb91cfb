import { encodeName } from "../git/objects/names.ts";

/** Escapes a path for a URL: all bytes except safe ones, keeping slashes. Also works for names that are not UTF-8. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/");
}

function encodeSegment(segment: string): string {
  if (/^[A-Za-z0-9._~-]*$/.test(segment)) return segment;
  let text = "";
  for (const byte of encodeName(segment)) {
    const character = String.fromCharCode(byte);
    text += /[A-Za-z0-9._~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}
