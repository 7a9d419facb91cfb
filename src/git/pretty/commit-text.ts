import { headerEnd } from "../objects/headers.ts";
import { decodeName } from "../objects/names.ts";
import type { Oid } from "../objects/types.ts";
import { isSpace, trimEnd } from "./ident.ts";
import { reencode } from "./reencode.ts";

/** A commit to print. `data` is read only if needed, so it may be a getter. */
export interface CommitToPrint {
  readonly oid: Oid;
  /** The object's content. */
  readonly data: Uint8Array;
  /** Set if known without the content, or different from it (history simplified to some paths). */
  readonly tree?: Oid;
  readonly parents?: readonly Oid[];
  /** The parent a merge is diffed against, shown in the `commit` line. */
  readonly from?: Oid;
}

/** The parts of a commit as git prints them: UTF-8, the message up to the first NUL. Text is as from `decodeName`. */
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

  /** The parents recorded in the object itself. */
  storedParents(): readonly Oid[] {
    return [...this.read().head.matchAll(/^parent ([0-9a-fA-F]+)$/gm)].map((match) => match[1]!.toLowerCase());
  }

  /** The encoding named in the header; undefined without one. */
  get encoding(): string | undefined {
    return this.read().encoding;
  }

  /** The last line with that keyword, without the keyword. */
  signature(keyword: "author" | "committer"): string | undefined {
    const { bytes, head } = this.read();
    const mark = `${keyword} `;
    const at = head.lastIndexOf(`\n${mark}`) + 1;
    if (at === 0 && !head.startsWith(mark)) return undefined;
    const end = head.indexOf("\n", at);
    return decodeName(bytes, at + mark.length, end < 0 ? head.length : end);
  }

  /** The header lines as stored, without an `encoding` that no longer applies. */
  get headers(): string {
    const { bytes, head } = this.read();
    return decodeName(bytes, 0, head.length);
  }

  /** Everything after the empty line that ends the header. */
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

  /** The text after the first paragraph. */
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

/** Start of the first line with more than spaces. */
export function skipBlankLines(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const end = lineEndOf(text, at);
    if (!isBlank(text, at, end)) return at;
    at = end;
  }
  return at;
}

/** Lines up to the first blank one, without trailing spaces; `end` is after the blank line. */
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

/** The offset after the line's LF. */
export function lineEndOf(text: string, at: number): number {
  const lf = text.indexOf("\n", at);
  return lf < 0 ? text.length : lf + 1;
}

function isBlank(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}
