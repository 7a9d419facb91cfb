import type { ObjectFormat } from "../objects/format.ts";
import { hexDigit } from "../objects/hash.ts";
import type { Report } from "./problems.ts";

/**
 * Checks commits and tags as `git fsck --strict` does.
 *
 * Like git's, each check stops at the first error: anything after it would only be guesswork.
 */
class Cursor {
  at = 0;
  constructor(
    readonly text: string,
    private readonly format: ObjectFormat,
    /** Returns the whole object, for a date that may extend beyond the header. */
    readonly whole: () => string,
  ) {}

  /** Skips `word` if it is next. */
  skip(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  /** Skips an id and its line ending; returns whether they were present. */
  oidLine(): boolean {
    const { text, at } = this;
    const end = at + this.format.oidDigits;
    for (let i = at; i < end; i++) {
      if (hexDigit(text.charCodeAt(i)) < 0) return false;
    }
    if (text[end] !== "\n") return false;
    this.at = end + 1;
    return true;
  }

  /** The rest of the line, skipping its line ending; undefined if there is none. */
  line(): string | undefined {
    const end = this.text.indexOf("\n", this.at);
    if (end < 0) return undefined;
    const line = this.text.slice(this.at, end);
    this.at = end + 1;
    return line;
  }
}

/** Header and whole object, one character per byte (latin1); the header includes the empty line that ends it. */
export interface HeaderText {
  readonly header: string;
  readonly format: ObjectFormat;
  whole(): string;
}

/** `hasNul`: whether there is a NUL anywhere in the commit. */
export function checkCommit({ header, format, whole }: HeaderText, hasNul: boolean, report: Report): boolean {
  if (!checkHeaderBlock(header, report)) return false;
  const cursor = new Cursor(header, format, whole);
  if (!cursor.skip("tree ")) return report("missingTree", "invalid format - expected 'tree' line");
  if (!cursor.oidLine()) return report("badTreeSha1", "invalid 'tree' line format - bad sha1");
  while (cursor.skip("parent "))
    if (!cursor.oidLine()) return report("badParentSha1", "invalid 'parent' line format - bad sha1");
  let authors = 0;
  while (cursor.skip("author ")) {
    authors++;
    if (!checkSignature(cursor, report)) return false;
  }
  if (authors === 0) return report("missingAuthor", "invalid format - expected 'author' line");
  if (authors > 1) return report("multipleAuthors", "invalid format - multiple 'author' lines");
  if (!cursor.skip("committer ")) return report("missingCommitter", "invalid format - expected 'committer' line");
  if (!checkSignature(cursor, report)) return false;
  return hasNul ? report("nulInCommit", "NUL byte in the commit object body") : true;
}

export function checkTag({ header, format, whole }: HeaderText, report: Report): boolean {
  if (!checkHeaderBlock(header, report)) return false;
  const cursor = new Cursor(header, format, whole);
  if (!cursor.skip("object ")) return report("missingObject", "invalid format - expected 'object' line");
  if (!cursor.oidLine()) return report("badObjectSha1", "invalid 'object' line format - bad sha1");
  if (!cursor.skip("type ")) return report("missingTypeEntry", "invalid format - expected 'type' line");
  const type = cursor.line();
  if (type === undefined) return report("missingType", "invalid format - unexpected end after 'type' line");
  if (!/^(?:commit|tree|blob|tag)$/.test(type)) return report("badType", "invalid 'type' value");
  if (!cursor.skip("tag ")) return report("missingTagEntry", "invalid format - expected 'tag' line");
  const name = cursor.line();
  if (name === undefined) return report("missingTag", "invalid format - unexpected end after 'type' line");
  if (!isTagName(name)) report("badTagName", `invalid 'tag' name: ${name}`);
  if (!cursor.skip("tagger ")) return report("missingTaggerEntry", "invalid format - expected 'tagger' line");
  return checkSignature(cursor, report);
}

/** Headers must contain no NUL, and end with an empty line or at least a line ending. */
function checkHeaderBlock(text: string, report: Report): boolean {
  const blank = text.indexOf("\n\n");
  const nul = text.indexOf("\0");
  if (nul >= 0 && (blank < 0 || nul < blank)) return report("nulInHeader", `unterminated header: NUL at offset ${nul}`);
  if (blank >= 0 || text.endsWith("\n")) return true;
  return report("unterminatedHeader", "unterminated header");
}

/** Checks the rest of the line as `Name <mail> seconds +zone`, and skips it. */
function checkSignature(cursor: Cursor, report: Report): boolean {
  const { text } = cursor;
  let at = cursor.at;
  const bad = (id: Parameters<Report>[0], what: string) => report(id, `invalid author/committer line - ${what}`);
  const lineEnd = text.indexOf("\n", at);
  cursor.at = lineEnd < 0 ? text.length : lineEnd + 1;
  if (text[at] === "<") return bad("missingNameBeforeEmail", "missing space before email");
  at = angleAt(text, at);
  if (text[at] === ">") return bad("badName", "bad name");
  if (text[at] !== "<") return bad("missingEmail", "missing email");
  if (text[at - 1] !== " ") return bad("missingSpaceBeforeEmail", "missing space before email");
  at = angleAt(text, at + 1);
  if (text[at] !== ">") return bad("badEmail", "bad email");
  at++;
  if (text[at] !== " ") return bad("missingSpaceBeforeDate", "missing space before date");
  at++;
  if (text[at] === "0" && text[at + 1] !== " ") return bad("zeroPaddedDate", "zero-padded date");
  return checkDate(text, at, bad) ?? checkDate(cursor.whole(), at, bad) ?? bad("badDate", "bad date");
}

/** Offset of the next `<`, `>` or line ending, or of the text's end. */
function angleAt(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3c || code === 0x3e || code === 0x0a) return at;
  }
  return text.length;
}

/**
 * Checks seconds and zone as C's strtoumax reads them: white space before the number may include line feeds, and a sign
 * is allowed, with wrap-around. Returns undefined if the text ends before the number does.
 */
function checkDate(
  text: string,
  from: number,
  bad: (id: Parameters<Report>[0], what: string) => false,
): boolean | undefined {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  const sign = text[at];
  if (sign === "+" || sign === "-") at++;
  const start = at;
  while (isDigit(text.charCodeAt(at))) at++;
  if (at >= text.length) return undefined;
  if (at === start) return bad("badDate", "bad date");
  if (overflows(text.slice(start, at), sign === "-")) return bad("badDateOverflow", "date causes integer overflow");
  if (text[at] !== " ") return bad("badDate", "bad date");
  // The zone is never near enough to the header's end to be cut off.
  if (!/^[+-][0-9]{4}\n/.test(text.slice(at + 1, at + 7))) return bad("badTimezone", "bad time zone");
  return true;
}

function overflows(digits: string, negative: boolean): boolean {
  const significant = digits.replace(/^0+/, "");
  if (significant.length > 20) return true;
  const value = BigInt(significant || "0");
  if (value >= 2n ** 64n) return true;
  return (negative ? BigInt.asUintN(64, -value) : value) >= 2n ** 63n;
}

/** White space in C: space, tab, line feed, vertical tab, form feed, carriage return. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The rules of git-check-ref-format for `refs/tags/<name>`. */
function isTagName(name: string): boolean {
  if (name === "" || name.endsWith("/") || name.endsWith(".") || name.startsWith("/")) return false;
  // biome-ignore format: one class of forbidden characters
  if (/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\//.test(name)) return false;
  return name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"));
}
