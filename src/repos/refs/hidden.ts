/** Refs of the server's own, which keep objects alive: neither advertised nor fetched, pushed to or shown. */
export const HIDDEN_REFS = "refs/hearth/";

export function isHiddenRef(name: string): boolean {
  return name.startsWith(HIDDEN_REFS);
}
