import type { ObjectFormat } from "../objects/format.ts";
import {
  canonicalMode,
  isTreeMode,
  MODE_EXECUTABLE,
  MODE_FILE,
  MODE_GITLINK,
  MODE_SYMLINK,
  MODE_TREE,
} from "../objects/tree.ts";
import type { Report } from "./problems.ts";
import { isDotGit, isNtfsDotGit, isNtfsSpecialFile, isSpecialFile } from "./special-names.ts";

/** Callbacks during the check of a tree. Offsets are into the tree's bytes. */
export interface TreeListener {
  /** Every well-formed entry, with the mode as git interprets it. */
  entry(mode: number, oidAt: number): void;
  /** An entry whose content is to be checked as `.gitmodules` or `.gitattributes`. */
  special(file: "gitmodules" | "gitattributes", oidAt: number): void;
}

/**
 * Checks a tree as `git fsck` does, in a single pass over its bytes that also reports its links. Returns false if it
 * cannot be parsed to its end. Nothing is allocated for ordinary names: indexing 400,000 objects involves tens of
 * millions of entries. With `strict`, group-writable files are reported, which git created in its first years.
 */
export function checkTree(
  data: Uint8Array,
  format: ObjectFormat,
  listener: TreeListener,
  report: Report,
  strict = true,
): boolean {
  const { oidBytes } = format;
  const end = data.length;
  // Git looks for the NUL of the last entry before it reads the first one.
  const lastNul = end - oidBytes - 1;
  let readable = end === 0 || (lastNul >= MIN_ENTRY_BYTES - 1 && data[lastNul] === 0);
  let at = 0;
  let previousMode = 0;
  let previousStart = -1;
  let previousEnd = -1;
  let flags = 0;
  /** The problems with an entry's mode and order: git reports them once it has read the next entry. */
  let pending = 0;
  const candidates: number[] = [];
  while (readable && at < end) {
    const start = at;
    let mode = 0;
    let code = data[at++]!;
    while (code >= 0x30 && code <= 0x37) {
      mode = (mode << 3) | (code - 0x30);
      code = data[at++] ?? 0;
    }
    const nameStart = at;
    if (code !== 0x20 || at - start === 1 || start + MIN_ENTRY_BYTES + oidBytes > end || data[at] === 0) {
      readable = false;
      break;
    }
    // Git keeps sixteen bits.
    mode &= 0xffff;
    let suspicious = data[at] === 0x2e;
    for (; at < end; at++) {
      code = data[at]!;
      if (code === 0) break;
      if (code === 0x2f) flags |= FULL_PATH;
      // `~` and `\` for NTFS, the lead bytes of the code points that HFS+ ignores.
      else if (code === 0x7e || code === 0x5c || code === 0xe2 || code === 0xef) suspicious = true;
    }
    const nameEnd = at;
    const oidAt = nameEnd + 1;
    at = oidAt + oidBytes;
    if (at > end) {
      readable = false;
      break;
    }
    flags |= pending;
    if (suspicious) flags |= checkName(data, nameStart, nameEnd, mode, oidAt, listener, report);
    if (data[start] === 0x30) flags |= ZERO_PADDED;
    if (data[oidAt] === 0 && isNull(data, oidAt, oidBytes)) flags |= NULL_ID;
    pending = 0;
    switch (mode) {
      case MODE_TREE:
      case MODE_FILE:
      case MODE_EXECUTABLE:
      case MODE_SYMLINK:
      case MODE_GITLINK:
        break;
      case MODE_GROUP_WRITABLE:
        if (strict) pending = BAD_MODE;
        break;
      default:
        pending = BAD_MODE;
    }
    if (previousStart >= 0)
      pending |= checkOrder(
        data,
        previousStart,
        previousEnd,
        isTreeMode(previousMode),
        nameStart,
        nameEnd,
        isTreeMode(mode),
        candidates,
      );
    previousMode = mode;
    previousStart = nameStart;
    previousEnd = nameEnd;
    listener.entry(pending & BAD_MODE ? canonicalMode(mode) : mode, oidAt);
  }
  if (readable) flags |= pending;
  if (!readable) report("badTree", "cannot be parsed as a tree");
  if (flags !== 0) reportFlags(flags, report);
  return readable;
}

