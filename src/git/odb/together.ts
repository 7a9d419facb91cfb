import { join } from "node:path";
import { ObjectStore } from "./store.ts";

/** Opens the objects of two bare repositories as one store, such as a fork and its base. The caller must close it. */
export function openTogether(repoDir: string, otherDir: string): ObjectStore {
  return ObjectStore.open(repoDir, { alternates: [join(otherDir, "objects")] });
}
