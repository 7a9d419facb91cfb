import { join } from "node:path";
import { ObjectStore } from "./store.ts";

/** The objects of two bare repositories as one store: a fork and its base have each what the other lacks. Close it. */
export function openTogether(repoDir: string, otherDir: string): ObjectStore {
  return ObjectStore.open(repoDir, { alternates: [join(otherDir, "objects")] });
}
