import { Database } from "../../db/database.ts";
import type { Ref } from "../../git/refs/types.ts";
import { listRefs } from "./store.ts";

/** Which refs a worker reads for itself: there may be a hundred thousand, and rows are not for the thread that serves. */
export interface CommittedRefs {
  readonly databasePath: string;
  readonly folderId: number;
  readonly prefix: string;
}

/** The refs as the last commit left them, by name; all of one moment. In a worker. */
export function readCommittedRefs({ databasePath, folderId, prefix }: CommittedRefs): Ref[] {
  const db = new Database(databasePath, { readonly: true });
  try {
    return listRefs(db, folderId, prefix);
  } finally {
    db.close();
  }
}
