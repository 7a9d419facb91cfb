import { headerEnd } from "../objects/headers.ts";
import { decodeName } from "../objects/names.ts";
import type { Oid } from "../objects/types.ts";
import { isSpace, trimEnd } from "./ident.ts";
import { reencode } from "./reencode.ts";

/** A commit to be printed. What is not asked for is not read: `data` may be a getter. */
export interface CommitToPrint {
  readonly oid: Oid;
  /** The object's content. */
  readonly data: Uint8Array;
  /** When they are known without the content, or are others than it says (a history cut to some paths). */
  readonly tree?: Oid;
  readonly parents?: readonly Oid[];
  /** The parent that a merge is shown against; named in the `commit` line. */
  readonly from?: Oid;
}

/** A commit's parts as git prints them: in UTF-8, its message up to the first NUL. Text is as `decodeName` gives it. */
export class CommitText {
  private cached: { bytes: Uint8Array; head: string; encoding: string | undefined } | undefined;
  private cachedMessage: string | undefined;
  private cut: { subjectStart: number; bodyStart: number } | undefined;

  constructor(private readonly commit: CommitToPrint) {}

  get oid(): Oid {
    return this.commit.oid;
  }

  get tree(): Oid {
    return this.commit.tree ?? /^tree ([0-9a-f]+)\n/i.exec(this.read().head)?.[1]?.toLowerCase() ?? "";
  }

  get parents(): readonly Oid[] {
    return this.commit.parents ?? this.storedParents();
  }

  get from(): Oid | undefined {
    return this.commit.from;
  }

  /** What the object itself says. */
  storedParents(): readonly Oid[] {
    return [...this.read().head.matchAll(/^parent ([0-9a-fA-F]+)$/gm)].map((match) => match[1]!.toLowerCase());
  }

  /** As its header names it; undefined without one. */
  get encoding(): string | undefined {
    return this.read().encoding;
  }

  /** The last line of that keyword, without it. */
  signature(keyword: "author" | "committer"): string | undefined {
    const { bytes, head } = this.read();
    const mark = `${keyword} `;
    const at = head.lastIndexOf(`\n${mark}`) + 1;
    if (at === 0 && !head.startsWith(mark)) return undefined;
    const end = head.indexOf("\n", at);
    return decodeName(bytes, at + mark.length, end < 0 ? head.length : end);
  }

  /** The header lines as they are stored, without an `encoding` that no longer holds. */
  get headers(): string {
    const { bytes, head } = this.read();
    return decodeName(bytes, 0, head.length);
  }

  /** Everything after the header's empty line. */
  get message(): string {
    if (this.cachedMessage === undefined) {
      const { bytes, head } = this.read();
      const start = Math.min(head.length + 1, bytes.length);
      const nul = bytes.indexOf(0, start);
      this.cachedMessage = decodeName(bytes, start, nul < 0 ? bytes.length : nul);
    }
    return this.cachedMessage;
  }

  /** The first paragraph. */
  subject(separator: string): string {
    const { message } = this;
    return subjectOf(message, this.parts().subjectStart).lines.join(separator);
  }

  get subjectStart(): number {
    return this.parts().subjectStart;
  }

  /** What follows the first paragraph. */
  get body(): string {
    return this.message.slice(this.parts().bodyStart);
  }

  private parts(): { subjectStart: number; bodyStart: number } {
    if (!this.cut) {
      const subjectStart = skipBlankLines(this.message, 0);
      this.cut = { subjectStart, bodyStart: skipBlankLines(this.message, subjectOf(this.message, subjectStart).end) };
    }
    return this.cut;
  }

  private read(): { bytes: Uint8Array; head: string; encoding: string | undefined } {
    if (!this.cached) {
      const { data } = this.commit;
      const head = headOf(data);
      const { bytes, encoding } = reencode(data, head);
      this.cached = { bytes, encoding, head: bytes === data ? head : headOf(bytes) };
    }
    return this.cached;
  }
}

function headOf(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1", 0, headerEnd(data));
}

/** Where the first line that holds more than spaces begins. */
export function skipBlankLines(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const end = lineEndOf(text, at);
    if (!isBlank(text, at, end)) return at;
    at = end;
  }
  return at;
}

/** Lines up to the first blank one, without spaces at their ends; `end` is after that blank line. */
function subjectOf(text: string, from: number): { lines: string[]; end: number } {
  const lines: string[] = [];
  let at = from;
  while (at < text.length) {
    const end = lineEndOf(text, at);
    const line = trimEnd(text.slice(at, end));
    at = end;
    if (line === "") break;
    lines.push(line);
  }
  return { lines, end: at };
}

/** After the line's LF. */
export function lineEndOf(text: string, at: number): number {
  const lf = text.indexOf("\n", at);
  return lf < 0 ? text.length : lf + 1;
}

function isBlank(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}
