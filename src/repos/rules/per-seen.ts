import type { SeenRepo } from "../types.ts";

/**
 * Caches what was read for a repository as one caller sees it: a push asks the same about thousands of refs. A later
 * request looks up the repository again, and so reads again.
 */
export function perSeen<T>(read: (seen: SeenRepo) => T): (seen: SeenRepo) => T {
  const known = new WeakMap<SeenRepo, { readonly value: T }>();
  return (seen) => {
    const found = known.get(seen);
    if (found) return found.value;
    const value = read(seen);
    known.set(seen, { value });
    return value;
  };
}
