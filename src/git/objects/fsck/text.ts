import type { ObjectFormat } from "../format.ts";
import type { Report } from "./problems.ts";

/**
 * Commits and tags, checked as `git fsck --strict` does (stricter in one thing: ids are lower-case, as git writes
 * them, so that no two readers disagree on what an object points to).
 *
 * Each check stops at the first error of a line, as git's does: what follows would only be guesses.
 */
class Cursor {
  at = 0;
  constructor(
    readonly text: string,
    private readonly format: ObjectFormat,
  ) {}

  /** Steps over `word` when it is next. */
  skip(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  /** Steps over an id and its line end; answers the id, or undefined. */
  oidLine(): boolean {
    const { oidDigits } = this.format;
    const line = this.text.slice(this.at, this.at + oidDigits + 1);
    if (line.length !== oidDigits + 1 || !/^[0-9a-f]+\n$/.test(line)) return false;
    this.at += oidDigits + 1;
    return true;
  }

  /** The rest of the line, stepping behind its end; undefined without one. */
  line(): string | undefined {
    const end = this.text.indexOf("\n", this.at);
    if (end < 0) return undefined;
    const line = this.text.slice(this.at, end);
    this.at = end + 1;
    return line;
  }
}

/** `text`: the header with its empty line, one character per byte (latin1); `hasNul`: there is a NUL in the whole. */
export function checkCommit(text: string, hasNul: boolean, format: ObjectFormat, report: Report): boolean {
  if (!checkHeaderBlock(text, report)) return false;
  const cursor = new Cursor(text, format);
  if (!cursor.skip("tree ")) return report("missingTree", "invalid format - expected 'tree' line");
  if (!cursor.oidLine()) return report("badTreeSha1", "invalid 'tree' line format - bad sha1");
  while (cursor.skip("parent "))
    if (!cursor.oidLine()) return report("badParentSha1", "invalid 'parent' line format - bad sha1");
  let authors = 0;
  while (cursor.skip("author ")) {
    authors++;
    if (!checkPerson(cursor, report)) return false;
  }
  if (authors === 0) return report("missingAuthor", "invalid format - expected 'author' line");
  if (authors > 1) return report("multipleAuthors", "invalid format - multiple 'author' lines");
  if (!cursor.skip("committer ")) return report("missingCommitter", "invalid format - expected 'committer' line");
  if (!checkPerson(cursor, report)) return false;
  return hasNul ? report("nulInCommit", "NUL byte in the commit object body") : true;
}

/** `text`: the header with its empty line, one character per byte (latin1). */
export function checkTag(text: string, format: ObjectFormat, report: Report): boolean {
  if (!checkHeaderBlock(text, report)) return false;
  const cursor = new Cursor(text, format);
  if (!cursor.skip("object ")) return report("missingObject", "invalid format - expected 'object' line");
  if (!cursor.oidLine()) return report("badObjectSha1", "invalid 'object' line format - bad sha1");
  if (!cursor.skip("type ")) return report("missingTypeEntry", "invalid format - expected 'type' line");
  const type = cursor.line();
  if (type === undefined) return report("missingType", "invalid format - unexpected end after 'type' line");
  if (!/^(commit|tree|blob|tag)$/.test(type)) return report("badType", "invalid 'type' value");
  if (!cursor.skip("tag ")) return report("missingTagEntry", "invalid format - expected 'tag' line");
  const name = cursor.line();
  if (name === undefined) return report("missingTag", "invalid format - unexpected end after 'type' line");
  if (!isTagName(name)) report("badTagName", "invalid 'tag' name");
  if (!cursor.skip("tagger ")) return report("missingTaggerEntry", "invalid format - expected 'tagger' line");
  return checkPerson(cursor, report);
}

/** Headers hold no NUL, and end with an empty line or at least a line end. */
function checkHeaderBlock(text: string, report: Report): boolean {
  const blank = text.indexOf("\n\n");
  const nul = text.indexOf("\0");
  if (nul >= 0 && (blank < 0 || nul < blank)) {
    return report("nulInHeader", "unterminated header: NUL in the header");
  }
  if (blank >= 0 || text.endsWith("\n")) return true;
  return report("unterminatedHeader", "unterminated header");
}

/** Checks the rest of the line as `Name <mail> seconds +zone`, and steps behind it. */
function checkPerson(cursor: Cursor, report: Report): boolean {
  const line = cursor.line() ?? "";
  if (line.startsWith("<")) return report("missingNameBeforeEmail", "missing space before email");
  const open = line.search(/[<>]/);
  if (open < 0) return report("missingEmail", "missing email");
  if (line[open] === ">") return report("badName", "bad name");
  if (line[open - 1] !== " ") return report("missingSpaceBeforeEmail", "missing space before email");
  const rest = line.slice(open + 1);
  const close = rest.search(/[<>]/);
  if (close < 0 || rest[close] !== ">") return report("badEmail", "bad email");
  if (rest[close + 1] !== " ") return report("missingSpaceBeforeDate", "missing space before date");
  const date = rest.slice(close + 2).replace(/^[ \t]+/, "");
  if (/^-[0-9]/.test(date)) return report("badDateOverflow", "date before 1970");
  const digits = /^[0-9]+/.exec(date)?.[0];
  if (digits === undefined) return report("badDate", "bad date");
  if (digits.startsWith("0") && date[1] !== " ") return report("zeroPaddedDate", "zero-padded date");
  if (digits.length > 19 || BigInt(digits) >= 2n ** 63n)
    return report("badDateOverflow", "date causes integer overflow");
  if (date[digits.length] !== " ") return report("badDate", "bad date");
  if (!/^[+-][0-9]{4}$/.test(date.slice(digits.length + 1))) return report("badTimezone", "bad time zone");
  return true;
}

/** The rules of git-check-ref-format for `refs/tags/<name>`. */
function isTagName(name: string): boolean {
  if (name === "" || name.endsWith("/") || name.endsWith(".") || name.startsWith("/")) return false;
  // biome-ignore format: one class of forbidden characters
  if (/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\//.test(name)) return false;
  return name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"));
}
