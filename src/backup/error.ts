export type BackupReason =
  | "inside-data"
  | "damaged"
  | "newer"
  | "no-backup"
  | "not-empty"
  | "keeps-changing"
  | "key-changed";

/** Why a backup was not made, or is invalid. `detail` names the file or value concerned. */
export class BackupError extends Error {
  override name = "BackupError";

  constructor(
    readonly reason: BackupReason,
    readonly detail: string,
  ) {
    super(`backup ${reason}: ${detail}`);
  }
}
