import type { Blame } from "../../src/git/blame/blame.ts";
import type { BlamedFile, BlameRange } from "../../src/git/blame/result.ts";
import { CorruptObject } from "../../src/git/errors.ts";
import type { Mailmap } from "../../src/git/mailmap/mailmap.ts";
import { encodeName } from "../../src/git/objects/names.ts";
import { quotePath } from "../../src/git/objects/quote.ts";
import type { ObjectSource } from "../../src/git/objects/source.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Abbreviator } from "../../src/git/pretty/abbreviate.ts";
import { CommitText } from "../../src/git/pretty/commit-text.ts";
import { type Clock, type DateStyle, formatDate } from "../../src/git/pretty/dates.ts";
import { splitIdent } from "../../src/git/pretty/ident.ts";
import { columnsOf } from "../../src/git/pretty/width.ts";

export interface BlameStyle {
  readonly root: boolean;
  readonly blankBoundary: boolean;
  readonly dates: DateStyle;
  readonly dateColumns: number;
  readonly clock: Clock;
  readonly longNames: boolean;
  readonly rawTime: boolean;
  readonly noAuthor: boolean;
  readonly email: boolean;
  readonly showName: boolean;
  readonly showNumber: boolean;
  readonly annotate: boolean;
  /** Number of digits of ids; undefined: chosen for the repository. */
  readonly abbreviate: number | undefined;
}

interface SignatureTime {
  readonly name: string;
  /** Includes the angle brackets. */
  readonly mail: string;
  readonly time: string;
  readonly zone: string;
}

interface Information {
  readonly author: SignatureTime;
  readonly committer: SignatureTime;
  readonly summary: string;
}

const UNKNOWN: SignatureTime = { name: "(unknown)", mail: "(unknown)", time: "0", zone: "(unknown)" };

/** Prints a blame in the formats of `git blame`; text is in the form `Terminal.out` accepts. */
export class BlamePrinter {
  private readonly commits = new Map<Oid, Information>();
  private readonly told = new Set<Oid>();

  constructor(
    private readonly store: ObjectSource,
    private readonly mailmap: Mailmap | undefined,
    private readonly style: BlameStyle,
  ) {}

  /** `--incremental`: one range as soon as it is found. */
  incremental({ file, originLine, line, count }: BlameRange): string {
    const head = `${file.commit} ${originLine + 1} ${line + 1} ${count}\n`;
    return head + (this.detail(file, false) ?? "") + names(file);
  }

  /** `--porcelain`; with `everyLine`, `--line-porcelain`. */
  *porcelain(blame: Blame, ranges: readonly BlameRange[], everyLine: boolean): Generator<string | Uint8Array> {
    const { text } = blame.file;
    const paths = pathsByCommit(ranges);
    for (const { file, originLine, line, count } of ranges) {
      const several = (paths.get(file.commit)?.size ?? 0) > 1;
      const detail = (): string => {
        const told = this.detail(file, everyLine);
        return (told ?? "") + (told !== undefined || several ? names(file) : "");
      };
      for (let i = 0; i < count; i++) {
        const numbers = `${originLine + i + 1} ${line + i + 1}`;
        yield `${file.commit} ${numbers}${i === 0 ? ` ${count}` : ""}\n`;
        if (i === 0 || everyLine) yield detail();
        yield "\t";
        yield text.line(line + i);
      }
      if (text.endsOpen && line + count === text.count) yield "\n";
    }
  }

  /** The human-readable format. */
  *lines(blame: Blame, ranges: readonly BlameRange[]): Generator<string | Uint8Array> {
    const { style } = this;
    const widths = this.widths(ranges);
    const { text } = blame.file;
    const showName = style.showName || ranges.some(({ file }) => file.path !== blame.path);
    for (const { file, originLine, line, count } of ranges) {
      const { author } = this.informationOf(file.commit);
      const start = this.idOf(file, widths.id);
      const time = this.timeOf(author);
      const path = showName ? ` ${padBytes(file.path, widths.path)}` : "";
      const shown = style.email ? author.mail : author.name;
      const who = style.noAuthor
        ? ""
        : ` (${shown}${" ".repeat(Math.max(0, widths.author - columnsOf(shown)))} ${time.padStart(10)}`;
      for (let i = 0; i < count; i++) {
        if (style.annotate) yield `${start}\t(${shown.padStart(10)}\t${time.padStart(10)}\t${line + i + 1})`;
        else {
          const number = style.showNumber ? ` ${String(originLine + i + 1).padStart(widths.originLine)}` : "";
          yield `${start}${path}${number}${who} ${String(line + i + 1).padStart(widths.line)}) `;
        }
        yield text.line(line + i);
      }
      if (text.endsOpen && line + count === text.count) yield "\n";
    }
  }

