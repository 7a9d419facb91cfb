import type { SeenRepo } from "../types.ts";

/**
 * Remembers what was read for a repository as one asker sees it: a push asks the same of thousands of refs. Whoever asks
 * again later has seen the repository again, and reads again.
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
