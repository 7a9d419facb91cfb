import { peelTags } from "../../git/graph/peel.ts";
import type { Oid } from "../../git/objects/types.ts";
import { ObjectStore } from "../../git/odb/store.ts";

export interface PeelInput {
  readonly repoDir: string;
  readonly oids: readonly Oid[];
}

/** Peels the tags among some objects, as pairs; other objects and tags with missing targets are left out. */
export function run({ repoDir, oids }: PeelInput): [Oid, Oid][] {
  const objects = ObjectStore.open(repoDir);
  try {
    return oids.flatMap((oid): [Oid, Oid][] => {
      const target = peelTags(objects, oid);
      return target === undefined || target === oid ? [] : [[oid, target]];
    });
  } finally {
    objects.close();
  }
}
