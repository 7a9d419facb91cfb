import { Database } from "../../db/database.ts";
import type { Ref } from "../../git/refs/types.ts";
import { listRefs } from "./store.ts";

/** Which refs a worker reads itself: there may be a hundred thousand, too many rows for the serving thread. */
export interface CommittedRefs {
  readonly databasePath: string;
  readonly folderId: number;
  readonly prefix: string;
}

/** The refs as of the last commit, by name, all from the same moment. Runs in a worker. */
export function readCommittedRefs({ databasePath, folderId, prefix }: CommittedRefs): Ref[] {
  const db = new Database(databasePath, { readonly: true });
  try {
    return listRefs(db, folderId, prefix);
  } finally {
    db.close();
  }
}
