import type { Oid } from "../objects/types.ts";

export type ChangeStatus = "added" | "deleted" | "modified" | "typechanged" | "renamed" | "copied";

/** A file that differs between two trees, after renames were looked for. */
export interface FileChange {
  readonly status: ChangeStatus;
  /** Names as `decodeName` gives them; both are there always, and differ for renames and copies only. */
  readonly oldPath: string;
  readonly newPath: string;
  /** 0: not there. */
  readonly oldMode: number;
  readonly newMode: number;
  readonly oldOid: Oid | undefined;
  readonly newOid: Oid | undefined;
  /** Percent of the content that stayed; for renames and copies only. */
  readonly similarity?: number;
}
