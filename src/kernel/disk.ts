/**
 * What a disk that gives way says, in one word, whoever was told: a file's error, SQLite's, or that of a job in a worker.
 * full: no room (or quota) left; readonly: nothing may be written; failed: the device did not do what it was asked.
 */
export type DiskTrouble = "full" | "readonly" | "failed";

/** @returns undefined for an error that is not the disk's */
export function diskTrouble(error: unknown): DiskTrouble | undefined {
  const code = codeOf(error);
  // SQLite grows its shared memory by writing: on a full disk that fails first.
  if (/^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)$/.test(code)) return "full";
  if (/^(EROFS|SQLITE_READONLY.*)$/.test(code)) return "readonly";
  if (/^(EIO|SQLITE_IOERR.*)$/.test(code)) return "failed";
  return undefined;
}

/**
 * Whether a flush to the device failed. The system may have dropped what was to be flushed and will not say so again,
 * so nothing that was written lately may be believed.
 */
export function isFailedFlush(error: unknown): boolean {
  const code = codeOf(error);
  if (code === "SQLITE_IOERR_FSYNC" || code === "SQLITE_IOERR_DIR_FSYNC") return true;
  return code === "EIO" && /sync/.test(fieldOf(error, "syscall"));
}

/** Whether the process has as many files and connections open as it may. */
export function isOutOfFiles(error: unknown): boolean {
  return /^E[MN]FILE$/.test(codeOf(error));
}

/** Whether the system keeps the process from a file that it needs: the folder's owner or rights are not as they were made. */
export function isDenied(error: unknown): boolean {
  return /^(EACCES|EPERM)$/.test(codeOf(error));
}

/**
 * Whether one file, or what lies in its place, cannot be read: that hits what it is of, and not the rest. A flush that
 * failed is something else.
 */
export function isUnreadable(error: unknown): boolean {
  return /^(EACCES|EPERM|EIO|EISDIR|ELOOP|ENOTDIR|ENXIO|ESPIPE)$/.test(codeOf(error)) && !isFailedFlush(error);
}

/** The words for people: what is wrong, and that their change was not made, or may be lost. */
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
  // A worker's error comes with its fields apart.
  const fields: unknown = Object.getOwnPropertyDescriptor(error, "fields")?.value;
  const carried: unknown = typeof fields === "object" && fields !== null ? Reflect.get(fields, name) : undefined;
  return typeof carried === "string" ? carried : "";
}