/** The minimum bytes, besides an id, that git requires before it examines an entry. */
const MIN_ENTRY_BYTES = 3;
const MODE_GROUP_WRITABLE = 0o100664;

const FULL_PATH = 1;
const ZERO_PADDED = 2;
const NULL_ID = 4;
const BAD_MODE = 8;
const DUPLICATE = 16;
const UNSORTED = 32;
const DOT = 64;
const DOTDOT = 128;
const DOTGIT = 256;

function reportFlags(flags: number, report: Report): void {
  if (flags & NULL_ID) report("nullSha1", "contains entries pointing to null sha1");
  if (flags & FULL_PATH) report("fullPathname", "contains full pathnames");
  if (flags & DOT) report("hasDot", "contains '.'");
  if (flags & DOTDOT) report("hasDotdot", "contains '..'");
  if (flags & DOTGIT) report("hasDotgit", "contains '.git'");
  if (flags & ZERO_PADDED) report("zeroPaddedFilemode", "contains zero-padded file modes");
  if (flags & BAD_MODE) report("badFilemode", "contains bad file modes");
  if (flags & DUPLICATE) report("duplicateEntries", "contains duplicate file entries");
  if (flags & UNSORTED) report("treeNotSorted", "not properly sorted");
}

/**
 * The problems with the order of the entry at `bStart`, which follows the one at `aStart`. `candidates` are files whose
 * name a later directory could duplicate: names such as `a.c` sort between `a` and `a/`.
 */
function checkOrder(
  data: Uint8Array,
  aStart: number,
  aEnd: number,
  aDirectory: boolean,
  bStart: number,
  bEnd: number,
  bDirectory: boolean,
  candidates: number[],
): number {
  const shared = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < shared; i++) {
    const difference = data[aStart + i]! - data[bStart + i]!;
    if (difference !== 0) return difference < 0 ? 0 : UNSORTED;
  }
  // A name ends with the NUL after it, a directory's name as if with a slash.
  const aByte = data[aStart + shared]!;
  const bByte = data[bStart + shared]!;
  if (aByte === 0 && bByte === 0) return DUPLICATE;
  const aNext = aByte === 0 && aDirectory ? 0x2f : aByte;
  const bNext = bByte === 0 && bDirectory ? 0x2f : bByte;
  if (aNext === 0 && bNext < 0x2f) candidates.push(aStart, aEnd);
  else if (bNext === 0x2f && aNext > 0 && aNext < 0x2f && hasName(data, candidates, bStart, bEnd)) return DUPLICATE;
  return aNext < bNext ? 0 : UNSORTED;
}

/** Examines a name that begins with a dot or contains a character with a special meaning to some file system. */
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
  // Nearly all names that get here are `.gitignore` and the like.
  if (/^\.[a-z_-]+(?:\.[a-z_-]+)*$/.test(name) && !/^\.(?:git\.|git$|gitmodules|gitattributes)/.test(name)) {
    if ((mode & 0o170000) !== MODE_SYMLINK) return 0;
  }
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
  // On Windows a separate name follows each backslash. Split first, so that a name full of backslashes takes linear
  // time.
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

/**
 * Whether a candidate has this name. Candidates that are not a prefix of the name can no longer match and are dropped.
 */
function hasName(data: Uint8Array, candidates: number[], start: number, end: number): boolean {
  while (candidates.length > 0) {
    const from = candidates[candidates.length - 2]!;
    const to = candidates[candidates.length - 1]!;
    const rest = beginsWith(data, from, to, start, end) ? data[start + to - from]! : 0x2f;
    if (rest > 0 && rest < 0x2f) return false;
    candidates.length -= 2;
    if (rest === 0) return true;
  }
  return false;
}

/** Whether the name at `start` begins with the one between `from` and `to`. */
function beginsWith(data: Uint8Array, from: number, to: number, start: number, end: number): boolean {
  if (end - start < to - from) return false;
  for (let i = to - from - 1; i >= 0; i--) if (data[from + i] !== data[start + i]) return false;
  return true;
}
