import type { ObjectFormat } from "../format.ts";
import {
  compareTreeNames,
  isFolder,
  MODE_EXECUTABLE,
  MODE_FILE,
  MODE_GITLINK,
  MODE_SYMLINK,
  MODE_TREE,
} from "../tree.ts";
import type { Report } from "./problems.ts";
import { isDotGit, isNtfsDotGit, isNtfsSpecialFile, isSpecialFile } from "./special-names.ts";

/** What is told about a tree while it is checked. Offsets are into the tree's bytes. */
export interface TreeListener {
  /** Every well-formed entry. */
  entry(mode: number, oidAt: number): void;
  /** An entry whose content is to be checked as `.gitmodules` or `.gitattributes`. */
  special(file: "gitmodules" | "gitattributes", oidAt: number): void;
}

/**
 * Checks a tree as `git fsck --strict` does, in one pass over its bytes that is also the pass over its links.
 * Answers false when it cannot be read to its end. Nothing is allocated for ordinary names: an index of 400,000 objects sees tens of millions of entries.
 */
export function checkTree(data: Uint8Array, format: ObjectFormat, listener: TreeListener, report: Report): boolean {
  const { oidBytes } = format;
  const end = data.length;
  let at = 0;
  let previousMode = 0;
  let previousStart = -1;
  let previousEnd = -1;
  let flags = 0;
  // Files a later folder could share its name with: sorted between them are names like `a.c` between `a` and `a/`.
  let candidates: number[] | undefined;
  while (at < end) {
    const start = at;
    let mode = 0;
    let code = data[at++]!;
    while (code !== 0x20) {
      if (code < 0x30 || code > 0x37 || at - start > 11 || at >= end) return report("badTree", "malformed mode");
      mode = mode * 8 + (code - 0x30);
      code = data[at++]!;
    }
    if (at - start === 1) return report("badTree", "malformed mode");
    const nameStart = at;
    let suspicious = at < end && data[at] === 0x2e;
    for (; at < end; at++) {
      code = data[at]!;
      if (code === 0) break;
      if (code === 0x2f) flags |= FULL_PATH;
      // `~` and `\` for NTFS, the lead bytes of the code points HFS+ ignores.
      else if (code === 0x7e || code === 0x5c || code === 0xe2 || code === 0xef) suspicious = true;
    }
    const nameEnd = at;
    const oidAt = nameEnd + 1;
    at = oidAt + oidBytes;
    if (at > end || nameEnd === nameStart) return report("badTree", at > end ? "cut short" : "empty file name");

    if (nameEnd - nameStart > MAX_NAME_BYTES) flags |= LARGE;
    if (suspicious) flags |= checkName(data, nameStart, nameEnd, mode, oidAt, listener, report);
    if (data[start] === 0x30) flags |= ZERO_PADDED;
    if (data[oidAt] === 0 && isNull(data, oidAt, oidBytes)) flags |= NULL_ID;
    switch (mode) {
      case MODE_TREE:
      case MODE_FILE:
      case MODE_EXECUTABLE:
      case MODE_SYMLINK:
      case MODE_GITLINK:
        break;
      default:
        flags |= BAD_MODE;
    }
    const folder = isFolder(mode);
    if (previousStart >= 0) {
      const previousFolder = isFolder(previousMode);
      const order = compareTreeNames(
        data,
        previousStart,
        previousEnd,
        previousFolder,
        data,
        nameStart,
        nameEnd,
        folder,
      );
      if (sameName(data, previousStart, previousEnd, nameStart, nameEnd)) flags |= DUPLICATE;
      else if (order > 0) flags |= UNSORTED;
      else if (!previousFolder && isPrefix(data, previousStart, previousEnd, nameStart, nameEnd)) {
        candidates ??= [];
        candidates.push(previousStart, previousEnd);
      }
      if (candidates !== undefined && folder && hasName(data, candidates, nameStart, nameEnd)) flags |= DUPLICATE;
    }
    previousMode = mode;
    previousStart = nameStart;
    previousEnd = nameEnd;
    listener.entry(mode, oidAt);
  }
  if (flags !== 0) reportFlags(flags, report);
  return true;
}

