/** Server-owned refs that keep objects alive: never advertised, fetched, pushed to or shown. */
export const HIDDEN_REFS = "refs/hearth/";

export function isHiddenRef(name: string): boolean {
  return name.startsWith(HIDDEN_REFS);
}
