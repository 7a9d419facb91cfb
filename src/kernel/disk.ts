/**
 * Classifies disk errors, wherever they surfaced: a file error, one of SQLite's, or one from a job in a worker. full:
 * no space (or quota) left; readonly: writing is not possible; failed: the device reported an I/O error.
 */
export type DiskTrouble = "full" | "readonly" | "failed";

/** @returns undefined if the error is not a disk error */
export function diskTrouble(error: unknown): DiskTrouble | undefined {
  const code = codeOf(error);
  // SQLite grows its shared memory by writing, so on a full disk that fails first.
  if (/^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)$/.test(code)) return "full";
  if (/^(EROFS|SQLITE_READONLY.*)$/.test(code)) return "readonly";
  if (/^(EIO|SQLITE_IOERR.*)$/.test(code)) return "failed";
  return undefined;
}

/**
 * Whether a flush to the device failed. The system may have dropped the unflushed data and will not report it again, so
 * nothing written recently can be trusted.
 */
export function isFailedFlush(error: unknown): boolean {
  const code = codeOf(error);
  if (code === "SQLITE_IOERR_FSYNC" || code === "SQLITE_IOERR_DIR_FSYNC") return true;
  return code === "EIO" && /sync/.test(fieldOf(error, "syscall"));
}

/** Whether the process has run out of file descriptors. */
export function isOutOfFiles(error: unknown): boolean {
  return /^E[MN]FILE$/.test(codeOf(error));
}

/** Whether the system denies access to a file that Hearth needs: the folder's owner or permissions have changed. */
export function isDenied(error: unknown): boolean {
  return /^(EACCES|EPERM)$/.test(codeOf(error));
}

/**
 * Whether a single file, or whatever is in its place, cannot be read: that affects only what the file belongs to. A
 * failed flush does not count.
 */
export function isUnreadable(error: unknown): boolean {
  return /^(EACCES|EPERM|EIO|EISDIR|ELOOP|ENOTDIR|ENXIO|ESPIPE)$/.test(codeOf(error)) && !isFailedFlush(error);
}

/** The message shown to users: what is wrong, and that their change was not saved or may be lost. */
export function wordsForTrouble(trouble: DiskTrouble): string {
  switch (trouble) {
    case "full":
      return "the server's disk is full; nothing was changed";
    case "readonly":
      return "the server's disk cannot be written to; nothing was changed";
    case "failed":
      return "the server's disk failed; the change is not confirmed";
  }
}

const codeOf = (error: unknown): string => fieldOf(error, "code");

function fieldOf(error: unknown, name: "code" | "syscall"): string {
  if (!(error instanceof Error)) return "";
  const own: unknown = Object.getOwnPropertyDescriptor(error, name)?.value;
  if (typeof own === "string") return own;
  // An error from a worker carries its fields separately.
  const fields: unknown = Object.getOwnPropertyDescriptor(error, "fields")?.value;
  const carried: unknown = typeof fields === "object" && fields !== null ? Reflect.get(fields, name) : undefined;
  return typeof carried === "string" ? carried : "";
}
