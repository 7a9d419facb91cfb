/**
 * The message ids of `git fsck` and their default severities (git-fsck, "FSCK MESSAGES"). A fatal one cannot be turned
 * off in git; `info` is printed as a warning.
 */
export const FSCK_LEVEL = {
  badDate: "error",
  badDateOverflow: "error",
  badEmail: "error",
  badFilemode: "info",
  badName: "error",
  badObjectSha1: "error",
  badParentSha1: "error",
  badTagName: "info",
  badTimezone: "error",
  badTree: "error",
  badTreeSha1: "error",
  badType: "error",
  duplicateEntries: "error",
  emptyName: "warn",
  fullPathname: "warn",
  gitattributesBlob: "error",
  gitattributesLarge: "error",
  gitattributesLineLength: "error",
  gitattributesMissing: "error",
  gitattributesSymlink: "info",
  gitignoreSymlink: "info",
  gitmodulesBlob: "error",
  gitmodulesLarge: "error",
  gitmodulesMissing: "error",
  gitmodulesName: "error",
  gitmodulesParse: "info",
  gitmodulesPath: "error",
  gitmodulesSymlink: "error",
  gitmodulesUpdate: "error",
  gitmodulesUrl: "error",
  hasDot: "warn",
  hasDotdot: "warn",
  hasDotgit: "warn",
  mailmapSymlink: "info",
  missingAuthor: "error",
  missingCommitter: "error",
  missingEmail: "error",
  missingNameBeforeEmail: "error",
  missingObject: "error",
  missingSpaceBeforeDate: "error",
  missingSpaceBeforeEmail: "error",
  missingTag: "error",
  missingTagEntry: "error",
  missingTaggerEntry: "info",
  missingTree: "error",
  missingType: "error",
  missingTypeEntry: "error",
  multipleAuthors: "error",
  nulInCommit: "warn",
  nulInHeader: "fatal",
  nullSha1: "warn",
  treeNotSorted: "error",
  unterminatedHeader: "fatal",
  zeroPaddedDate: "error",
  zeroPaddedFilemode: "warn",
} as const satisfies Record<string, "fatal" | "error" | "warn" | "info">;

export type FsckId = keyof typeof FSCK_LEVEL;

/**
 * How a problem is reported: under `--strict`, as in `index-pack --strict` and `transfer.fsckObjects`, warnings are
 * errors.
 */
export function severityOf(id: FsckId, strict: boolean): "error" | "warning" {
  const level = FSCK_LEVEL[id];
  return level === "fatal" || level === "error" || (strict && level === "warn") ? "error" : "warning";
}

export interface Problem {
  readonly id: FsckId;
  /** Under `--strict`; an error refuses the object. */
  readonly severity: "error" | "warning";
  /** In git's own words, one character per byte (latin1). */
  readonly message: string;
}

/** Reports a problem; returns false so that a check can return its result. */
export type Report = (id: FsckId, message: string) => false;
