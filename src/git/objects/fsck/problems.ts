/**
 * What `git fsck` calls the things that can be wrong (git-fsck, "FSCK MESSAGES"), with the severity they have under
 * `--strict`, as `index-pack --strict` and `transfer.fsckObjects` use it: warnings count as errors there, information
 * stays information. An error refuses the object.
 */
export const FSCK_SEVERITY = {
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
  fullPathname: "error",
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
  hasDot: "error",
  hasDotdot: "error",
  hasDotgit: "error",
  largePathname: "error",
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
  nulInCommit: "error",
  nulInHeader: "error",
  nullSha1: "error",
  treeNotSorted: "error",
  unterminatedHeader: "error",
  zeroPaddedDate: "error",
  zeroPaddedFilemode: "error",
} as const;

export type FsckId = keyof typeof FSCK_SEVERITY;

export interface Problem {
  readonly id: FsckId;
  readonly severity: "error" | "info";
  readonly message: string;
}

/** Takes a problem; answers false so that a check can end with it. */
export type Report = (id: FsckId, message: string) => false;