  private widths(ranges: readonly BlameRange[]) {
    const { style } = this;
    const abbreviator = new Abbreviator(this.store);
    let id = 0;
    let path = 0;
    let author = 0;
    let originLine = 0;
    let line = 0;
    for (const range of ranges) {
      const { commit } = range.file;
      if (style.abbreviate === undefined) id = Math.max(id, abbreviator.abbreviate(commit).length);
      path = Math.max(path, encodeName(range.file.path).length);
      const signature = this.informationOf(commit).author;
      author = Math.max(author, columnsOf(style.email ? signature.mail : signature.name));
      originLine = Math.max(originLine, range.originLine + range.count);
      line = Math.max(line, range.line + range.count);
    }
    const digits = this.store.format.oidDigits;
    // One more for the boundary mark.
    const short = style.abbreviate === undefined ? id + 1 : style.abbreviate;
    return {
      id: style.longNames ? digits : short,
      path,
      author,
      originLine: String(originLine).length,
      line: String(line).length,
    };
  }

  private idOf(file: BlamedFile, width: number): string {
    const { style } = this;
    if (!this.isBoundary(file)) return file.commit.slice(0, width);
    if (style.blankBoundary) return " ".repeat(Math.min(width, file.commit.length));
    return style.annotate ? file.commit.slice(0, width) : `^${file.commit.slice(0, width - 1)}`;
  }

  private isBoundary({ boundary }: BlamedFile): boolean {
    return boundary === "excluded" || (boundary === "root" && !this.style.root);
  }

  private timeOf({ time, zone }: SignatureTime): string {
    const { style } = this;
    if (style.rawTime) return `${time} ${zone}`;
    const text = formatDate(Number(time), Number.parseInt(zone, 10) || 0, style.dates, style.clock);
    return text + " ".repeat(Math.max(0, style.dateColumns - columnsOf(text)));
  }

  /** The commit's details for the machine-readable formats, printed once; undefined when already printed. */
  private detail(file: BlamedFile, again: boolean): string | undefined {
    if (!again && this.told.has(file.commit)) return undefined;
    this.told.add(file.commit);
    const { author, committer, summary } = this.informationOf(file.commit);
    const signature = (keyword: string, { name, mail, time, zone }: SignatureTime) =>
      `${keyword} ${name}\n${keyword}-mail ${mail}\n${keyword}-time ${time}\n${keyword}-tz ${zone}\n`;
    const boundary = this.isBoundary(file) ? "boundary\n" : "";
    return `${signature("author", author)}${signature("committer", committer)}summary ${summary}\n${boundary}`;
  }

  private informationOf(commit: Oid): Information {
    const cached = this.commits.get(commit);
    if (cached) return cached;
    const object = this.store.read(commit);
    if (!object) throw new CorruptObject(`commit ${commit} is missing`);
    const text = new CommitText({ oid: commit, data: object.data });
    const information = {
      author: this.signature(text.signature("author")),
      committer: this.signature(text.signature("committer")),
      summary: firstLine(text) || `(${commit})`,
    };
    this.commits.set(commit, information);
    return information;
  }

  private signature(line: string | undefined): SignatureTime {
    const ident = line === undefined ? undefined : splitIdent(line);
    if (line === undefined || !ident) return UNKNOWN;
    const { name, email } = this.mailmap?.map(ident.name, ident.email) ?? ident;
    const zone = ident.date === undefined ? undefined : /([+-]\d+)\D*$/.exec(line)?.[1];
    return { name, mail: `<${email}>`, time: ident.date ?? "0", zone: zone ?? "(unknown)" };
  }
}

/** The files that lines come from, by commit: when there are several, each line names its own. */
function pathsByCommit(ranges: readonly BlameRange[]): Map<Oid, Set<string>> {
  const paths = new Map<Oid, Set<string>>();
  for (const { file } of ranges) {
    const known = paths.get(file.commit);
    if (known) known.add(file.path);
    else paths.set(file.commit, new Set([file.path]));
  }
  return paths;
}

/** The first non-blank line of the message, in full. */
function firstLine(text: CommitText): string {
  const rest = text.message.slice(text.subjectStart);
  const end = rest.indexOf("\n");
  return end < 0 ? rest : rest.slice(0, end);
}

function names({ path, previous }: BlamedFile): string {
  const before = previous ? `previous ${previous.commit} ${quotePath("", previous.path)}\n` : "";
  return `${before}filename ${quotePath("", path)}\n`;
}

function padBytes(text: string, bytes: number): string {
  return text + " ".repeat(Math.max(0, bytes - encodeName(text).length));
}