const FULL_PATH = 1;
const ZERO_PADDED = 2;
const NULL_ID = 4;
const BAD_MODE = 8;
const DUPLICATE = 16;
const UNSORTED = 32;
const DOT = 64;
const DOTDOT = 128;
const DOTGIT = 256;
const LARGE = 512;

/** No system git works on has longer paths; git refuses them since 2.43. */
const MAX_NAME_BYTES = 4096;

function reportFlags(flags: number, report: Report): void {
  if (flags & NULL_ID) report("nullSha1", "contains entries pointing to null sha1");
  if (flags & FULL_PATH) report("fullPathname", "contains full pathnames");
  if (flags & DOT) report("hasDot", "contains '.'");
  if (flags & DOTDOT) report("hasDotdot", "contains '..'");
  if (flags & DOTGIT) report("hasDotgit", "contains '.git'");
  if (flags & LARGE) report("largePathname", "contains excessively large pathname");
  if (flags & ZERO_PADDED) report("zeroPaddedFilemode", "contains zero-padded file modes");
  if (flags & BAD_MODE) report("badFilemode", "contains bad file modes");
  if (flags & DUPLICATE) report("duplicateEntries", "contains duplicate file entries");
  if (flags & UNSORTED) report("treeNotSorted", "not properly sorted");
}

/** Looks closely at a name that begins with a dot or holds a character file systems play tricks with. */
function checkName(
  data: Uint8Array,
  nameStart: number,
  nameEnd: number,
  mode: number,
  oidAt: number,
  listener: TreeListener,
  report: Report,
): number {
  const name = Buffer.from(data.buffer, data.byteOffset + nameStart, nameEnd - nameStart).toString("latin1");
  if (name === ".") return DOT;
  if (name === "..") return DOTDOT;
  let flags = isDotGit(name) ? DOTGIT : 0;
  const symlink = (mode & 0o170000) === MODE_SYMLINK;
  const gitmodules = () => {
    if (symlink) report("gitmodulesSymlink", ".gitmodules is a symbolic link");
    else listener.special("gitmodules", oidAt);
  };
  if (isSpecialFile(name, "gitmodules")) gitmodules();
  if (isSpecialFile(name, "gitattributes")) {
    if (symlink) report("gitattributesSymlink", ".gitattributes is a symlink");
    else listener.special("gitattributes", oidAt);
  }
  if (symlink && isSpecialFile(name, "gitignore")) report("gitignoreSymlink", ".gitignore is a symlink");
  if (symlink && isSpecialFile(name, "mailmap")) report("mailmapSymlink", ".mailmap is a symlink");
  // Behind each backslash Windows sees a name of its own. Split, so that a name of nothing else costs no square.
  const parts = name.split("\\");
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i]!;
    const last = i === parts.length - 1;
    if (isNtfsDotGit(part)) flags |= DOTGIT;
    if ((last || part.includes(":")) && isNtfsSpecialFile(part, "gitmodules")) gitmodules();
  }
  return flags;
}

function isNull(data: Uint8Array, at: number, oidBytes: number): boolean {
  for (let i = 0; i < oidBytes; i++) if (data[at + i] !== 0) return false;
  return true;
}

function isPrefix(data: Uint8Array, aStart: number, aEnd: number, bStart: number, bEnd: number): boolean {
  if (bEnd - bStart <= aEnd - aStart || data[bStart + aEnd - aStart]! >= 0x2f) return false;
  for (let i = aEnd - aStart - 1; i >= 0; i--) if (data[aStart + i] !== data[bStart + i]) return false;
  return true;
}

function sameName(data: Uint8Array, aStart: number, aEnd: number, bStart: number, bEnd: number): boolean {
  if (aEnd - aStart !== bEnd - bStart) return false;
  for (let i = aEnd - aStart - 1; i >= 0; i--) if (data[aStart + i] !== data[bStart + i]) return false;
  return true;
}

/** Whether a candidate has this name. Candidates the name does not begin with cannot be met any more and are dropped. */
function hasName(data: Uint8Array, candidates: number[], start: number, end: number): boolean {
  while (candidates.length > 0) {
    const from = candidates[candidates.length - 2]!;
    const to = candidates[candidates.length - 1]!;
    if (sameName(data, from, to, start, end)) return true;
    if (isPrefix(data, from, to, start, end)) return false;
    candidates.length -= 2;
  }
  return false;
}
