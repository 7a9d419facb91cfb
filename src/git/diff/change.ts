import type { Oid } from "../objects/types.ts";

export type ChangeStatus = "added" | "deleted" | "modified" | "typechanged" | "renamed" | "copied";

/** A file that differs between two trees, after rename detection. */
export interface FileChange {
  readonly status: ChangeStatus;
  /** Encoded as by `decodeName`. Both are always set, and differ only for renames and copies. */
  readonly oldPath: string;
  readonly newPath: string;
  /** 0 if the file does not exist on that side. */
  readonly oldMode: number;
  readonly newMode: number;
  readonly oldOid: Oid | undefined;
  readonly newOid: Oid | undefined;
  /** Percentage of content kept; only for renames and copies. */
  readonly similarity?: number;
}
